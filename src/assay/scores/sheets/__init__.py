"""A spreadsheet of papers: one row in, one row out.

`reading` gets the cells, `headings` says what the columns hold, `rows` makes an experiment of each row and says what it
could not read, `results` is the table that comes out.
"""
