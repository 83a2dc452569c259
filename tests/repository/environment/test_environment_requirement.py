"""One requirement: its name, how strict it is, and whether it ever applies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.findings import Location
from assay.repository.environment.declared import Declared, Kind, Pin
from assay.repository.environment.requirement import Context, declare, holds_somewhere

CONTEXT = Context(Kind.REQUIREMENTS, Location("requirements.txt", 1))
COMMIT = "d50d76daa670286dd6cacf3bcd80b5e4823fc8e1"


def read(text: str) -> Declared:
    found, _ = declare(text, CONTEXT)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "name", "pin"),
    [
        ("numpy", "numpy", Pin.NONE),
        ("numpy==1.19.5", "numpy", Pin.EXACT),
        ("torch==1.7.1+cu110", "torch", Pin.EXACT),
        ("pkg===2012b", "pkg", Pin.EXACT),
        ("numpy==1.19.*", "numpy", Pin.COMPATIBLE),
        ("numpy~=1.19", "numpy", Pin.COMPATIBLE),
        ("numpy>=1.19", "numpy", Pin.RANGE),
        ("numpy>=1.19,<2", "numpy", Pin.RANGE),
        ("numpy!=1.19", "numpy", Pin.RANGE),
        ("numpy (>=1.19)", "numpy", Pin.RANGE),
        ("Scikit_Learn[tests] == 1.0", "scikit-learn", Pin.EXACT),
        ("git+https://github.com/openai/CLIP.git", "clip", Pin.VCS),
        (f"git+https://github.com/openai/CLIP.git@{COMMIT}", "clip", Pin.COMMIT),
        (f"git+https://github.com/openai/CLIP.git@{COMMIT[:8]}#egg=clip-anytorch", "clip-anytorch", Pin.COMMIT),
        ("git+https://github.com/x/repo.git@v0.6#subdirectory=a", "repo", Pin.VCS),
        ("git+ssh://git@github.com/x/repo.git@main", "repo", Pin.VCS),
        ("git@github.com:x/repo.git", "repo", Pin.VCS),
        ("detectron2 @ git+https://github.com/facebookresearch/detectron2.git@v0.6", "detectron2", Pin.VCS),
        ("https://github.com/x/repo/archive/master.zip", "repo", Pin.VCS),
        (f"https://github.com/x/repo/archive/{COMMIT}.zip", "repo", Pin.COMMIT),
        ("https://host/torch-1.7.0%2Bcpu-cp36-cp36m-linux_x86_64.whl", "torch", Pin.EXACT),
        ("https://host/en_core_web_sm-2.0.0.tar.gz", "en-core-web-sm", Pin.EXACT),
        ("https://host/pkg-1.0-py3-none-any.whl#sha256=abc", "pkg", Pin.HASHED),
        ("https://host/download/pkg", "pkg", Pin.URL),
        ("git+https://github.com/someone/pytorch-image-models.git@v1", "timm", Pin.VCS),  # held under another name
        ("https://github.com/rwightman/pytorch-image-models/archive/main.zip", "timm", Pin.VCS),
        ("git+https://github.com/pytorch/vision", "torchvision", Pin.VCS),
        ("git@github.com:pytorch/vision.git", "torchvision", Pin.VCS),
        ("git+https://github.com/someone/vision", "vision", Pin.VCS),
        ("numpy @ file:///croot/numpy_1/work", "numpy", Pin.PATH),
        ("./libs/foo", "foo", Pin.PATH),
        (".", ".", Pin.PATH),
        (".[dev]", ".", Pin.PATH),
    ],
)
def test_name_and_pin_are_read_off_every_form(text: str, name: str, pin: Pin) -> None:
    assert (read(text).name, read(text).pin) == (name, pin)


@pytest.mark.parametrize(
    ("text", "pin"),
    [
        ("scipy=1.2", Pin.EXACT),
        ("old==2009.Q1-1", Pin.EXACT),
        ("torch>=1.*", Pin.RANGE),
        ("a==1.0 b==2", Pin.COMPATIBLE),
    ],
)
def test_what_pip_would_refuse_is_read_and_called_invalid(text: str, pin: Pin) -> None:
    found, problem = declare(text, CONTEXT)
    assert found is not None
    assert (found.pin, problem) == (pin, "is not a valid requirement")


@pytest.mark.parametrize("text", ["===", "hello world", "<<<<<<< HEAD", "n" * 3000])
def test_what_is_no_requirement_is_said_to_be_none(text: str) -> None:
    found, problem = declare(text, CONTEXT)
    assert found is None
    assert problem


@pytest.mark.parametrize(
    ("marker", "applies"),
    [
        ("python_version < '3'", False),
        ("python_version == '2.7'", False),
        ("sys_platform == 'win32'", True),
        ("sys_platform == 'sunos5'", False),
        ("python_version >= '3.8' and platform_machine == 'aarch64'", True),
        ("extra == 'gpu'", True),
        ("implementation_name == 'pypy' and python_version < '3'", False),
        ("this is no marker", True),
        ("", True),
    ],
)
def test_a_marker_applies_if_it_holds_on_some_present_system(marker: str, applies: bool) -> None:
    assert holds_somewhere(marker) is applies


def test_extras_marker_and_specifier_are_kept() -> None:
    found = read('jax[cuda,ci]>=0.3 ; python_version < "3.9"')
    assert (found.extras, found.specifier, found.marker) == (("ci", "cuda"), ">=0.3", 'python_version < "3.9"')


@given(st.text(max_size=200))
def test_no_text_is_too_strange_to_read(text: str) -> None:
    found, problem = declare(text, CONTEXT)
    assert found is None or found.name
    assert found is not None or problem
