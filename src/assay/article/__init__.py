"""The article room tells whether a paper says enough for others to judge and repeat its study."""
