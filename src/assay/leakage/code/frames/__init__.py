"""Tables, arrays and files: where rows come from, which of them and of their columns a value holds."""
