"""Settings for all tests."""

import os

from hypothesis import settings

pytest_plugins = ["database_server"]

# How long an example takes depends on the machine, so no example has a deadline; speed is measured in bench/.
# A change is judged by the same examples everywhere; `make hunt` looks for new ones, `make fuzz` for many.
settings.register_profile("settled", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("hunt", deadline=None, print_blob=True)
settings.register_profile("fuzz", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "settled"))
