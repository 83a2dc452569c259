"""The steps by which the tables of the browser application came to be as they are."""
