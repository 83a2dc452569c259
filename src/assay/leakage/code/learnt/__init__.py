"""What is learnt from rows: statistics, vocabularies, sums of groups, selections."""
