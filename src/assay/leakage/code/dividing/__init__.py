"""Rows divided, put in order, cut into windows, repeated and thinned out."""
