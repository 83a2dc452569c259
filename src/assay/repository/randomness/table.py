"""Which calls seed, draw or make random numbers, from the tables of libraries. To add a framework, add rows there."""

from __future__ import annotations

from collections.abc import Iterator

from assay.libraries import row as libraries
from assay.libraries.catalogue import catalogue
from assay.repository.randomness.facts import Framework, State
from assay.repository.randomness.roles import Argument, Condition, Role, Row

EVERYWHERE = (Framework.PYTHON, Framework.NUMPY, Framework.TORCH, Framework.CUDA)
_ROLES = {
    libraries.Role.SEED: Role.SEEDS,
    libraries.Role.DRAW: Role.DRAWS,
    libraries.Role.CREATE: Role.CREATES,
    libraries.Role.OPTIMISE: Role.FITS,
    libraries.Role.LOAD: Role.LOADS,
    libraries.Role.RESTORE: Role.RESTORES,
    libraries.Role.SWITCH: Role.SWITCHES,
}


def _rows() -> Iterator[Row]:
    """The rows about randomness of all libraries, one for each module that they hold below."""
    for names, row in catalogue().rows(libraries.RANDOMNESS):
        for package in row.below or ("",):
            yield Row(
                package,
                " ".join(names),
                _ROLES[row.role],
                tuple(map(Framework, row.streams)),
                _argument(row.port(libraries.Use.SEED)),
                State(row.absent) if row.absent else State.NONE,
                row.absent_value,
                Framework(row.falls_back) if row.falls_back else None,
                _condition(row),
                libraries.Trait.DRAWS_AT_ONCE in row.traits,
                row.receivers,
            )


def _argument(port: libraries.Port | None) -> Argument | None:
    if port is None:
        return None
    return Argument(port.names[0], None if port.position < 0 else port.position)


def _condition(row: libraries.Row) -> Condition | None:
    if not row.when:
        return None
    (condition,) = row.when
    argument = _argument(condition.port)
    return None if argument is None else Condition(argument, condition.values, condition.absent)


ROWS: tuple[Row, ...] = tuple(_rows())

HELPER = Row("", "", Role.SEEDS, (*EVERYWHERE, Framework.TENSORFLOW), Argument("seed", 0))
"""A function from outside whose name alone says that it seeds; see `lookup.is_seeding_name`."""

TRANSPARENT = frozenset(
    {
        "int", "str", "float", "abs", "hash", "round", "min", "max", "sum", "range", "list", "tuple", "sorted", "set",
        "enumerate", "zip", "reversed", "numpy.uint32", "numpy.int32", "numpy.int64", "numpy.array", "numpy.arange",
        "numpy.random.SeedSequence", "numpy.random.PCG64", "numpy.random.MT19937", "numpy.random.Philox",
        "numpy.random.SFC64", "jax.random.split", "jax.random.fold_in", "copy.deepcopy", "copy.copy", "torch.tensor",
    }
)  # fmt: skip
"""Functions whose result is as fixed as their arguments."""
VARYING = frozenset(
    {
        "time.time", "time.time_ns", "time.perf_counter", "time.perf_counter_ns", "time.monotonic", "time.clock",
        "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.now", "os.urandom",
        "os.getpid", "uuid.uuid4", "uuid.uuid1", "random.SystemRandom", "torch.seed", "id",
    }
)  # fmt: skip
"""Functions whose result is another one in each run."""
DERIVED = {"torch.initial_seed": Framework.TORCH, "torch.random.initial_seed": Framework.TORCH}
"""Functions that hand on another stream's seed."""
FLAGS = frozenset(
    {
        "torch.backends.cudnn.deterministic", "torch.backends.cudnn.benchmark", "torch.backends.cudnn.enabled",
        "torch.backends.cudnn.allow_tf32", "torch.backends.cuda.matmul.allow_tf32",
    }
)  # fmt: skip
FLAG_VARIABLES = frozenset(
    {"PYTHONHASHSEED", "CUBLAS_WORKSPACE_CONFIG", "TF_DETERMINISTIC_OPS", "TF_CUDNN_DETERMINISTIC"}
)
DYNAMIC = frozenset({"instantiate", "import_module", "__import__", "locate", "import_string", "get_class"})
"""Functions that make something from a name in a configuration: whatever the repository has may be reached."""
