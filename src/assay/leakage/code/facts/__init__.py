"""Facts about one program: which rows each model learnt from, which rows judged it, and how the two are related."""
