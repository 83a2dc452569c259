"""The checklists room tells what must be reported, and what a filled checklist leaves out.

A checklist is data (`definition`, `loading`), a filled one is a file that a person edits (`template`, `filled`);
`rules` judge it, `proposals` pre-fill it, `comparing` sets several side by side, `rendering` prints it.
"""
