"""Scripts and notebooks are read without being run: what they import and call, where, and what they cannot parse."""

import ast
import gc
import json
import weakref
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.code import Code, Language, Source, calls, read_code
from assay.code.magics import neutralised
from assay.findings import Location
from assay.tree import Limits, tree_of


def code_of(files: dict[str, str | bytes]) -> Code:
    return read_code(tree_of(files))


def script(text: str | bytes, path: str = "train.py") -> Source:
    [source] = code_of({path: text}).sources
    return source


def notebook(*cells: str | dict[str, Any], **metadata: Any) -> str:
    made = [
        c if isinstance(c, dict) else {"cell_type": "code", "source": c, "outputs": [], "execution_count": None}
        for c in cells
    ]
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


def called(source: Source) -> list[str]:
    return [call.name for call in calls(source)]


# --- calls -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import numpy as np\nnp.random.seed(1)", "numpy.random.seed"),
        ("import numpy.random\nnumpy.random.seed(1)", "numpy.random.seed"),
        ("import numpy.random as r\nr.seed(1)", "numpy.random.seed"),
        ("from torch import manual_seed as ms\nms(0)", "torch.manual_seed"),
        ("def f():\n    from torch import manual_seed\n    manual_seed(0)", "torch.manual_seed"),
        ("import tensorflow as tf\nlayers = tf.keras.layers\nlayers.Dense(1)", "tensorflow.keras.layers.Dense"),
        ("import random\ndef f(random):\n    random.seed(0)", "random.seed"),
        ("seed(0)", "seed"),
        ("import pandas as pd\npd.read_csv[0].x.head()", "pandas.read_csv[].x.head"),
        ("(lambda: 0)()", "?"),
        ("from .tools import set_seed\nset_seed(3)", "tools.set_seed"),
    ],
)
def test_calls_are_named_through_the_imports(text: str, name: str) -> None:
    assert called(script(text))[-1] == name


def test_calls_on_results_keep_both_names() -> None:
    assert called(script("import numpy as np\nnp.random.default_rng(0).normal()")) == [
        "numpy.random.default_rng().normal",
        "numpy.random.default_rng",
    ]


def test_a_parameter_hides_an_import_of_the_same_name() -> None:
    source = script("from jax import random\ndef f(random):\n    random.split(0)\nrandom.split(0)")
    assert called(source) == ["random.split", "jax.random.split"]


def test_calls_know_their_function_and_their_place() -> None:
    [inner, outer] = calls(script("def main():\n    run(1)\n\nmain()"))
    assert inner.function is not None
    assert inner.function.name == "main"
    assert inner.location == Location("train.py", 2, 5, 2, 11)
    assert outer.function is None


# --- imports ---------------------------------------------------------------------------------------


def test_imports_are_listed_with_what_surrounds_them() -> None:
    source = script(
        "import os, numpy.linalg as la\n"
        "from . import sibling\n"
        "from ..above.tool import a, b as c\n"
        "try:\n    import apex\nexcept ImportError:\n    import fallback\n"
        "if TYPE_CHECKING:\n    import typeonly\n"
        "def f():\n    import late\n"
        "try:\n    import certain\nexcept ValueError:\n    pass\n"
        "import importlib\nimportlib.import_module('dynamic.part')\n"
    )
    found = [(i.module, i.names, i.level, i.guarded, i.in_function) for i in source.imports]
    assert found == [
        ("os", (), 0, False, False),
        ("numpy.linalg", (), 0, False, False),
        ("", ("sibling",), 1, False, False),
        ("above.tool", ("a", "b"), 2, False, False),
        ("apex", (), 0, True, False),
        ("fallback", (), 0, True, False),
        ("typeonly", (), 0, True, False),
        ("late", (), 0, False, True),
        ("certain", (), 0, False, False),
        ("importlib", (), 0, False, False),
        ("dynamic.part", (), 0, False, False),
    ]


def test_words_in_strings_are_not_imports() -> None:
    assert script('"""\nimport nothing\n"""\nx = "import nothing"\n').imports == ()


def test_imports_of_a_file_that_does_not_parse_are_salvaged() -> None:
    source = script("import numpy as np, torch\nfrom sklearn.svm import SVC\n<<<<<<< HEAD\nx = (\n")
    assert source.tree is None
    assert source.errors[0][0] == Location("train.py", 3)
    assert [(i.module, i.names, i.location.line) for i in source.imports] == [
        ("numpy", (), 1),
        ("torch", (), 1),
        ("sklearn.svm", ("SVC",), 2),
    ]


def test_python_2_is_read_and_reported() -> None:
    source = script(
        "import numpy as np\nprint 'x', 3  # why\nprint\ntry:\n\tnp.random.seed(1)\n"
        "except ValueError, e:\n        print >>f, e\nraise ValueError, 'x'\n"
    )
    assert source.error is not None
    assert "Missing parentheses" in source.error
    assert "numpy.random.seed" in called(source)


def test_numbers_of_python_2_are_no_numbers_inside_texts() -> None:
    source = script("print 'from 2017-01-01 on: 5L <> 010'\nx = {'a': 010, 'b': 5L}  # 007\nif x <> 3: pass\n")
    assert [s.value for s in source.strings] == ["from 2017-01-01 on: 5L <> 010", "a", "b"]
    assert [n.value for n in source.nodes(ast.Constant) if isinstance(n.value, int)] == [8, 5, 3]
    assert len(source.nodes(ast.Compare)) == 1


@pytest.mark.parametrize(
    "printing",
    [
        "print 'a %s' % (x,\n    y)  # why",
        "print 'a', \\\n    b",
        'print """a\nb;""" % c',
        "print 'a;b', '#c'; y = 2  # why",
        "if a: print 'x'; print 'y'",
        "print [n for n in (1, 2)]",
        "x = 1; print x",
        "print>>sys.stderr, 'a', b",
        "print'a'",
        "print '(', '\\'', x,",
        "print 0.001, 1.05, 0644, 10L",
    ],
)
def test_what_python_2_prints_may_be_long_and_not_alone_on_its_line(printing: str) -> None:
    source = script(f"import numpy as np\n{printing}\nnp.random.seed(1)\n")
    assert source.tree is not None
    [seed] = [call for call in calls(source) if call.name == "numpy.random.seed"]
    assert seed.location.line == printing.count("\n") + 3


@pytest.mark.parametrize("path", ["C:\\Users\\me", "data\\new", "\\x", "\\u12", "\\N"])
def test_backslashes_meant_themselves_in_the_texts_of_python_2(path: str) -> None:
    source = script(f"import numpy as np\nprint np.load('{path}')\n")
    assert [text.value for text in source.strings] == [path.replace("\\n", "\n")]


@pytest.mark.parametrize("line", ["x.cuda(async=True)", "x.cuda(async = True)", "def f(x, async):\n    return x"])
def test_async_was_a_name_before_it_was_a_keyword(line: str) -> None:
    source = script(f"import torch\ntorch.manual_seed(1)\n{line}\n")
    assert source.error is not None
    assert "torch.manual_seed" in called(source)


def test_today_s_async_is_left_alone() -> None:
    source = script("async def f(xs):\n    async with a(): ...\n    async for x in xs: ...\n")
    assert source.error is None


def test_scripts_exported_from_notebooks_keep_their_shell_lines() -> None:
    source = script("!pip install torch==1.0\nimport torch\ntorch.manual_seed(1)\n")
    assert [m.shell for m in source.magics] == ["pip install torch==1.0"]
    assert called(source) == ["torch.manual_seed"]
    assert source.error is not None


# --- notebooks -------------------------------------------------------------------------------------


def test_places_in_notebooks_count_cells_and_lines_in_them() -> None:
    markdown = {"cell_type": "markdown", "source": ["# Title\n", "text"]}
    text = notebook("import numpy as np\n\n", markdown, "x = 1\nnp.random.seed(x)")
    [call] = calls(script(text, "a.ipynb"))
    assert call.location == Location("a.ipynb", 2, 1, 2, 18, cell=3)


def test_a_timed_cell_of_a_notebook_written_out_as_a_script_is_read() -> None:
    timed = "get_ipython().run_cell_magic('time', '', 'X = scale(\\n  X)\\nfit(X)\\n')"
    shell = "get_ipython().run_cell_magic('bash', '', 'ls -l')"
    tree = script(f"X = load()\n{timed}\n{shell}\nscore(X)\n").tree
    assert tree is not None
    assert [ast.unparse(statement) for statement in tree.body] == [
        "X = load()",
        "X = scale(X)",
        "fit(X)",
        shell,
        "score(X)",
    ]
    assert [statement.lineno for statement in tree.body] == [1, 2, 2, 3, 4]
    assert tree.body[1].col_offset < tree.body[2].col_offset


def test_magics_are_facts_and_the_rest_is_python() -> None:
    source = script(
        notebook(
            "!pip install x \\\n  y\n%matplotlib inline\nimport numpy as np\nfiles = !ls data\nnp.info?\n"
            "for i in files:\n    !wget {i}\n",
            "%%bash\nmkdir data\n",
            "%%time\nnp.random.seed(1)\n",
            "%pip install -q wandb",
        ),
        "a.ipynb",
    )
    assert source.errors == ()
    assert [m.name for m in source.magics] == ["!", "matplotlib", "!", "?", "!", "bash", "time", "pip"]
    assert [m.shell for m in source.magics if m.shell] == [
        "pip install x y", "ls data", "wget {i}", "mkdir data\n", "pip install -q wandb",
    ]  # fmt: skip
    assert source.magics[-1].location == Location("a.ipynb", 1, 1, cell=4)
    assert "numpy.random.seed" in called(source)


def test_what_is_timed_is_python_too() -> None:
    timed = script(notebook("import numpy as np\n%time np.random.seed(1)"), "a.ipynb")
    assert called(timed) == ["numpy.random.seed"]
    exported = (
        "import numpy as np\n"
        "get_ipython().run_cell_magic('time', '', 'x = np.load(\"a\")\\n!ls\\nnp.save(\"b\", x)\\n')\n"
        "get_ipython().run_line_magic('time', 'np.sum(x)')\n"
        "get_ipython().run_line_magic('matplotlib', 'inline')\n"
        "get_ipython().run_cell_magic('time', '', 'x = = 1')\n"
    )
    source = script(exported)
    assert [name for name in called(source) if name.startswith("numpy")] == ["numpy.load", "numpy.save", "numpy.sum"]
    assert [call.location.line for call in calls(source)][:3] == [2, 2, 3]


@pytest.mark.parametrize(
    "text",
    [
        "x = 10\ny = (x\n% 3)",
        "s = '''\n!no\n%no\n'''",
        "x = 7 \\\n% 4",
        "a = b % c",
        "x != y",
        "f('what?')",
        "ls = 3\nls",
    ],
)
def test_what_only_looks_like_a_magic_stays_python(text: str) -> None:
    assert neutralised(text, "a") == (text, [])


def test_a_broken_cell_does_not_spoil_the_others() -> None:
    source = script(notebook("import os\nx = = 1", "os.getcwd()", "await f()"), "a.ipynb")
    assert called(source) == ["os.getcwd", "f"]
    assert [place for place, _ in source.errors] == [Location("a.ipynb", 2, cell=1)]


def test_old_notebooks_are_read() -> None:
    cell = {"cell_type": "code", "input": ["import os\n", "os.getcwd()"], "prompt_number": 4, "outputs": []}
    source = script(json.dumps({"worksheets": [{"cells": [cell]}], "nbformat": 3}), "a.ipynb")
    assert called(source) == ["os.getcwd"]
    assert source.notebook is not None
    assert source.notebook.cells[0].execution_count == 4


def test_other_languages_are_told_by_the_kernel() -> None:
    source = script(notebook("set.seed(1)", kernelspec={"name": "ir", "language": "R"}), "a.ipynb")
    assert source.language is Language.R
    assert source.text == "set.seed(1)"


def test_chunks_of_r_markdown_are_code_and_prose_is_not() -> None:
    source = script("We set.seed(0) here\n```{r setup}\nset.seed(42)\n```\nmore\n", "a.Rmd")
    assert source.lines[2] == "set.seed(42)"
    assert not source.mentions("We")


def test_quarto_in_python_is_python() -> None:
    source = script("prose\n```{python}\nimport os\nos.getcwd()\n```\n", "a.qmd")
    assert called(source) == ["os.getcwd"]
    assert source.imports[0].location.line == 3


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"cells": 3}', '{"cells": [3, null]}', "[" * 100_000, "\0\0"])
def test_what_is_no_notebook_is_said_so(text: str) -> None:
    source = script(text, "a.ipynb")
    assert source.imports == ()
    assert source.tree is None or source.tree.body == []


def test_a_notebook_with_huge_outputs_is_read() -> None:
    image = {"output_type": "display_data", "data": {"image/png": "A" * 10_000_000}}
    cell = {"cell_type": "code", "source": "f()", "execution_count": 1, "outputs": [image]}
    assert called(script(notebook(cell), "a.ipynb")) == ["f"]


def test_a_notebook_beyond_the_limit_is_left_out() -> None:
    tree = tree_of({"a.ipynb": notebook("f()" * 100)}, limits=Limits(text_bytes=100))
    code = read_code(tree)
    assert code.left_out == ("a.ipynb: is larger than 100 bytes",)


# --- which modules are local -----------------------------------------------------------------------


def leads_to(files: dict[str, str], importer: str) -> dict[str, str | None]:
    code = code_of(dict(files))
    source = code.source(importer)
    assert source is not None
    return {i.module or i.names[0]: code.find(i, source) for i in source.imports}


def test_modules_are_found_where_python_would() -> None:
    files = {
        "train.py": "import sibling, pkg.part, numpy\nfrom pkg import helper\nfrom models import net",
        "sibling.py": "",
        "src/pkg/__init__.py": "from .part import x as helper",
        "src/pkg/part.py": "x = 1",
        "models/net.py": "",
    }
    assert leads_to(files, "train.py") == {
        "sibling": "sibling.py",
        "pkg.part": "src/pkg/part.py",
        "numpy": None,
        "pkg": "src/pkg/__init__.py",
        "models": "models/net.py",
    }


def test_relative_imports_follow_the_package() -> None:
    files = {
        "pkg/__init__.py": "", "pkg/a/__init__.py": "", "pkg/b.py": "y = 1", "pkg/a/c.py": "",
        "pkg/a/m.py": "from . import c\nfrom ..b import y\nfrom ... import out",
    }  # fmt: skip
    assert leads_to(files, "pkg/a/m.py") == {"c": "pkg/a/c.py", "b": "pkg/b.py", "out": None}


def test_a_package_that_holds_a_script_is_started_from_inside() -> None:
    files = {
        "src/__init__.py": "", "src/main.py": "if __name__ == '__main__':\n    pass\n",
        "src/envs/__init__.py": "REGISTRY = {}", "src/runners/__init__.py": "",
        "src/runners/episode.py": "from envs import REGISTRY",
    }  # fmt: skip
    assert leads_to(files, "src/runners/episode.py") == {"envs": "src/envs/__init__.py"}
    assert leads_to({**files, "src/main.py": ""}, "src/runners/episode.py") == {"envs": None}


def test_a_package_leads_to_its_first_module_and_without_one_to_the_same_part_on_every_run() -> None:
    names = [f"part_{i}" for i in range(9)]
    used = "".join(f"p.{name}.go()\n" for name in reversed(names))
    files = {f"p/{name}.py": "def go(): pass\n" for name in names}
    files["run.py"] = f"import p\n{used}"
    assert leads_to(files, "run.py") == {"p": "p/part_0.py"}
    assert leads_to({"p/__init__.py": "", **files}, "run.py") == {"p": "p/__init__.py"}


def test_a_file_may_import_itself_by_its_full_name_but_not_by_a_bare_one() -> None:
    files = {"pkg/__init__.py": "", "pkg/sub/net.py": "from pkg.sub.net import A\nclass A: ...\n"}
    assert leads_to(files, "pkg/sub/net.py") == {"pkg.sub.net": "pkg/sub/net.py"}
    assert leads_to({"gym.py": "import gym"}, "gym.py") == {"gym": None}


def test_a_file_finds_the_package_that_it_lies_in_though_the_folder_around_it_is_called_one_too() -> None:
    text = "from study.prepare import scaled\nimport study\nfrom other.prepare import scaled"
    files = {"src/__init__.py": "", "src/study/__init__.py": "", "src/study/steps/train.py": text}
    files |= {"src/study/prepare.py": "scaled = 1", "src/other/prepare.py": "scaled = 1"}
    found = {"study.prepare": "src/study/prepare.py", "study": None, "other.prepare": None}
    assert leads_to(files, "src/study/steps/train.py") == found


def test_modules_of_protoc_are_found_whatever_package_they_are_put_into() -> None:
    files = {"schema/message.proto": "", "run.py": "import message_pb2\nfrom generated.v1 import message_pb2_grpc\n"}
    found = dict.fromkeys(["message_pb2", "generated.v1"], "schema/message.proto")
    assert leads_to(files, "run.py") == found


def test_modules_that_cells_write_are_known() -> None:
    cells = ["%%writefile helper.py\nx = 1", "%%file -a 'parts/net.py'\ny = 2", "%%writefile notes.txt\nx"]
    assert dict(code_of({"a.ipynb": notebook(*cells)}).modules.written) == {
        "helper": "a.ipynb",
        "parts": "a.ipynb",
        "net": "a.ipynb",
    }


def test_a_folder_named_like_a_distribution_is_not_taken_for_it() -> None:
    files = {"train.py": "from datasets import load_dataset", "datasets/cifar.py": "def get(): ..."}
    assert leads_to(files, "train.py") == {"datasets": None}
    files["train.py"] = "from datasets.cifar import get"
    assert leads_to(files, "train.py") == {"datasets.cifar": "datasets/cifar.py"}


def test_a_file_that_lacks_what_is_asked_for_is_not_meant() -> None:
    files = {"train.py": "from wandb import init", "wandb.py": "def other(): ..."}
    assert leads_to(files, "train.py") == {"wandb": None}


@pytest.mark.parametrize(
    "line",
    [
        "sys.path.append('deep/lib')",
        "sys.path.append('../deep/lib')",
        "sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'deep', 'lib'))",
        "sys.path.append(str(Path(__file__).resolve().parents[1] / 'deep' / 'lib'))",
        "ROOT = os.path.dirname(os.path.dirname(__file__))\nsys.path.append(ROOT + '/deep/lib')",
        "sys.path.extend(['x', os.path.join(os.getcwd(), 'deep/lib')])",
    ],
)
def test_folders_put_on_the_path_count(line: str) -> None:
    files = {
        "scripts/run.py": f"import os, sys\nfrom pathlib import Path\n{line}\nimport hidden",
        "deep/lib/hidden.py": "",
    }
    assert leads_to(files, "scripts/run.py")["hidden"] == "deep/lib/hidden.py"


@pytest.mark.parametrize(
    "line", ["sys.path.append(sys.argv[1])", "sys.path.append('/deep/lib')", "sys.path.append('..')"]
)
def test_folders_elsewhere_do_not_count(line: str) -> None:
    files = {"run.py": f"import sys\n{line}\nimport hidden", "deep/lib/hidden.py": ""}
    assert leads_to(files, "run.py")["hidden"] is None


def test_pythonpath_in_scripts_and_readme_counts() -> None:
    files = {
        "run.sh": "export PYTHONPATH=$PYTHONPATH:$(pwd)/deep/lib\n",
        "deep/lib/hidden.py": "",
        "t/a.py": "import hidden",
    }
    assert leads_to(files, "t/a.py") == {"hidden": "deep/lib/hidden.py"}


def test_setup_files_name_packages_and_extensions() -> None:
    files = {
        "setup.py": "from setuptools import setup, Extension\n"
        "setup(package_dir={'mine': 'code'}, ext_modules=[Extension('fast', ['f.c'])])",
        "code/part.py": "", "msg.proto": "", "run.py": "import mine.part, fast, msg_pb2, other_pb2",
    }  # fmt: skip
    assert leads_to(files, "run.py") == {
        "mine.part": "code/part.py", "fast": "setup.py", "msg_pb2": "msg.proto", "other_pb2": None,
    }  # fmt: skip


def test_local_modules_are_listed_with_where_they_come_from() -> None:
    code = code_of({"src/pkg/__init__.py": "", "a.py": "", "scripts/tool.py": "", "data/x.csv": ""})
    assert code.local_modules == {
        "a": ("a.py",),
        "pkg": ("src/pkg",),
        "scripts": ("scripts",),
        "src": ("src",),
        "tool": ("scripts/tool.py",),
    }
    assert code.modules.elsewhere("pkg") == ("src/pkg",)


# --- bounds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000,
        "-" * 50_000 + "1",
        "x = " + "[" * 90 + "]" * 90 + "\n" + "if x:\n " * 1,
        "a" + ".b" * 20_000,
        "x = " + "1+" * 20_000 + "1",
        "\n".join("  " * i + "if x:" for i in range(300)),
        "x = '''" + "y" * 100_000,
        b"\x00\x01\x02import os",
        "x = " + "9" * 5000,
        "\ud800".encode("utf-16", "surrogatepass"),
        "def f():\n\treturn 1\n        return 2",
        "print " * 20_000,
        "print 'a;" * 20_000,
        "print " + "\\'" * 50_000,
        ("print " + "\\'" * 200 + "(\n") * 500,
        "import " + "a," * 50_000,
        'x = ( "' + '\\\\"' * 100_000,
        "a:" + ":" * 150 + " " * 300_000,
        "!" + "\\\n" * 50_000,
    ],
)
def test_text_made_to_break_parsers_is_reported(text: str | bytes) -> None:
    source = script(text)
    assert isinstance(source.imports, tuple)
    assert source.tree is None or source.error or list(calls(source)) == []


def test_deep_trees_are_given_up_before_they_exhaust_a_visitor() -> None:
    source = script("x = " + "1 + " * 400 + "1\nf()")
    assert source.tree is None
    assert source.error == "is nested too deeply to be looked at"
    ast.dump(script("x = " + "1 + " * 200 + "1").tree or ast.Module([], []))


def test_files_too_long_to_parse_are_left_out() -> None:
    code = code_of({"big.py": "x = 1\n" * 400_000, "a.py": ""})
    assert code.left_out == ("big.py: is larger than 2,097,152 bytes",)


def test_code_beyond_the_limit_is_left_out_farthest_from_the_root_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.code.loader._MOST_SOURCE_BYTES", 10)
    code = code_of({"deep/er/a.py": "import os", "train.py": "import sys, os"})
    assert code.left_out == ("deep/er/a.py: comes after 10 bytes of other code",)


def test_much_code_is_parsed_again_instead_of_kept() -> None:
    long = "# a comment\n" * 170_000
    code = code_of({f"{i}.py": f"f{i}()\n{long}" for i in range(4)})
    assert [called(s) for s in code.sources for _ in range(2)] == [[f"f{i}"] for i in range(4) for _ in range(2)]
    assert len(code.shelf.kept) == 3


@given(st.text(alphabet="%!?xpi =(')[\\\n#\"1.", max_size=60))
def test_neutralising_keeps_the_number_of_lines(text: str) -> None:
    plain, _ = neutralised(text, "a")
    assert plain.count("\n") == text.count("\n")


KEYS = ["cells", "worksheets", "source", "cell_type", "outputs", "execution_count", "metadata", "output_type"]
JSON = st.recursive(
    st.none() | st.integers() | st.sampled_from(["code", "error", "x = 1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=4))
def test_any_json_called_notebook_is_read_or_refused(data: Any) -> None:
    source = script(json.dumps(data), "a.ipynb")
    assert isinstance(source.imports, tuple)
    assert isinstance(source.errors, tuple)


@pytest.mark.parametrize("path", ["train.py", "analysis.R", "run.jl", "report.qmd"])
def test_what_is_not_text_is_not_read_as_code(path: str) -> None:
    source = script(b"\x89PY\r\n\x1a\n\0\0" + bytes(range(256)) * 40, path)
    assert (source.unread, source.text, source.tree) == ("is not text", "", None)


def test_the_trees_of_a_repository_go_with_it_and_need_no_collector() -> None:
    files: dict[str, str | bytes] = {f"f{i}.py": "import numpy\nnumpy.random.seed(1)\n" for i in range(3)}
    gc.collect()
    gc.disable()
    try:
        code = code_of(files)
        trees = [weakref.ref(source.tree) for source in code.sources if source.tree and calls(source)]
        assert len(trees) == 3
        del code
        assert [tree() for tree in trees] == [None, None, None]
    finally:
        gc.enable()


def test_a_source_is_read_after_its_repository_is_gone() -> None:
    source = script("import numpy as np\nnp.random.seed(1)\n")
    assert called(source) == ["numpy.random.seed"]
    assert source.tree is source.tree
