"""Where models are held against rows, and scores against each other."""
