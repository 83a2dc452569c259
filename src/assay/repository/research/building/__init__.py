"""Could the environment be built, now and when the code was published? Asked explicitly, for it may use the network.

Nothing of the audited repository is built, installed or executed: its declarations are written anew into an empty
folder, and a resolver is asked whether they can be met.
"""

from assay.repository.research.building.attempts import Asked, Attempt, Buildability, try_building
from assay.repository.research.building.report import report_of

__all__ = ["Asked", "Attempt", "Buildability", "report_of", "try_building"]
