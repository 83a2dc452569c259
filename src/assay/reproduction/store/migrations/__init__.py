"""How the tables of a store came to be, one script after the other."""
