"""What the calls of libraries do, as rows of data: one TOML file per library, shared by all rooms.

`row` says what a row can say, `loading` reads and checks the files, `catalogue` finds the row of a call.
"""
