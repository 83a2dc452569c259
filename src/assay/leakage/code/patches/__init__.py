"""Patches for leaks: the program with the step moved to where it may learn, or why none is offered."""
