"""Everything about one result in one report: all instruments on a submission, and what only their combination sees."""
