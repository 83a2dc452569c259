"""The sets of items that a paper counts, and which rows of scores are about which set."""
