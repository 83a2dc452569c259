"""``python -m assay``."""

import sys
from pathlib import Path

if not sys.flags.safe_path and sys.path[:1] == [str(Path.cwd())]:
    del sys.path[0]  # put there by Python; it may be the audited folder, from which nothing may be imported

from assay.cli import main

sys.exit(main())
