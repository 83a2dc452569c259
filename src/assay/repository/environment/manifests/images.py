"""Images that containers start from, and the packages that they are made to bring."""

from __future__ import annotations

import re
from functools import cache

from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import IN_IMAGE, PYTHON, Declared, Pin, Reading

_VERSION = regex(r"(\d+(?:\.\d+)*)")
_NOTEBOOK = (
    "altair", "beautifulsoup4", "bokeh", "bottleneck", "cloudpickle", "cython", "dask", "dill", "h5py", "ipywidgets",
    "jupyterlab", "matplotlib", "numba", "numexpr", "numpy", "openpyxl", "pandas", "patsy", "protobuf", "scikit-image",
    "scikit-learn", "scipy", "seaborn", "sqlalchemy", "statsmodels", "sympy", "tables", "xlrd",
)  # fmt: skip
_TORCH = ("torch", "torchvision")
BROUGHT: dict[str, tuple[str, ...]] = {
    # the recipes of the images themselves, on Docker Hub and in the repositories of the projects
    "pytorch/pytorch": ("torch", "torchvision", "torchaudio", "numpy"),
    "pytorchlightning/pytorch_lightning": ("pytorch-lightning", "torch"),
    "tensorflow/tensorflow": ("tensorflow",),
    "tensorflow/tfx": ("tfx", "tensorflow"),
    "huggingface/transformers-gpu": ("transformers", "torch", "tensorflow"),
    "huggingface/transformers-all-latest-gpu": ("transformers", "torch", "tensorflow"),
    "huggingface/transformers-pytorch-cpu": ("transformers", "torch"),
    "huggingface/transformers-pytorch-gpu": ("transformers", "torch"),
    "huggingface/transformers-tensorflow-gpu": ("transformers", "tensorflow"),
    "huggingface/accelerate": ("accelerate", "torch"),
    "mosaicml/composer": ("mosaicml", *_TORCH),
    "mosaicml/pytorch": _TORCH,
    "rocm/pytorch": _TORCH,
    "rocm/tensorflow": ("tensorflow",),
    "intel/intel-optimized-pytorch": ("torch",),
    "intel/intel-optimized-tensorflow": ("tensorflow",),
    "mxnet/python": ("mxnet",),
    "chainer/chainer": ("chainer",),
    "bvlc/caffe": ("caffe",),
    "paddlepaddle/paddle": ("paddlepaddle",),
    "horovod/horovod": ("horovod", "torch", "tensorflow"),
    "deepspeed/deepspeed": ("deepspeed", "torch"),
    "vllm/vllm-openai": ("vllm", "torch"),
    "ultralytics/ultralytics": ("ultralytics", "torch"),
    "ultralytics/yolov5": _TORCH,
    "projectmonai/monai": ("monai", "torch"),
    "rayproject/ray": ("ray",),
    "rayproject/ray-ml": ("ray", "torch", "tensorflow"),
    "osgeo/gdal": ("gdal",),
    "dolfinx/dolfinx": ("fenics-dolfinx",),
    "ufoym/deepo": (
        "numpy", "scipy", "pandas", "cloudpickle", "scikit-image", "scikit-learn", "matplotlib", "cython", "tqdm",
        "torch", "tensorflow", "keras",
    ),
    "continuumio/anaconda": ("anaconda",),
    "continuumio/anaconda3": ("anaconda",),
    # catalogue of NVIDIA's images (NGC), release notes
    "nvidia/pytorch": (
        *_TORCH, "nvidia-apex", "nvidia-dali", "numpy", "scipy", "pandas", "matplotlib", "scikit-learn", "pillow",
        "pyyaml", "tqdm",
    ),
    "nvidia/tensorflow": ("tensorflow",),
    "nvidia/nemo": ("nemo-toolkit", "nemo-run", "torch"),
    "nvidia/mxnet": ("mxnet",),
    "nvidia/jax": ("jax", "flax"),
    "nvidia/l4t-pytorch": _TORCH,
    "nvidia/l4t-tensorflow": ("tensorflow",),
    "nvidia/l4t-ml": (*_TORCH, "tensorflow", "scikit-learn", "scipy", "pandas"),
    "rapidsai/rapidsai": ("cudf", "cuml", "cugraph", "cupy"),
    "rapidsai/base": ("cudf", "cuml", "cugraph", "cupy"),
    "rapidsai/notebooks": ("cudf", "cuml", "cugraph", "cupy"),
    # AWS Deep Learning Containers, available images
    "pytorch-training": _TORCH,
    "pytorch-inference": _TORCH,
    "tensorflow-training": ("tensorflow",),
    "tensorflow-inference": ("tensorflow",),
    "huggingface-pytorch-training": ("transformers", "datasets", "torch"),
    "huggingface-pytorch-inference": ("transformers", "torch"),
    # Jupyter Docker Stacks, "Selecting an Image"
    "jupyter/scipy-notebook": _NOTEBOOK,
    "jupyter/datascience-notebook": (*_NOTEBOOK, "rpy2"),
    "jupyter/tensorflow-notebook": (*_NOTEBOOK, "tensorflow"),
    "jupyter/pytorch-notebook": (*_NOTEBOOK, "torch", "torchvision", "torchaudio"),
    "jupyter/pyspark-notebook": (*_NOTEBOOK, "pyspark", "pyarrow"),
    "jupyter/all-spark-notebook": (*_NOTEBOOK, "pyspark", "pyarrow"),
}  # fmt: skip
"""What an image is for, or says that it has: by its name without the registry, and without its tag."""
_REGISTRY = r"(?:docker\.io|nvcr\.io|quay\.io|ghcr\.io|gcr\.io|public\.ecr\.aws|\d{12}\.dkr\.ecr\.[\w.-]{1,60}\.com)/"
_BEFORE = regex(r"\b(?:docker|podman|singularity|apptainer|image|container|FROM)\b")
_LONGEST = 2000


def read_image(image: str, location: Location, reading: Reading) -> None:
    """Add what an image brings: Python in a certain version, a framework, a list of packages."""
    name, _, tag = image.partition("@")[0].rpartition(":") if ":" in image else (image, "", "")
    version = _VERSION.match(tag)
    versions = version[1] if version else ""
    pin = Pin.NONE if not versions else Pin.EXACT if versions.count(".") >= 2 else Pin.COMPATIBLE
    *_, last = parts = name.split("/")
    if last == PYTHON and versions:
        reading.declared.append(Declared(PYTHON, pin, reading.kind, location, versions, written=image[:200]))
    first, *others = BROUGHT.get("/".join(parts[-2:])) or BROUGHT.get(last) or [""]
    if first:
        reading.declared.append(Declared(first, pin, reading.kind, location, versions, written=image[:200]))
    reading.declared += [
        Declared(other, pin, reading.kind, location, group=IN_IMAGE, written=image[:200]) for other in others
    ]


def read_images(text: str, path: str, reading: Reading) -> None:
    """Add what the images bring that a text names beyond doubt: with a registry, a tag, or behind `docker run`."""
    for match in _named().finditer(text) if any(name in text for name in BROUGHT) else ():
        at = match.start()
        line = max(text.rfind("\n", 0, at) + 1, at - _LONGEST)
        if match["registry"] or match["tag"] or _BEFORE.search(text, line, at):
            place = Location(path, text.count("\n", 0, at) + 1)
            read_image(match["name"] + (match["tag"] or ""), place, reading)


@cache
def _named() -> re.Pattern[str]:
    """A known image by its name, perhaps with its registry and its tag; not a part of some longer path."""
    names = "|".join(sorted(map(re.escape, BROUGHT), key=len, reverse=True))
    tag = r"(?P<tag>:\w[\w.-]{0,80}(?<![.-]))?"
    return re.compile(rf"(?<![\w./@-])(?:docker://)?(?P<registry>{_REGISTRY})?(?P<name>{names}){tag}(?![\w/:-])")
