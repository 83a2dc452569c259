"""The optimism that a leak causes: leaky and clean versions of one experiment, side by side."""
