"""Which calls seed, draw or make random numbers. To add a framework, add rows."""

from __future__ import annotations

from assay.repository.randomness.facts import Framework, State
from assay.repository.randomness.roles import Argument, Condition, Role, Row

_F = Framework
EVERYWHERE = (_F.PYTHON, _F.NUMPY, _F.TORCH, _F.CUDA)


_SEED = Argument("seed", 0)
_STATE = Argument("random_state")
_GENERATOR = Argument("generator")
_SHUFFLED = Condition(Argument("shuffle"), (True,), absent=True)
_IF_SHUFFLED = Condition(Argument("shuffle"), (True,), absent=False)
_ARRAYS = r"^(?:\w+\.)?(?:np|xp|numpy)\.random$"
"""numpy, or a library like it, under its usual names in a variable."""
_ENVIRONMENTS = r"(?:^|[._])(?:env|envs|environment|action_space|observation_space)(?:_?\w*)?(?:\[\])?$"


def _seeds(package: str, names: str, *frameworks: Framework, seed: Argument = _SEED) -> Row:
    return Row(package, names, Role.SEEDS, frameworks, seed)


def _draws(package: str, names: str, framework: Framework, seed: Argument | None = None) -> Row:
    return Row(package, names, Role.DRAWS, (framework,), seed, fallback=framework)


def _creates(package: str, names: str, framework: Framework, seed: Argument = _SEED) -> Row:
    return Row(package, names, Role.CREATES, (framework,), seed)


def _sklearn(names: str, only: Condition | None = None, package: str = "sklearn") -> Row:
    return Row(package, names, Role.DRAWS, (_F.SKLEARN,), _STATE, fallback=_F.NUMPY, only=only)


def _methods(package: str, names: str, framework: Framework, seed: Argument | None = None) -> Row:
    return Row(package, names, Role.DRAWS, (framework,), seed, fallback=framework, receivers="")


_TORCH_LAYERS = """
    Linear LazyLinear Bilinear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv2d RNN
    LSTM GRU RNNCell LSTMCell GRUCell Embedding EmbeddingBag MultiheadAttention Transformer TransformerEncoder
    TransformerEncoderLayer TransformerDecoder TransformerDecoderLayer
"""
_TORCH_DROPOUT = """
    Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FractionalMaxPool2d dropout dropout1d dropout2d dropout3d
    alpha_dropout feature_dropout gumbel_softmax rrelu
"""
_KERAS_LAYERS = """
    Dense Conv1D Conv2D Conv3D Conv1DTranspose Conv2DTranspose Conv3DTranspose Convolution1D Convolution2D
    SeparableConv1D SeparableConv2D DepthwiseConv2D LocallyConnected1D LSTM GRU SimpleRNN LSTMCell GRUCell
    CuDNNLSTM CuDNNGRU ConvLSTM2D Embedding MultiHeadAttention Attention Dropout SpatialDropout1D SpatialDropout2D
    AlphaDropout GaussianNoise GaussianDropout RandomFlip RandomRotation RandomZoom RandomCrop RandomTranslation
    RandomContrast RandomNormal RandomUniform TruncatedNormal GlorotNormal GlorotUniform HeNormal HeUniform
    Orthogonal VarianceScaling ImageDataGenerator EinsumDense
"""
_PYTHON_DRAWS = """
    random randint randrange choice choices shuffle sample uniform gauss normalvariate lognormvariate betavariate
    expovariate gammavariate paretovariate vonmisesvariate weibullvariate triangular getrandbits randbytes
"""
_NUMPY_DRAWS = """
    rand randn randint random random_sample random_integers ranf sample bytes choice shuffle permutation beta binomial
    chisquare dirichlet exponential f gamma geometric gumbel hypergeometric laplace logistic lognormal logseries
    multinomial multivariate_normal negative_binomial noncentral_chisquare noncentral_f normal pareto poisson power
    rayleigh standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular uniform
    vonmises wald weibull zipf
"""
_TENSORLAYER = ("tensorlayer", "tensorlayerx")
_LIGHTNING = ("pytorch_lightning", "lightning", "lightning_fabric", "lightning_lite")
_HF_TRAINERS = """
    Trainer Seq2SeqTrainer SFTTrainer DPOTrainer RewardTrainer PPOTrainer GRPOTrainer ORPOTrainer KTOTrainer
    SentenceTransformerTrainer TrainingArguments Seq2SeqTrainingArguments SFTConfig DPOConfig GRPOConfig
    SentenceTransformerTrainingArguments
"""

ROWS: tuple[Row, ...] = (
    # Python's own
    _seeds("random", "seed", _F.PYTHON, seed=Argument("a", 0)),
    _draws("random", _PYTHON_DRAWS, _F.PYTHON),
    _creates("random", "Random", _F.PYTHON, Argument("x", 0)),
    # numpy and what draws from its global stream
    _seeds("numpy.random", "seed", _F.NUMPY),
    _draws("numpy.random", _NUMPY_DRAWS, _F.NUMPY),
    _creates("numpy.random", "default_rng RandomState", _F.NUMPY),
    _creates("sklearn.utils", "check_random_state", _F.NUMPY),
    _creates("numpy.random", "Generator", _F.NUMPY, Argument("bit_generator", 0)),
    Row("", "seed", Role.SEEDS, (_F.NUMPY,), _SEED, receivers=_ARRAYS),
    Row("", _NUMPY_DRAWS, Role.DRAWS, (_F.NUMPY,), fallback=_F.NUMPY, receivers=_ARRAYS),
    _draws("scipy.stats", "rvs", _F.NUMPY, _STATE),
    _draws("scipy.sparse", "random rand", _F.NUMPY, _STATE),
    *(Row("pandas", "sample", Role.DRAWS, (_F.NUMPY,), _STATE, fallback=_F.NUMPY, receivers="",
          only=Condition(Argument(size), (), absent=False)) for size in ("n", "frac")),
    _draws("albumentations", "Compose", _F.PYTHON),
    _draws("imgaug", "Sequential", _F.NUMPY),
    _seeds("imgaug", "seed", _F.NUMPY, seed=Argument("entropy", 0)),
    _draws("networkx", "erdos_renyi_graph gnp_random_graph barabasi_albert_graph watts_strogatz_graph "
           "random_regular_graph spring_layout stochastic_block_model powerlaw_cluster_graph", _F.PYTHON,
           Argument("seed")),
    _creates("optuna", "TPESampler RandomSampler CmaEsSampler NSGAIISampler QMCSampler", _F.NUMPY, Argument("seed")),
    _creates("hyperopt", "fmin", _F.NUMPY, Argument("rstate")),
    # torch
    _seeds("torch", "manual_seed", _F.TORCH, _F.CUDA),
    _seeds("torch.cuda", "manual_seed manual_seed_all", _F.CUDA),
    Row("torch", "seed", Role.SEEDS, (_F.TORCH, _F.CUDA), absent=State.VARYING, absent_value="torch.seed()"),
    _draws("torch", "rand randn randint randperm rand_like randn_like randint_like normal bernoulli multinomial "
           "poisson", _F.TORCH, _GENERATOR),
    Row("torch.nn", _TORCH_LAYERS, Role.DRAWS, (_F.TORCH,), fallback=_F.TORCH, weights=True),
    _draws("torch.nn", _TORCH_DROPOUT, _F.TORCH),
    _draws("torch.nn.init", "uniform_ normal_ trunc_normal_ xavier_uniform_ xavier_normal_ kaiming_uniform_ "
           "kaiming_normal_ orthogonal_ sparse_ xavier_uniform xavier_normal kaiming_uniform kaiming_normal uniform "
           "normal orthogonal", _F.TORCH, _GENERATOR),
    _draws("torch.distributions", "*", _F.TORCH),
    Row("torch", "DataLoader", Role.DRAWS, (_F.TORCH,), _GENERATOR, fallback=_F.TORCH,
        only=Condition(Argument("shuffle", 2), (True,), absent=False)),
    Row("torch", "DataLoader", Role.LOADS),
    _draws("torch", "random_split RandomSampler WeightedRandomSampler SubsetRandomSampler", _F.TORCH, _GENERATOR),
    Row("torchvision.models", "*", Role.DRAWS, (_F.TORCH,), fallback=_F.TORCH,
        only=Condition(Argument("pretrained", 0), (False,), absent=True)),
    _draws("torchvision.transforms", "RandomCrop RandomResizedCrop RandomHorizontalFlip RandomVerticalFlip "
           "RandomRotation RandomAffine RandomErasing RandomPerspective RandomGrayscale RandomApply RandomChoice "
           "RandomOrder RandAugment AutoAugment TrivialAugmentWide ColorJitter GaussianBlur RandomInvert", _F.TORCH),
    _draws("timm", "create_model", _F.TORCH),
    _draws("segmentation_models_pytorch", "*", _F.TORCH),
    _draws("torch_geometric.nn", "*", _F.TORCH),
    _methods("torch", "normal_ uniform_ random_ bernoulli_ exponential_ log_normal_ cauchy_ geometric_", _F.TORCH,
             _GENERATOR),
    Row("torch", "Generator", Role.CREATES, (_F.TORCH,), absent=State.FIXED, absent_value="67280421310721"),
    Row("torch", "use_deterministic_algorithms set_deterministic", Role.SWITCHES, seed=Argument("mode", 0)),
    # helpers that seed several streams at once
    *(_seeds(package, "seed_everything", *EVERYWHERE) for package in (*_LIGHTNING, "torch_geometric", "lightly")),
    _seeds("transformers", "set_seed enable_full_determinism", *EVERYWHERE, _F.TENSORFLOW),
    _seeds("accelerate", "set_seed", *EVERYWHERE),
    *(Row(package, _HF_TRAINERS, Role.SEEDS, EVERYWHERE, Argument("seed"), State.DEFAULT, "42")
      for package in ("transformers", "trl", "sentence_transformers", "peft")),
    *(_seeds(package, "set_random_seed", *EVERYWHERE) for package in ("mmcv", "mmengine", "mmdet", "mmseg", "mmcls",
                                                                     "mmpretrain", "stable_baselines3")),
    _seeds("fastai", "set_seed", *EVERYWHERE, seed=Argument("s", 0)),
    _seeds("detectron2", "seed_all_rng", *EVERYWHERE),
    Row("detectron2", "default_setup", Role.SEEDS, EVERYWHERE, absent=State.VARYING, absent_value="cfg.SEED"),
    _seeds("ignite", "manual_seed", *EVERYWHERE),
    _seeds("timm", "random_seed", *EVERYWHERE),
    _seeds("fairseq", "set_torch_seed", _F.TORCH, _F.CUDA),
    Row("monai", "set_determinism", Role.SEEDS, EVERYWHERE, _SEED, State.FIXED, "numpy.iinfo(numpy.uint32).max"),
    *(Row(package, "PPO A2C DQN SAC TD3 DDPG TRPO RecurrentPPO TQC QRDQN", Role.SEEDS, (*EVERYWHERE, _F.GYM),
          Argument("seed"), State.MISSING) for package in ("stable_baselines3", "sb3_contrib", "stable_baselines")),
    *(Row(package, "PPO A2C DQN SAC TD3 DDPG TRPO RecurrentPPO TQC QRDQN", Role.DRAWS, (_F.TORCH,), Argument("seed"),
          fallback=_F.TORCH) for package in ("stable_baselines3", "sb3_contrib")),
    # TensorFlow and Keras
    _seeds("tensorflow", "set_random_seed set_seed", _F.TENSORFLOW),
    *(_seeds(package, "set_random_seed", _F.TENSORFLOW, _F.PYTHON, _F.NUMPY)
      for package in ("tensorflow.keras.utils", "keras.utils", "tf_keras.utils", "tensorflow.python.keras.utils")),
    _draws("tensorflow.random", "normal uniform truncated_normal shuffle categorical gamma poisson stateless_binomial",
           _F.TENSORFLOW, Argument("seed")),
    _draws("tensorflow", "random_normal random_uniform truncated_normal random_shuffle multinomial random_gamma "
           "random_crop random_normal_initializer random_uniform_initializer truncated_normal_initializer "
           "glorot_uniform_initializer glorot_normal_initializer xavier_initializer get_variable",
           _F.TENSORFLOW, Argument("seed")),
    _draws("tensorflow.nn", "dropout", _F.TENSORFLOW, Argument("seed")),
    _draws("tensorflow.layers", "dense conv1d conv2d conv3d conv2d_transpose dropout", _F.TENSORFLOW),
    _draws("tensorflow.contrib", "fully_connected conv2d convolution2d dropout BasicLSTMCell LSTMCell",
           _F.TENSORFLOW),
    _draws("tensorflow.image", "random_flip_left_right random_crop random_brightness random_contrast random_hue "
           "random_saturation random_flip_up_down", _F.TENSORFLOW, Argument("seed")),
    *(_draws(package, _KERAS_LAYERS, _F.TENSORFLOW, Argument("seed")) for package in ("tensorflow", "keras",
                                                                                     "tf_keras")),
    *(_draws(package, "*", _F.TENSORFLOW) for package in ("tensorflow.keras.applications", "keras.applications")),
    _draws("tf_slim", "conv2d fully_connected dropout", _F.TENSORFLOW),
    _creates("tensorflow.random", "from_seed", _F.TENSORFLOW),
    Row("tensorflow.random", "from_non_deterministic_state", Role.CREATES, (_F.TENSORFLOW,)),
    Row("tensorflow", "enable_op_determinism", Role.SWITCHES),
    # JAX: every draw takes a key, so the keys' seeds are what matters
    _creates("jax.random", "PRNGKey key", _F.JAX),
    _creates("haiku", "PRNGSequence", _F.JAX, Argument("key_or_seed", 0)),
    _creates("flax.nnx", "Rngs", _F.JAX, Argument("default", 0)),
    # scikit-learn; without `random_state` it draws from numpy's global stream
    _sklearn("train_test_split", _SHUFFLED),
    _sklearn("ShuffleSplit StratifiedShuffleSplit GroupShuffleSplit RepeatedKFold RepeatedStratifiedKFold "
             "RandomizedSearchCV HalvingRandomSearchCV permutation_test_score ParameterSampler"),
    _sklearn("KFold StratifiedKFold StratifiedGroupKFold", _IF_SHUFFLED),
    _sklearn("RandomForestClassifier RandomForestRegressor ExtraTreesClassifier ExtraTreesRegressor "
             "GradientBoostingClassifier GradientBoostingRegressor AdaBoostClassifier AdaBoostRegressor "
             "BaggingClassifier BaggingRegressor IsolationForest RandomTreesEmbedding DecisionTreeClassifier "
             "DecisionTreeRegressor ExtraTreeClassifier ExtraTreeRegressor"),
    _sklearn("MLPClassifier MLPRegressor BernoulliRBM SGDClassifier SGDRegressor Perceptron "
             "PassiveAggressiveClassifier PassiveAggressiveRegressor LinearSVC RANSACRegressor TheilSenRegressor"),
    _sklearn("LogisticRegression LogisticRegressionCV", Condition(Argument("solver"), ("sag", "saga", "liblinear"),
                                                                  absent=False)),
    _sklearn("SVC NuSVC", Condition(Argument("probability"), (True,), absent=False)),
    _sklearn("Ridge RidgeClassifier", Condition(Argument("solver"), ("sag", "saga"), absent=False)),
    _sklearn("Lasso ElasticNet LassoCV ElasticNetCV", Condition(Argument("selection"), ("random",), absent=False)),
    _sklearn("KMeans MiniBatchKMeans BisectingKMeans SpectralClustering SpectralBiclustering SpectralCoclustering "
             "GaussianMixture BayesianGaussianMixture TSNE MDS k_means"),
    _sklearn("NMF MiniBatchNMF LatentDirichletAllocation FastICA DictionaryLearning MiniBatchDictionaryLearning "
             "TruncatedSVD GaussianRandomProjection SparseRandomProjection RBFSampler Nystroem AdditiveChi2Sampler "
             "randomized_svd"),
    _sklearn("PCA", Condition(Argument("svd_solver"), ("randomized",), absent=False)),
    _sklearn("IterativeImputer permutation_importance mutual_info_classif mutual_info_regression resample shuffle"),
    _sklearn("make_blobs make_classification make_regression make_moons make_circles make_swiss_roll make_s_curve "
             "make_friedman1 make_sparse_uncorrelated make_gaussian_quantiles make_multilabel_classification "
             "make_biclusters make_low_rank_matrix"),
    _sklearn("fetch_olivetti_faces fetch_20newsgroups", _IF_SHUFFLED),
    _sklearn("SMOTE ADASYN BorderlineSMOTE SVMSMOTE RandomOverSampler RandomUnderSampler SMOTEENN SMOTETomek "
             "BalancedRandomForestClassifier", package="imblearn"),
    _sklearn("UMAP", package="umap"),
    # environments of reinforcement learning
    *(_draws(package, "make make_vec", _F.GYM) for package in ("gym", "gymnasium")),
    *(_draws(package, "SyncVectorEnv AsyncVectorEnv", _F.GYM) for package in ("gym", "gymnasium")),
    _draws("stable_baselines3", "make_vec_env make_atari_env", _F.GYM, Argument("seed")),
    Row("", "seed", Role.SEEDS, (_F.GYM,), _SEED, receivers=_ENVIRONMENTS),
    Row("", "reset", Role.SEEDS, (_F.GYM,), Argument("seed"), State.MISSING, receivers=_ENVIRONMENTS),
    # other frameworks
    _seeds("cupy.random", "seed", _F.CUPY),
    _draws("cupy.random", _NUMPY_DRAWS, _F.CUPY),
    _seeds("dgl", "seed", _F.DGL, seed=Argument("val", 0)),
    _draws("dgl", "DataLoader NodeDataLoader NeighborSampler MultiLayerNeighborSampler random_walk", _F.DGL),
    _seeds("mxnet.random", "seed", _F.MXNET, seed=Argument("seed_state", 0)),
    _draws("mxnet", "Dense Conv2D Dropout Embedding LSTM Xavier Normal Uniform", _F.MXNET),
    _seeds("paddle", "seed", _F.PADDLE),
    _draws("paddle", "Linear Conv2D Conv1D Dropout Embedding LSTM GRU rand randn randint randperm uniform normal",
           _F.PADDLE),
    _seeds("mindspore", "set_seed", _F.MINDSPORE),
    _draws("mindspore.nn", "Dense Conv2d Dropout Embedding LSTM", _F.MINDSPORE),
    *(_seeds(package, "set_random_seed set_seed", _F.TENSORFLOW) for package in _TENSORLAYER),
    *(_draws(package, "Dense Linear Conv1d Conv2d Conv3d DeConv2d Embedding LSTMRNN GRURNN RNN LSTM GRU Dropout "
             "DenseLayer Conv2dLayer DropoutLayer EmbeddingInputlayer crop flip_axis rotation shift zoom RandomCrop",
             _F.TENSORFLOW) for package in _TENSORLAYER),
    _draws("tflearn", "fully_connected conv_1d conv_2d dropout lstm gru embedding", _F.TENSORFLOW),
    _draws("sonnet", "Linear Conv1D Conv2D Conv2DTranspose LSTM GRU Embed", _F.TENSORFLOW),
    _draws("chainer", "Linear Convolution2D Deconvolution2D EmbedID LSTM NStepLSTM dropout", _F.NUMPY),
    _seeds("lasagne.random", "set_rng", _F.NUMPY, seed=Argument("new_rng", 0)),
    _draws("lasagne.layers", "DenseLayer Conv1DLayer Conv2DLayer Conv2DDNNLayer LSTMLayer GRULayer EmbeddingLayer "
           "DropoutLayer dropout", _F.NUMPY),
    _creates("theano", "RandomStreams", _F.NUMPY),
    Row("theano", "MRG_RandomStreams", Role.CREATES, (_F.NUMPY,), _SEED, State.FIXED, "12345"),
    Row("gensim", "Word2Vec Doc2Vec FastText", Role.CREATES, (_F.NUMPY,), Argument("seed"), State.FIXED, "1"),
    _draws("gensim", "LdaModel LdaMulticore", _F.NUMPY, _STATE),
    # signs that weights come from an earlier run
    Row("", "load_weights load_state_dict restore load_model from_pretrained load_npz load_parameters load_params",
        Role.RESTORES, receivers=""),
    # signs that something is trained
    Row("", "backward fit fit_generator train_on_batch partial_fit minimize learn fit_one_cycle apply_gradients",
        Role.FITS, receivers=""),
    Row("torch.optim", "*", Role.FITS),
    Row("tensorflow", "Estimator TPUEstimator GradientTape gradients AdamOptimizer GradientDescentOptimizer "
        "MomentumOptimizer RMSPropOptimizer AdagradOptimizer", Role.FITS),
    Row("optax", "*", Role.FITS),
    Row("gensim", "Word2Vec Doc2Vec FastText LdaModel LdaMulticore", Role.FITS),
    *(Row(package, "Trainer LightningCLI", Role.FITS) for package in _LIGHTNING),
    *(Row(package, _HF_TRAINERS, Role.FITS) for package in ("transformers", "trl", "sentence_transformers")),
    *(Row(package, _HF_TRAINERS, Role.DRAWS, (_F.TORCH,), fallback=_F.TORCH)
      for package in ("transformers", "trl", "sentence_transformers")),
    Row("jax", "grad value_and_grad", Role.FITS),
    *(Row(package, "grad value_and_grad elementwise_grad", Role.FITS) for package in ("theano", "autograd")),
    *(Row(package, "*", Role.FITS) for package in ("lasagne.updates", "chainer.optimizers", "autograd.optimizers")),
    *(Row(package, "train cv", Role.FITS) for package in ("xgboost", "lightgbm")),
)  # fmt: skip

HELPER = Row("", "", Role.SEEDS, (*EVERYWHERE, _F.TENSORFLOW), _SEED)
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
