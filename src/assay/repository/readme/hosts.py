"""What a remote link leads to, told by its address alone."""

from __future__ import annotations

import re
from enum import StrEnum
from urllib.parse import urlsplit

from assay.patterns import regex


class LinkKind(StrEnum):
    """What is behind a link."""

    PAPER = "paper"
    DATA = "data"
    WEIGHTS = "weights"
    FILES = "files"
    """A store of files of any kind, data or weights."""
    NOTEBOOK = "notebook service"
    """Colab, Binder and their like: the code runs in the browser."""
    DOCUMENTATION = "documentation"
    CODE = "code"
    BADGE = "badge"
    LOCAL = "local"
    ANCHOR = "anchor"
    MAIL = "mail"
    OTHER = "other"


_BY_HOST: tuple[tuple[LinkKind, tuple[str, ...]], ...] = (
    (
        LinkKind.NOTEBOOK,
        (
            "colab.research.google.com", "mybinder.org", "nbviewer.jupyter.org", "nbviewer.org", "deepnote.com",
            "codeocean.com", "studiolab.sagemaker.aws", "replicate.com", "notebooks.githubusercontent.com",
            "console.paperspace.com", "lightning.ai",
        ),
    ),
    (
        LinkKind.PAPER,
        (
            "arxiv.org", "ar5iv.org", "doi.org", "dx.doi.org", "openreview.net", "proceedings.mlr.press", "jmlr.org",
            "papers.nips.cc", "papers.neurips.cc", "proceedings.neurips.cc", "aclanthology.org", "aclweb.org",
            "openaccess.thecvf.com", "ecva.net", "ieeexplore.ieee.org", "dl.acm.org", "link.springer.com",
            "sciencedirect.com", "nature.com", "science.org", "biorxiv.org", "medrxiv.org", "isca-speech.org",
            "pubmed.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov", "journals.plos.org", "pnas.org", "academic.oup.com",
            "onlinelibrary.wiley.com", "tandfonline.com", "mdpi.com", "frontiersin.org", "semanticscholar.org",
            "ijcai.org", "aaai.org", "ojs.aaai.org", "bmvc2019.org", "roboticsproceedings.org", "hal.science",
            "hal.archives-ouvertes.fr", "pubs.acs.org", "cell.com", "elifesciences.org", "joss.theoj.org",
            "distill.pub", "eprint.iacr.org", "usenix.org", "vldb.org", "jair.org", "direct.mit.edu",
        ),
    ),
    (
        LinkKind.DATA,
        (
            "kaggle.com", "archive.ics.uci.edu", "physionet.org", "openml.org", "image-net.org", "cocodataset.org",
            "grouplens.org", "snap.stanford.edu", "data.mendeley.com", "dataverse.harvard.edu", "datadryad.org",
            "data.world", "catalog.ldc.upenn.edu", "openslr.org", "opus.nlpl.eu", "statmt.org", "groups.csail.mit.edu",
            "cs.toronto.edu", "yann.lecun.com", "ieee-dataport.org", "data.vision.ee.ethz.ch", "portal.gdc.cancer.gov",
            "wiki.cancerimagingarchive.net", "cancerimagingarchive.net", "isic-archive.com", "cityscapes-dataset.com",
            "cvlibs.net", "nyu.edu", "mattmahoney.net", "registry.opendata.aws", "commoncrawl.org", "ogb.stanford.edu",
        ),
    ),
    (
        LinkKind.FILES,
        (
            "zenodo.org", "figshare.com", "osf.io", "drive.google.com", "docs.google.com", "dropbox.com",
            "pan.baidu.com", "onedrive.live.com", "1drv.ms", "sharepoint.com", "mega.nz", "box.com", "amazonaws.com",
            "storage.googleapis.com", "blob.core.windows.net", "syncandshare.lrz.de", "seafile.cloud",
            "cloud.tsinghua.edu.cn", "share.weiyun.com", "we.tl", "dl.fbaipublicfiles.com", "wasabisys.com",
            "console.cloud.google.com", "archive.org", "academictorrents.com", "yadi.sk", "disk.yandex.ru",
            "polybox.ethz.ch", "owncloud.gwdg.de",
        ),
    ),
    (
        LinkKind.WEIGHTS,
        ("huggingface.co", "hf.co", "tfhub.dev", "modelscope.cn", "civitai.com", "download.pytorch.org"),
    ),
    (
        LinkKind.BADGE,
        (
            "img.shields.io", "badge.fury.io", "badges.gitter.im", "travis-ci.org", "travis-ci.com", "codecov.io",
            "coveralls.io", "circleci.com", "ci.appveyor.com", "pepy.tech", "badgen.net",
            "api.codacy.com", "app.codacy.com", "hits.seeyoufarm.com", "visitor-badge.glitch.me",
        ),
    ),
    (LinkKind.DOCUMENTATION, ("readthedocs.io", "readthedocs.org", "rtfd.io", "gitbook.io", "docs.rs")),
    (LinkKind.CODE, ("github.com", "gitlab.com", "bitbucket.org", "gitee.com", "gist.github.com", "codeberg.org",
                     "pypi.org", "anaconda.org", "hub.docker.com", "raw.githubusercontent.com")),
)  # fmt: skip
_HOSTS = {host: kind for kind, hosts in _BY_HOST for host in hosts}
_DATASET_ADDRESS = regex(r"/datasets?/|dataset", re.IGNORECASE)
_WEIGHTS_FILE = regex(
    r"\.(?:pth?|ckpt|h5|hdf5|pkl|safetensors|onnx|npz|pb|caffemodel|bin|gguf|pdparams)\b", re.IGNORECASE
)


def kind_of_address(url: str, text: str, *, image: bool) -> LinkKind:
    """The kind of a remote link, by its host, its path, and the words it is set under."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return LinkKind.OTHER
    found = _known(host)
    path = parts.path + "?" + parts.query
    if image and found is not LinkKind.NOTEBOOK:
        return LinkKind.BADGE if found is LinkKind.BADGE or "badge" in path else LinkKind.OTHER
    if host == "huggingface.co" and path.startswith("/papers/"):
        return LinkKind.PAPER
    if found in {LinkKind.WEIGHTS, LinkKind.FILES, LinkKind.CODE, LinkKind.OTHER}:
        if found is not LinkKind.CODE and _DATASET_ADDRESS.search(path + " " + text):
            return LinkKind.DATA
        if _WEIGHTS_FILE.search(path):
            return LinkKind.WEIGHTS
        if found is LinkKind.OTHER and path.lower().rstrip("?").endswith(".pdf"):
            return LinkKind.PAPER
        if found is LinkKind.OTHER and host.startswith("docs."):
            return LinkKind.DOCUMENTATION
    if found is LinkKind.WEIGHTS and path.startswith("/spaces/"):
        return LinkKind.NOTEBOOK
    return found


def _known(host: str) -> LinkKind:
    while host:
        if host in _HOSTS:
            return _HOSTS[host]
        host = host.partition(".")[2]
    return LinkKind.OTHER
