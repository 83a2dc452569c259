"""The comparison room tells how sure a score is, and whether one model is really better than another."""
