"""One row of a library's table: which call, what it does, and which of its arguments matter for that."""

from __future__ import annotations

from enum import StrEnum, auto

from assay.patterns import regex
from assay.records import dataclass

_ARGUMENT = regex(r"argument\[(\d+)((?:, *\w+)*)\]$")
_KEYWORD = regex(r"keyword\[(\w+(?:, *\w+)*)\]$")
_RETURN = regex(r"return(?:\[(\d+)\])?$")


class Role(StrEnum):
    """What a call does to rows and to what is learnt from them, or which sort of object it makes."""

    # Objects. A row says `makes = "model"`.
    TRANSFORMER = "transformer"
    STATELESS = "stateless"
    """Changes rows one by one and learns nothing."""
    MODEL = "model"
    NETWORK = "network"
    """A model that goes on learning when it is fitted again."""
    GROUPER = "grouper"
    """Clustering and outlier detection: learns without the outcome, and its answers may become features."""
    PIPELINE = "pipeline"
    SEARCH = "search"
    WRAPPER = "wrapper"
    SPLITTER = "splitter"
    RESAMPLER = "resampler"
    GENERATOR = "generator"
    """Learns from rows, then makes up others like them."""
    STOPPER = "stopper"
    """A callback that chooses by a validation score."""
    LAYER = "layer"
    LOSS = "loss"
    """Called with predictions and the truth, it gives what training minimises."""
    # Functions, and methods of tables. A row says `effect = "reads"`.
    READ = "reads"
    READ_PAIR = "reads_pair"
    """Reads features and outcome."""
    READ_PARTS = "reads_parts"
    """Reads a training and a test part."""
    SPLIT = "splits"
    SPLIT_AT = "splits_at"
    SPLIT_NAMED = "splits_named"
    CROSS_VALIDATE = "cross_validates"
    METRIC = "measures"
    """Compares predictions with the truth and gives a score."""
    COMPUTE_LOSS = "computes_loss"
    """Compares predictions with the truth and gives what training minimises."""
    COMPARE = "compares"
    """Compares two columns value by value."""
    CURVE = "sweeps_thresholds"
    CONCAT = "concatenates"
    STACK = "stacks"
    """Puts columns side by side."""
    STATISTIC = "summarises"
    LEARN = "fits_and_transforms"
    """Learns from all rows it is given and changes them."""
    SAME = "keeps"
    SHUFFLE = "shuffles"
    SAMPLE = "samples"
    POSITIONS = "gives_positions"
    DELETE = "deletes"
    REMAINDER = "subtracts"
    SHIFT = "shifts"
    ROLLING = "rolls"
    TRAIN = "trains"
    """Makes a model and fits it, in one call."""
    LENGTH = "describes"
    """Gives something that says nothing about the content of the rows."""
    BLANK = "allocates"
    """Makes an array of a given size without content."""
    FILL = "fills"
    DROP = "drops"
    GROUP_BY = "groups"
    TRANSFORM_GROUPS = "transforms_groups"
    TO_TIME = "parses_time"
    INDEX_BY = "indexes"
    SORT = "sorts"
    EXPLODE = "explodes"
    DEDUPLICATE = "deduplicates"
    DROP_GAPS = "drops_gaps"
    CUT = "cuts"
    MERGE = "merges"
    TAKE = "takes"
    SKIP = "skips"
    IS_IN = "tests_membership"
    PICK_TYPES = "selects_columns"
    ASSIGN = "assigns"
    INSERT = "inserts"
    """Puts a column into a table, in place."""
    POP = "pops"
    RENAME = "renames"
    ALIGN = "aligns"
    """Gives two tables the same columns, each its own rows."""
    CLONE = "clones"
    HAND_BACK = "passes_on"
    """Gives back what it is given first, as it was: a wrapper for devices, a progress bar, a copy."""
    STORE = "saves"
    """Writes an object to a file, from which the same program may read it back."""
    PLAIN = "nothing"
    """Nothing that matters here."""
    # Methods and attributes of objects that are fitted.
    FIT = "fits"
    FIT_MANY = "fits_many"
    """Fits many models on one part and scores each on another."""
    FIT_TRANSFORM = "fits_then_transforms"
    FIT_PREDICT = "fits_then_predicts"
    TRANSFORM = "transforms"
    PREDICT = "predicts"
    PREDICT_IN_SAMPLE = "predicts_in_sample"
    """Predictions for the very rows of the fit."""
    SCORE = "scores"
    RESAMPLE = "resamples"
    GENERATE = "generates"
    FLOW = "reads_flow"
    """Reads rows, through a generator of altered versions."""
    WEIGH_COLUMNS = "weighs_columns"
    """Says how much each column is worth to what was fitted."""
    NAME_COLUMNS = "names_columns"
    """Says which columns were chosen or made."""
    SAVE_MODEL = "saves_model"
    LOAD_WEIGHTS = "loads_weights"
    TAKE_WEIGHTS = "takes_weights"
    CONFIGURE = "configures"
    """Changes a setting, the device or the precision, and gives the object back."""
    RUN = "runs_graph"
    """Trains or asks a network with the rows that it is fed, by the parts of the graph that are named."""
    DIVIDE = "divides"
    """Gives the positions of the folds."""
    TUNED = "gives_choice"
    """Gives what a search chose by its scores."""
    TUNED_MODEL = "gives_best_model"
    MEMBERS = "gives_members"
    """Gives the models that an ensemble is made of."""
    LABELS = "gives_labels"
    """Gives the group of each row of the fit."""
    HISTORY = "gives_history"
    """Gives what was measured after each round of training."""
    EMBEDDING = "gives_embedding"
    # Randomness.
    SEED = "seeds"
    DRAW = "draws"
    CREATE = "creates_generator"
    LOAD = "loads_batches"
    RESTORE = "restores_weights"
    """Takes weights that an earlier run learnt."""
    OPTIMISE = "optimises"
    """Shows that something is trained."""
    SWITCH = "switches_determinism"
    # Data and tools.
    FETCH = "fetches"
    """Brings a data set."""
    TRACK = "tracks"
    """Belongs to an experiment tracker."""
    SETTINGS = "reads_settings"
    """Belongs to a configuration system."""


RANDOMNESS = frozenset({Role.SEED, Role.DRAW, Role.CREATE, Role.LOAD, Role.RESTORE, Role.OPTIMISE, Role.SWITCH})
"""Roles that say where randomness comes from."""
NOT_ABOUT_ROWS = RANDOMNESS | {Role.FETCH, Role.TRACK, Role.SETTINGS}
"""Roles that say nothing of what becomes of rows."""
OBJECTS = frozenset(list(Role)[: list(Role).index(Role.READ)])
"""Roles of objects: a row names one of them with `makes`."""


class Step(StrEnum):
    """What kind of preparation learns from rows or changes which rows there are."""

    SCALE = auto()
    IMPUTE = auto()
    ENCODE = auto()
    VECTORISE = auto()
    PROJECT = auto()
    DISCRETISE = auto()
    CLUSTER = auto()
    OUTLIER = auto()
    STATISTIC = auto()
    OVERSAMPLE = auto()
    UNDERSAMPLE = auto()
    AUGMENT = auto()
    COPY = auto()
    SELECT = auto()
    VARIANCE = auto()
    CORRELATION = auto()
    TARGET_ENCODE = auto()
    EXPLODE = auto()
    WINDOW = auto()


class How(StrEnum):
    """A particular of a role, where calls of one role differ."""

    NONE = ""
    # splitters
    ROWS = "rows"
    GROUPS = "groups"
    TIME = "time"
    # splits: all training parts first; parts by sizes drawn at random, or by weights
    PART_BY_PART = "part by part"
    RANDOM = "random"
    WEIGHTS = "weights"
    SHARES = "shares"
    """The last part has what the shares leave over."""
    # measures
    ACCURACY = "accuracy"
    # samples
    RESAMPLE = "resample"
    # models
    TRAINER = "trainer"
    """Fits a network that it is given, on loaders or data sets."""
    BEST_ON_EVAL_SET = "best on eval_set"
    """Keeps the best state on the rows that it watches, unless asked not to."""
    SIDE_BY_SIDE = "side by side"
    """Fits dozens of models on one part and scores each on another."""
    TRANSFORMS = "transforms"
    """A fitted model gives its predictions through `transform`."""
    IN_CONSTRUCTOR = "data in the constructor"
    ONLINE = "online"
    """Learns from one row at a time."""
    # cross-validates
    NO_ESTIMATOR = "no estimator"
    FITTED = "fitted"
    """Divides the rows that the model was fitted on."""
    # fetches: what identifies the data set
    BY_NAME = "by its name"
    BY_ARGUMENT = "by its argument"
    IF_DOWNLOADED = "if download is true"
    BY_URL = "by a URL"
    # positions, membership, takes
    WHERE = "where"
    ORDER = "order"
    POSITIONS = "positions"
    FUNCTION = "function"
    BETWEEN = "between"
    MISSING = "missing"
    PRESENT = "present"
    LAST = "last"
    QUERY = "query"
    LABELS = "labels"
    EXTREME = "extreme"
    # shuffles
    IN_PLACE = "in place"
    EVERY_EPOCH = "each pass"
    KEPT = "kept"
    # windows
    SHIFT = "shift"
    ALONG = "along"
    STEP = "step"
    OVERLAP = "overlap"
    SEQUENCE = "sequence"
    # reads and saves
    MODEL = "model"
    HUB = "hub"
    EITHER = "path or rows"
    TABLE = "table"
    ARRAY = "array"
    ARRAYS = "arrays"
    # objects that no row describes
    UNKNOWN = "unknown"
    """The name alone says that it is an object; nobody knows of what sort."""
    GIVEN = "given"
    """Its use alone says that it is a model: a function is given it, or a file or a formula holds it."""
    OWN = "own"
    """The audited code writes its methods."""


class Trait(StrEnum):
    """What else is true of a call or of the object that it makes."""

    KEEPS_LEARNING = "keeps learning"
    """What was learnt before stays when it is fitted again."""
    FITS_PARTS = "fits its parts"
    """Fits the very objects that it is made of; others fit copies."""
    NAMED_COLUMNS = "takes named columns"
    """Drops the columns that it does not name, unless asked to keep them."""
    FORECAST_TABLE = "predicts a table"
    """Gives predictions beside the dates, in columns that it names itself."""
    ALSO_PROJECTS = "also projects"
    """A model that is used to make features as well."""
    WRITES_CHECKPOINTS = "writes checkpoints"
    DOES_NOT_CHOOSE = "does not choose"
    """Watches validation scores and keeps no state by them."""
    OLDER = "of an older version"
    """Newer versions of the library do not have it any more, but programs do."""
    MONITORS = "monitors validation"
    HOLDS_OUT_SHARE = "holds out a share"
    STRATIFIED = "stratified"
    GROUPED = "keeps groups together"
    NETWORK_BASE = "is a base of networks"
    """Classes of the audited code that derive from it are networks."""
    PATIENT = "waits with patience"
    """Stops training after so many rounds without a better score."""
    DRAWS_AT_ONCE = "draws at once"
    """Draws where the object is made (the weights of a layer), not where it is used."""


class Group(StrEnum):
    """What calls, methods and arguments have in common that the interpreter treats alike."""

    GENERATORS = auto()
    """Objects that draw random numbers."""
    SEED_ARGUMENTS = auto()
    """Arguments by which a draw has a seed of its own."""
    VERSIONS = auto()
    """Calls that turn, stretch or blur what they are given."""
    OWN_VERSIONS = auto()
    """Names that say so of a function of the audited code alone: `column.shift` is another matter."""
    LIST_WRAPPERS = auto()
    """Calls that give the items of what they are given."""
    ROW_BY_ROW = auto()
    """Calls by which a loop goes from row to row."""
    GRAPHS = auto()
    """Packages whose data sets are one graph, which holds as masks what is for training and what is for testing."""
    THRESHOLD_CURVES = auto()
    """Measures that go through all thresholds: no point of a curve is a choice."""
    COUNTERS_OF_HITS = auto()
    """Calls by which comparisons of predictions with the truth are counted."""
    STRAIGHT_LINES = auto()
    """Models whose error on training rows is a description."""
    FORGETTING = auto()
    """Calls by which a network forgets, or becomes another."""
    CONTINUING = auto()
    """Calls by which any model adds to what it has learnt."""
    LEARNING_CURVES = auto()
    """Cross-validations that draw a curve."""
    STACKERS = auto()
    """What puts tables together, and not lists or sets."""
    LABELLERS = auto()
    """What puts rows and their labels together."""
    READERS_BACK = auto()
    """Readers of what a program may have written."""
    READERS_OF_SEVERAL = auto()
    """Readers of files that hold several tables: the second argument says which."""
    ARCHIVES = auto()
    """Readers of files that hold several arrays or tables, each under its name."""
    READERS_OF_OBJECTS = auto()
    """Readers of any object: perhaps one table, perhaps several."""
    READERS_OF_NUMBERS = auto()
    """Readers of arrays: one of them that chooses from another holds the places of rows."""
    JOINS_TEXTS = auto()
    """Methods that make one text of several."""
    ORDERS_OF_CHANCE = auto()
    """What gives the positions of all rows in an order of chance."""
    TABLE_PACKAGES = auto()
    """Packages whose readers give a table."""
    INDEXERS = auto()
    """Attributes of a table that choose rows."""
    SPREADS = auto()
    """Statistics of how wide values spread."""
    ROWS_GONE = auto()
    """Calls that sum up or count."""
    BY_COLUMN = auto()
    """Methods that call a function with one column after the other."""
    BY_VALUE = auto()
    """Methods that call a function with one value after the other."""
    OF_ROWS = auto()
    """Methods that call the function they are given with the rows of the table."""
    ENDS = auto()
    """The first or last of some values."""
    VIEWS = auto()
    """Attributes through which a column is changed in place."""
    HARMLESS = auto()
    """Built-in functions that learn nothing."""
    KEEPS_ROWS = auto()
    """Those of them that give one value for each."""
    PASSED_THROUGH = auto()
    """Calls that give the items of their argument."""
    GATHERED = auto()
    """Those of them that read a stream to its end, and keep what they read."""
    PASSES_THE_REST = auto()
    """These call their function with the arguments that follow it."""
    RUNNERS = auto()
    """These call their function as often as the code says. Others that ask for a score look for a better one."""
    RUNS_THE_FIRST = auto()
    """These call their first argument, once; a function that follows is for that one to call."""
    ARRAYS = auto()
    """Calls that make an array of a list."""
    GATHERS = auto()
    """Methods that add one thing."""
    TRANSFORMS = auto()
    """Methods that change rows by what was learnt."""
    MAY_FAIL = auto()
    """Methods that give None where there is nothing to give."""
    SETTINGS_READERS = auto()
    """Calls that read a file of settings."""
    SETTINGS_FORMS = auto()
    """What gives settings another form, to be asked for by attribute."""
    CHANGES = auto()
    """Methods that change a list or a set."""
    EMBEDDINGS = auto()
    """Models that learn what words are like."""
    AXIS_FIRST = auto()
    """Statistics whose first argument beside the rows is the axis."""
    GAPS = auto()
    """Calls that ask what is missing."""
    SUMMED = auto()
    """Calls that sum up what is missing."""
    WORD_VIEWS = auto()
    """Methods that give the words of counts."""
    AS_WIDE = auto()
    """Arrays of which numbers only tell how wide they are: `np.eye(outcome.max() + 1)`."""
    SETS_MODE = auto()
    """Methods that set a network to its task."""
    TRAINING_MEASURES = auto()
    """What keras calls measures of the training rows; those of the watched rows begin with `val_`."""
    WHICH = auto()
    """These ask which one is best, not how good it is."""
    SORTS = auto()
    """Methods that put in order."""
    ORDERS = auto()
    """Calls that put in order."""
    BEST = auto()
    """Calls that ask for the best."""
    GROUPS = auto()
    """Methods that put rows in groups."""
    EXTREMES = auto()
    """The largest or smallest of some values."""
    FRAMES = auto()
    """Calls that say how far a picture reaches."""
    REPORTS = auto()
    """By these a trial tells its score to the search that started it."""
    GAUGES = auto()
    """Methods of objects that gather a measure."""
    SCORING_METHODS = auto()
    """Methods of models that are given the truth second."""
    STATES = auto()
    """What a network has learnt so far."""
    KEPT = auto()
    """Calls that keep the state of a model."""
    COUNT_FIRST = auto()
    """Their first argument says how many to take, the second by which column."""
    QUANTILES = auto()
    """Settings that choose a quantile."""
    SEED_SETTINGS = auto()
    """Settings that are seeds."""


class Use(StrEnum):
    """What a port of a call is for."""

    ROWS = auto()
    """The rows that are transformed, predicted or scored."""
    LEARNS = auto()
    """The rows that something is learnt from."""
    TARGET = auto()
    """Their outcome."""
    WATCHES = auto()
    """Rows that training watches."""
    SIZES = auto()
    """How large the parts of a split are."""
    NETWORK = auto()
    """The network that a trainer is given."""
    GIVES = auto()
    """Where the result comes out."""
    SEED = auto()


class Place(StrEnum):
    """Where a port is."""

    ARGUMENT = auto()
    RECEIVER = auto()
    RETURN = auto()


@dataclass(frozen=True, slots=True)
class Port:
    """Where something enters or leaves a call: `argument[0, X]`, `keyword[eval_set]`, `receiver`, `return[1]`."""

    place: Place
    position: int = -1
    """-1: by keyword only; or the whole of what is returned."""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """An argument that must have one of these values for the row to hold; without values, any will do."""

    port: Port
    values: tuple[object, ...]
    absent: bool = False
    """Whether the row holds where the argument is left out."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one call does."""

    library: str
    path: str
    """The name of the call inside its library, as `train_test_split` or `H2OEstimator.train`."""
    role: Role
    step: Step | None = None
    supervised: bool = False
    how: How = How.NONE
    ports: tuple[tuple[Use, Port], ...] = ()
    when: tuple[Condition, ...] = ()
    type: str = ""
    """For rows that make an object: the type whose methods it has."""
    traits: frozenset[Trait] = frozenset()
    asks: str = ""
    """The method by which a data module or the network hands out the rows, where no port has them."""
    below: tuple[str, ...] = ()
    """The modules that the call is below, where its library does not identify it."""
    streams: tuple[str, ...] = ()
    """The random generators that a call seeds, draws from or creates."""
    falls_back: str = ""
    """The generator that a draw without a seed of its own uses."""
    absent: str = ""
    """How fixed the seed is when it is left out."""
    absent_value: str = ""
    receivers: str | None = None
    """A pattern for the object whose method is called."""
    route: str = ""
    """For calls that fetch data: from a library, bundled, generated, by a URL."""
    folds: int | None = None
    """How many folds a splitter makes by default."""
    share: str = ""
    """The share of the rows that is held out by default, as a fraction."""
    tool: str = ""
    """The tracker or configuration system that a module or class belongs to."""

    def port(self, use: Use) -> Port | None:
        """The port for this use, if the row names one."""
        return next((port for known, port in self.ports if known is use), None)


def parse_port(text: str) -> Port | None:
    """The port that a text stands for; None where it is not one."""
    if text == Place.RECEIVER:
        return Port(Place.RECEIVER)
    if found := _ARGUMENT.match(text):
        names = tuple(name.strip() for name in found[2].split(",")[1:])
        return Port(Place.ARGUMENT, int(found[1]), names)
    if found := _KEYWORD.match(text):
        return Port(Place.ARGUMENT, -1, tuple(name.strip() for name in found[1].split(",")))
    if found := _RETURN.match(text):
        return Port(Place.RETURN, -1 if found[1] is None else int(found[1]))
    return None
