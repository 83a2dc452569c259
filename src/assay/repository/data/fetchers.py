"""Libraries that bring data with one call: a declarative table of names and of what the call must look like."""

from __future__ import annotations

from enum import StrEnum

from assay.records import dataclass
from assay.repository.data.facts import Route


class Asks(StrEnum):
    """What tells the data set, and whether the call fetches it."""

    NAME = "the function's own name"
    ARGUMENT = "the first argument"
    DOWNLOAD = "the class's name, if `download` is true"
    URL = "a URL among the arguments"


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Functions by the beginning of their full names."""

    route: Route
    asks: Asks
    names: tuple[str, ...]


_BY_HAND = (
    "ImageFolder", "DatasetFolder", "FakeData", "VisionDataset", "ImageNet", "Cityscapes", "CocoDetection",
    "CocoCaptions", "LSUN", "Kinetics", "UCF101", "HMDB51", "SBU", "Flickr8k", "Flickr30k", "utils", "folder",
    "vision", "samplers", "wrap_dataset_for_transforms_v2", "LSUNClass", "AudioFolder", "Data",
    "InMemoryDataset", "Dataset", "DatasetDict", "IterableDataset", "load_from_disk", "concatenate_datasets",
    "interleave_datasets", "Features", "Value", "ClassLabel", "Sequence", "load_metric", "Audio", "Image",
    "make_dataset", "get_dataset_config_names", "Split", "disable_caching", "disable_progress_bar", "logging",
    "config", "arrow_dataset", "builder", "info", "GeneratorBasedBuilder",
)  # fmt: skip
"""Names in those modules that fetch nothing."""

_ON_DEMAND = (
    "torchvision.datasets.", "torchaudio.datasets.", "torchmeta.datasets.", "torchgeo.datasets.", "medmnist.",
    "pl_bolts.datasets.", "learn2learn.vision.datasets.", "torchdrug.datasets.", "jittor.dataset.",
    "mindspore.dataset.", "torchxrayvision.datasets.",
)  # fmt: skip
_BY_ARGUMENT = (
    "datasets.load_dataset", "datasets.load_dataset_builder", "nlp.load_dataset", "tensorflow_datasets.load",
    "tensorflow_datasets.builder", "tensorflow_datasets.data_source", "sklearn.datasets.fetch_openml",
    "openml.datasets.get_dataset", "openml.tasks.get_task", "seaborn.load_dataset",
    "statsmodels.api.datasets.get_rdataset", "statsmodels.datasets.get_rdataset", "gensim.downloader.load",
    "pmlb.fetch_data", "ucimlrepo.fetch_ucirepo", "wilds.get_dataset", "ir_datasets.load",
    "kagglehub.dataset_download", "kagglehub.competition_download", "kagglehub.dataset_load",
    "kaggle.api.dataset_download_files", "kaggle.api.competition_download_files", "yfinance.download",
    "yfinance.Ticker", "pandas_datareader.", "nltk.download", "torch_geometric.datasets.", "dgl.data.", "ogb.",
    "sktime.datasets.load_UCR_UEA_dataset", "sktime.datasets.load_from_ucr", "tslearn.datasets.UCR_UEA_datasets",
    "aeon.datasets.load_", "tdc.single_pred.", "tdc.multi_pred.", "tdc.generation.", "wfdb.dl_database",
    "fiftyone.zoo.load_zoo_dataset", "beir.util.download_and_unzip", "mirdata.initialize", "deeplake.load", "hub.load",
    "modelscope.msdatasets.MsDataset.load", "d4rl.qlearning_dataset", "d4rl.sequence_dataset", "minari.load_dataset",
    "argoverse.", "cdsapi.Client", "deeprobust.graph.data.Dataset", "deeprobust.graph.data.PrePtbDataset",
)  # fmt: skip
_BY_NAME = (
    "sklearn.datasets.fetch_", "keras.datasets.", "tensorflow.keras.datasets.", "tensorflow.python.keras.datasets.",
    "tf_keras.datasets.", "torchtext.datasets.", "torchtext.legacy.datasets.", "torchtext.experimental.datasets.",
    "mmsdk.mmdatasdk.", "mmdata.", "nilearn.datasets.fetch_",
    "mne.datasets.", "scanpy.datasets.", "scvelo.datasets.", "squidpy.datasets.", "pertpy.data.",
    "deepchem.molnet.load_", "paddle.vision.datasets.", "paddle.text.", "paddle.dataset.", "chainer.datasets.get_",
    "mxnet.gluon.data.vision.", "mxnet.test_utils.get_", "gluoncv.data.", "gluonnlp.data.", "spektral.datasets.",
    "stellargraph.datasets.", "fastai.data.external.untar_data", "untar_data",
    "tensorflow.examples.tutorials.mnist.input_data.read_data_sets", "input_data.read_data_sets",
    "tensorflow.contrib.learn.datasets.", "vega_datasets.", "lightfm.datasets.fetch_", "surprise.Dataset.load_builtin",
    "implicit.datasets.", "shap.datasets.", "imblearn.datasets.fetch_", "folktables.", "darts.datasets.",
    "gluonts.dataset.repository", "pytorch_forecasting.data.examples", "river.datasets.", "lifelines.datasets.",
    "sksurv.datasets.", "pycox.datasets.", "torch_geometric_temporal.dataset", "avalanche.benchmarks.",
    "continuum.datasets.", "fairlearn.datasets.fetch_", "aif360.sklearn.datasets.fetch_", "aif360.datasets.",
    "braindecode.datasets.", "moabb.datasets.", "recommenders.datasets.", "reco_utils.dataset.", "pykeen.datasets.",
    "torchkge.utils.datasets.", "ampligraph.datasets.load_", "geodatasets.", "palmerpenguins.load_",
    "libpysal.examples.", "alibi.datasets.fetch_", "art.utils.load_", "tensorflow_federated.simulation.datasets.",
    "extra_keras_datasets.", "nasbench.api.NASBench", "astroquery.", "flwr_datasets.",
)  # fmt: skip
_BUNDLED = (
    "sklearn.datasets.load_iris", "sklearn.datasets.load_digits", "sklearn.datasets.load_wine",
    "sklearn.datasets.load_breast_cancer", "sklearn.datasets.load_diabetes", "sklearn.datasets.load_boston",
    "sklearn.datasets.load_linnerud", "sklearn.datasets.load_sample_image", "skimage.data.", "scipy.misc.face",
    "statsmodels.api.datasets.", "statsmodels.datasets.", "plotly.express.data.", "plotly.data.", "nltk.corpus.",
    "sktime.datasets.load_", "tslearn.datasets.CachedDatasets", "networkx.karate_club_graph", "pyro.contrib.examples.",
)  # fmt: skip
_GENERATED = (
    "sklearn.datasets.make_", "sklearn.datasets.samples_generator.make_", "gym.make", "gymnasium.make", "gym.vector.",
    "dm_control.suite.load", "dmc2gym.make", "pettingzoo.", "procgen.", "pybullet_envs.", "minigrid.", "brax.envs.",
    "stable_baselines3.common.env_util.make_", "stable_baselines3.common.cmd_util.make_", "atari_py.", "ale_py.",
    "metaworld.", "smac.env.", "pysc2.env.", "crafter.Env", "gymnax.make", "envpool.make", "robosuite.make",
    "baselines.common.cmd_util.make_", "gymnasium.vector.", "gymnasium.wrappers.", "gym.wrappers.", "bsuite.load",
    "vizdoom.", "deepmind_lab.", "unityagents.UnityEnvironment", "mlagents_envs.", "botorch.test_functions.",
    "networkx.erdos_renyi_graph", "networkx.barabasi_albert_graph", "networkx.stochastic_block_model",
    "networkx.planted_partition_graph", "networkx.random_regular_graph", "networkx.watts_strogatz_graph",
    "networkx.gnp_random_graph", "networkx.powerlaw_cluster_graph",
)  # fmt: skip
_FROM_URL = (
    "gdown.", "wget.download", "urllib.request.urlretrieve", "urllib.urlretrieve", "urllib.request.urlopen",
    "urllib2.urlopen", "six.moves.urllib.request.", "requests.get", "pooch.retrieve", "pooch.create",
    "torch.hub.download_url_to_file", "torchvision.datasets.utils.download", "torch_geometric.data.download_url",
    "keras.utils.get_file", "tensorflow.keras.utils.get_file", "keras.utils.data_utils.get_file",
    "tensorflow.contrib.learn.datasets.base.maybe_download", "huggingface_hub.snapshot_download",
    "huggingface_hub.hf_hub_download", "dgl.data.utils.download", "pandas.read_", "polars.read_", "zenodo_get.",
    "boto3.", "google.cloud.storage.", "ftplib.FTP", "torchvision.datasets.folder.download", "fsspec.open",
    "urllib.request.Request", "httpx.get", "httpx.stream", "requests.request", "keras.utils.file_utils.get_file",
    "mxnet.gluon.utils.download", "fastai.data.external.download_", "google_drive_downloader.GoogleDriveDownloader",
    "clearml.Dataset.get", "wandb.Api", "cached_path.cached_path", "allennlp.common.file_utils.cached_path",
    "scanpy.read", "scanpy.read_h5ad", "pytorch_pretrained_bert.cached_path", "pytorch_transformers.cached_path",
    "transformers.cached_path", "transformers.file_utils.cached_path",
)  # fmt: skip
FETCHERS = (
    Fetcher(Route.LIBRARY, Asks.DOWNLOAD, _ON_DEMAND),
    Fetcher(Route.LIBRARY, Asks.ARGUMENT, _BY_ARGUMENT),
    Fetcher(Route.LIBRARY, Asks.NAME, _BY_NAME),
    Fetcher(Route.BUNDLED, Asks.NAME, _BUNDLED),
    Fetcher(Route.GENERATED, Asks.NAME, _GENERATED),
    Fetcher(Route.URL, Asks.URL, _FROM_URL),
)
SIMULATORS = frozenset(
    {
        "gym", "gymnasium", "dm_control", "smac", "pysc2", "pettingzoo", "procgen", "mujoco", "mujoco_py", "metaworld",
        "brax", "minigrid", "gym_minigrid", "ale_py", "atari_py", "vizdoom", "crafter", "robosuite", "dmc2gym",
        "pybullet", "stable_baselines3", "stable_baselines", "envpool", "gfootball", "highway_env", "multiagent",
        "isaacgym",
    }
)  # fmt: skip
"""Their data are made while they run."""
RECORDED = frozenset({"d4rl", "d4rl_atari", "minari"})
"""Records of play to learn from: a simulator beside them only tries what was learnt."""
TOPS = frozenset(name.partition(".")[0] for fetcher in FETCHERS for name in fetcher.names)
_BY_TOP: dict[str, list[tuple[str, Fetcher]]] = {}
for _fetcher in FETCHERS:
    for _name in _fetcher.names:
        _BY_TOP.setdefault(_name.partition(".")[0], []).append((_name, _fetcher))
for _rows in _BY_TOP.values():
    _rows.sort(key=lambda pair: -len(pair[0]))


def fetcher_of(name: str) -> tuple[Fetcher, str] | None:
    """The row for a call by its full name, and the rest of the name behind the row's."""
    for beginning, fetcher in _BY_TOP.get(name.partition(".")[0], ()):
        if name.startswith(beginning):
            rest = name.removeprefix(beginning)
            whole = beginning.endswith((".", "_")) or not rest or rest[0] in ".(["
            if whole and not (beginning.endswith(".") and rest.partition(".")[0] in _BY_HAND):
                return fetcher, rest
    return None
