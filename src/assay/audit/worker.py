"""What runs in a process of its own: a job comes in by the input, the outcome of each part goes out as it is done.

A plain program rather than a copy of the caller: it neither imports the caller's script again nor minds its threads.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable

from assay.audit.instruments import Outcome, parts_of
from assay.errors import InputError
from assay.extras import missing_package
from assay.garbage import look_rarely


def main() -> None:
    """Perform the job. What libraries print must not get between the answers, so it goes where errors go."""
    look_rarely()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    job = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by the process that started this one
    for part in parts_of(job):
        pickle.dump(performed(part), answers)
        answers.flush()


def performed(part: Callable[[], Outcome]) -> tuple[Outcome | None, str]:
    """What the part gives, or why it gives nothing: a fault in one instrument must not cost the others."""
    try:
        return part(), ""
    except InputError as error:
        return None, str(error)
    except MemoryError:
        return None, "not enough memory"
    except ImportError as error:
        return None, str(missing_package(error) or _fault(error))
    except Exception as error:  # noqa: BLE001 - every failure is reported as not judged
        return None, _fault(error)


def _fault(error: Exception) -> str:
    return f"internal error ({type(error).__name__}: {error})"


if __name__ == "__main__":
    main()
