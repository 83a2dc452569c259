"""Objects that are fitted: how they are made and trained, what they give, where they are kept."""
