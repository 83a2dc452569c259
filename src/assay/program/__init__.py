"""What Python code says, read once for all rooms: options, settings, configuration files, constants.

Nothing here knows a library's purpose or has an opinion; audited code is parsed and never run.
"""
