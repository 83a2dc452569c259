"""Policies: what counts as a leak, as queries over the pair table."""
