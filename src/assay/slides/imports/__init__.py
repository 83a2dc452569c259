"""What other programs write, as the tables that `assay slides evaluate` reads."""
