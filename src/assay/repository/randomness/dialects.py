"""How languages that are read as text express randomness. To add a language, add a dialect."""

from __future__ import annotations

import re
from functools import cache

from assay.patterns import regex
from assay.records import dataclass
from assay.repository.randomness.facts import Framework

_ELSEWHERE = regex(r"\b(?:function\b.*\(|rng\b)")


@dataclass(frozen=True, slots=True)
class Dialect:
    """One stream of random numbers in one language; the patterns of calls have one group at most."""

    framework: Framework
    seeds: re.Pattern[str]
    draws: re.Pattern[str]
    includes: re.Pattern[str]
    fits: re.Pattern[str]
    varying: re.Pattern[str]
    nothing: frozenset[str]
    elsewhere: re.Pattern[str] = _ELSEWHERE
    """Lines that define something, or draw from a generator of their own: no draws from the common stream."""
    comment: str = "#"
    ending: str = ""
    """What modules are called as files, where they are pulled in by dotted names."""
    main: re.Pattern[str] | None = None
    """What a file has that is run by itself, where most are only pulled in."""


@cache
def r() -> Dialect:
    """R."""
    return Dialect(
        Framework.R,
        regex(r"\b(set\.seed|with_seed|local_seed|torch_manual_seed|set_random_seed|use_session_with_seed)\("),
        regex(
            r"(?<![\w.])(sample(?:_n|_frac|\.int|\.split)?|slice_sample|r(?:norm|unif|binom|pois|exp|gamma|beta|t|chisq|"
            r"multinom|geom|weibull|cauchy|logis|lnorm|nbinom)|mvrnorm|rmvnorm|kmeans|randomForest|ranger|cforest|boot|"
            r"createDataPartition|createFolds|createMultiFolds|createResample|initial_split|vfold_cv|bootstraps|mc_cv|"
            r"group_vfold_cv|cv\.glmnet|train|gbm|nnet|neuralnet|Rtsne|umap|jitter|xgb\.cv|bartMachine|stan|brm|rpart|"
            r"rand_forest|tune_grid|layer_dense|nn_linear|shuffle|runif|h2o\.(?:randomForest|gbm|deeplearning|splitFrame)|"
            r"(?:LDA|LatentDirichletAllocation|GlobalVectors|GloVe)(?:\$new)?)\("
        ),
        regex(
            r"\b(?:source\([ ]*|(?:training|tuning)_run\([ ]*|file[ ]?=[ ]?(?=[\"'][^\"'\n]{1,200}\.[rR][\"']))"
            r"[\"']([^\"'\n]{1,200})[\"']"
        ),
        regex(
            r"(?<![\w.])(train|randomForest|ranger|glm|lm|fit|fit_transform|xgboost|xgb\.train|gbm|nnet|cv\.glmnet|rpart)\("
        ),
        regex(r"Sys\.time|Sys\.getpid|proc\.time|date\("),
        frozenset({"NULL", ""}),
    )


@cache
def julia() -> Dialect:
    """Julia."""
    return Dialect(
        Framework.JULIA,
        regex(r"(?<!\w)((?:Random\.)?seed!|(?:Random\.)?srand|MersenneTwister|Xoshiro|StableRNG|TaskLocalRNG)\("),
        regex(
            r"(?<![\w.])((?:Random\.)?(?:rand|randn|randexp|randperm|shuffle|randsubseq|randstring)!?|sample!?|glorot_uniform|"
            r"Dense|Conv|LSTM|GRU|RNN|Dropout|DataLoader|kmeans|RandomForestClassifier|partition|splitobs|shuffleobs)\("
        ),
        regex(r"\binclude\([ ]*(?:joinpath\([^\"\n]{0,100})?\"([^\"\n]{1,200})\""),
        regex(
            r"(?<!\w)(train!|fit!|machine|Optimisers\.setup|gradient|sciml_train|OptimizationProblem|optimize|learn!)\("
        ),
        regex(r"\btime\(|time_ns\(|now\(|RandomDevice"),
        frozenset({"nothing", ""}),
    )


@cache
def lua() -> Dialect:
    """Torch 7."""
    return Dialect(
        Framework.TORCH,
        regex(r"(?<![\w.])(torch\.manualSeed|math\.randomseed)\("),
        regex(
            r"(?<![\w.])(torch\.(?:rand|randn|randperm|multinomial|uniform|normal|bernoulli|random)|math\.random|"
            r"(?:cu|cud)?nn\.(?:Linear\w*|Spatial(?:Full|Dilated)?Convolution\w*|Temporal\w*Convolution|LookupTable|"
            r"\w*Dropout|\w*LSTM|GRU))\("
        ),
        regex(r"\b(?:require|dofile|paths\.dofile)[ ]*\(?[ ]*[\"']([^\"'\n]{1,200})[\"']"),
        regex(r"(:backward|optim\.\w+|:updateParameters)\("),
        regex(r"os\.time|os\.clock|torch\.initialSeed|sys\.clock"),
        frozenset({"nil", ""}),
        regex(r"\bfunction\b"),
        "--",
        ".lua",
        regex(r"\btorch\.CmdLine\b|\blapp\b|\bcmd:option\b|\barg\[|\bos\.getenv\b|\boptim\.(?:sgd|adam|rmsprop)\("),
    )


@cache
def old_python() -> tuple[Dialect, ...]:
    """Python that no parser of today takes, one dialect for each stream."""
    streams = (
        (
            Framework.PYTHON,
            r"(?<![\w.])(random\.seed)\(",
            r"(?<![\w.])(random\.(?:random|randint|choice|shuffle|sample|uniform|gauss))\(",
        ),
        (
            Framework.NUMPY,
            r"(?<![\w.])((?:np|numpy)\.random\.(?:seed|RandomState|default_rng))\(",
            (
                r"(?<![\w.])((?:(?:np|numpy)\.random|\w*rng|random_state)\.(?:rand|randn|randint|random|choice|shuffle|permutation|"
                r"uniform|normal|binomial|multivariate_normal|random_sample))\("
            ),
        ),
        (
            Framework.TORCH,
            r"(?<![\w.])(torch\.manual_seed)\(",
            (
                r"(?<![\w.])(torch\.(?:rand|randn|randint|randperm)|nn\.(?:Linear|Conv\dd|ConvTranspose\dd|LSTM|GRU|Embedding|"
                r"Dropout\w*))\("
            ),
        ),
        (
            Framework.TENSORFLOW,
            r"(?<![\w.])(tf\.(?:set_random_seed|random\.set_seed))\(",
            (
                r"(?<![\w.])(tf\.(?:random_normal|random_uniform|truncated_normal|get_variable|nn\.dropout)|Dense|Conv2D|"
                r"Convolution2D|LSTM|Dropout|Embedding)\("
            ),
        ),
    )
    return tuple(
        Dialect(
            framework,
            regex(seeds),
            regex(draws),
            regex(r"^\s*(?:from|import)\s+([\w.]{1,200})"),
            regex(r"\.(backward|fit|fit_generator|minimize|apply_gradients|grad)\("),
            regex(r"time\.time|random\.randint|urandom|getpid|datetime"),
            frozenset({"None", ""}),
            regex(r"^\s*(?:def|class|import|from)\b"),
            ending=".py",
            main=regex(r"__main__|^(?:for|while)\b", re.MULTILINE),
        )
        for framework, seeds, draws in streams
    )
