"""A reproduction study in a database: several people write to it, and nothing that was stored is lost."""
