"""The browser application: everything about one result, in one place, on this machine or on a lab's server.

Pages are rendered on the server; htmx improves them where JavaScript runs. Whatever reads uploads or takes long
runs in a process of its own, with limits.
"""
