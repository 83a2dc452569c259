"""Settings for all tests."""

import os

from hypothesis import settings

# How long an example takes depends on the machine, so no example has a deadline; speed is measured in bench/.
settings.register_profile("everywhere", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "everywhere")
