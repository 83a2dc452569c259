"""Where models are evaluated on rows, and scores are compared."""
