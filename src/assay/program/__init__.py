"""What Python code says: options, settings, configuration files, constants. Shared by all rooms.

Nothing here knows a library's purpose or has an opinion; audited code is parsed and never run.
"""
