"""Python itself: statements, expressions, names, calls, the code's own functions and classes."""
