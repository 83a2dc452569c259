"""From the paths that a user names to the code that is followed."""
