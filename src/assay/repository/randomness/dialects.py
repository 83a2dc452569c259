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
