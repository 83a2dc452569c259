"""Files of platforms that build, test, serve or show the work: they install packages too."""

import json

import pytest
from environments import environment, undeclared

CODE = "import tqdm\nimport cv2\n"
COMMAND = "pip install tqdm opencv-python"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".devcontainer/devcontainer.json", f'{{"name": "x", "postCreateCommand": "{COMMAND}"}}'),
        (
            ".devcontainer/devcontainer.json",
            '{"postCreateCommand": ["pip", "install", "--user", "tqdm", "opencv-python"]}',
        ),
        (".gitlab-ci.yml", f"test:\n  script: {COMMAND}\n"),
        (".gitlab-ci.yml", f'test:\n  script:\n    - "{COMMAND}"\n'),
        ("render.yaml", f"services:\n  - type: web\n    buildCommand: {COMMAND}\n"),
        (".github/actions/prepare/action.yml", f"runs:\n  steps:\n    - run: {COMMAND}\n"),
        ("Jenkinsfile", f"stage('x') {{\n  steps {{ sh '{COMMAND}' }}\n}}\n"),
        ("Taskfile.yml", f"tasks:\n  make:\n    cmds:\n      - {COMMAND}\n"),
        ("job.yaml", f"setup: |\n  {COMMAND}\nrun: python a.py\n"),
        ("start.bat", f"call {COMMAND}\n"),
        ("noxfile.py", "def check(session):\n    session.install('tqdm', 'opencv-python')\n"),
        ("tox.ini", "[testenv]\ndeps =\n    tqdm\n    py{38,39}: opencv-python>=4\n    {[base]deps}\n"),
        ("apt.txt", "ffmpeg\npython3-tqdm\npython3-opencv  # pictures\n"),
    ],
)
def test_what_a_platform_installs_is_named_in_passing(path: str, text: str) -> None:
    found = environment({path: text, "a.py": CODE})
    assert [one.outside.module for one in found.undeclared] == []
    assert [one.outside.module for one in found.only_mentioned] == ["cv2", "tqdm"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("bentofile.yaml", "service: 'a:svc'\npython:\n  packages:\n    - tqdm\n    - opencv-python>=4\n"),
        ("bentofile.yaml", "python:\n  requirements_txt: ./deps/all.txt\n"),
        ("bentofile.yaml", "conda:\n  dependencies: [tqdm=4]\n  pip:\n    - opencv-python\n"),
        ("cog.yaml", "build:\n  run:\n    - pip install tqdm\n    - command: pip install opencv-python\n"),
        ("environment.yml", "dependencies:\n  - tqdm\n  - opencv\n"),
        (
            "recipe/meta.yaml",
            "package:\n  name: x\nrequirements:\n  host:\n    - tqdm\n  run:\n    - opencv >=4  # [x]\n    - {{ y }}\n",
        ),
    ],
)
def test_what_a_platform_is_told_to_have_is_declared(path: str, text: str) -> None:
    found = environment({path: text, "deps/all.txt": "tqdm\nopencv-python\n", "a.py": CODE})
    assert found.uncovered == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("config.yaml", "python_version: 3.11\nrequirements:\n- tqdm\n"),  # anybody's settings
        ("meta.yaml", "name: x\nrequirements:\n  run:\n    - tqdm\n"),
        ("tox.ini", "[flake8]\ndeps = tqdm\n"),
        ("tox.ini", "no section\n"),
        ("settings.yml", "note: use pip install when tqdm is missing\n"),
    ],
)
def test_files_that_only_look_alike_declare_nothing(path: str, text: str) -> None:
    assert undeclared({path: text, "a.py": "import tqdm\n"}) == ["tqdm"]


def test_a_command_in_the_text_of_a_notebook_installs() -> None:
    text = "It needs `x`. If missing: `pip install google-cloud-bigquery[pandas] seaborn`\n\n    pip install tqdm\n"
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": text},
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": 1,
            "source": "from google.cloud import bigquery\nimport tqdm, seaborn, numpy",
        },
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    found = environment({"n.ipynb": json.dumps(notebook)})
    assert [one.outside.module for one in found.undeclared] == ["numpy"]
    assert {str(one.mentioned[0].location) for one in found.only_mentioned} == {"n.ipynb:cell 1:1", "n.ipynb:cell 1:3"}
