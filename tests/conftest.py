"""Settings for all tests."""

import os
import sys

from hypothesis import settings

pytest_plugins = ["coverage_taken", "database_server"]

# Many tests start Python: what it has compiled once, and the asserts that pytest has rewritten once, are not done
# again by the next process, even where the surroundings ask for no traces.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# With this package at hand, importing jsonschema makes a parser for every kind of international address, which takes
# seconds; no schema here has one.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

# How long an example takes depends on the machine, so no example has a deadline; speed is measured in bench/.
# A change is judged by the same examples everywhere; `make hunt` looks for new ones, `make fuzz` for many.
settings.register_profile("settled", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("hunt", deadline=None, print_blob=True)
settings.register_profile("fuzz", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "settled"))
