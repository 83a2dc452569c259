"""Files of tools that say which environment to use: MLproject and python_env, cog, BentoML's and Truss' services."""

from __future__ import annotations

import re

from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import Kind, Problem, Reading
from assay.repository.environment.manifests.conda import declared_spec
from assay.repository.environment.manifests.installers import read_command
from assay.repository.environment.manifests.requirements import include, logical_lines, read_line
from assay.repository.environment.manifests.versions import add_python
from assay.repository.environment.requirement import Context
from assay.repository.environment.yaml_nodes import Node, read_yaml
from assay.tree import File, Tree

_TRUSS = regex(r"^python_version:[ \t]*[\"']?py3\d", re.MULTILINE)


def read_mlproject(file: File, tree: Tree) -> Reading:
    """MLproject: it only names the file that declares."""
    reading = Reading(Kind.MLPROJECT)
    root = _root(file, reading)
    for key, kind in (("conda_env", Kind.CONDA), ("python_env", Kind.PYTHON_ENV)):
        named = root.get(key)
        if named.text:
            include(named.text, kind, Location(file.path, named.line), reading, tree)
    return reading


def read_python_env(file: File, tree: Tree) -> Reading:
    """python_env.yaml: the version of Python, and requirements for building and running."""
    reading = Reading(Kind.PYTHON_ENV)
    root = _root(file, reading)
    _add_version(root.get("python"), file, reading)
    _add_all(root.get("build_dependencies"), "build", file, reading, tree)
    _add_all(root.get("dependencies"), "", file, reading, tree)
    return reading


def read_cog(file: File, tree: Tree) -> Reading:
    """cog.yaml: the part `build`."""
    reading = Reading(Kind.COG)
    build = _root(file, reading).get("build")
    _add_version(build.get("python_version"), file, reading)
    _add_all(build.get("python_packages"), "", file, reading, tree)
    named = build.get("python_requirements")
    if named.text:
        include(named.text, Kind.REQUIREMENTS, Location(file.path, named.line), reading, tree)
    for step in build.get("run"):
        read_command(step.text or step.get("command").text or "", Location(file.path, step.line), reading, tree)
    return reading


def read_bento(file: File, tree: Tree) -> Reading:
    """bentofile.yaml: the parts `python` and `conda`."""
    reading = Reading(Kind.SERVICE)
    root = _root(file, reading)
    python, conda = root.get("python"), root.get("conda")
    _add_all(python.get("packages"), "", file, reading, tree)
    if (named := python.get("requirements_txt")).text:
        include(named.text, Kind.REQUIREMENTS, Location(file.path, named.line), reading, tree)
    if (named := conda.get("environment_yml")).text:
        include(named.text, Kind.CONDA, Location(file.path, named.line), reading, tree)
    for entry in conda.get("dependencies"):
        spec = declared_spec(entry.text or "", Context(reading.kind, Location(file.path, entry.line)))
        reading.declared += [spec] if spec is not None else []
    _add_all(conda.get("pip"), "", file, reading, tree)
    return reading


def is_truss(text: str) -> bool:
    """Whether a config.yaml is that of a model which Truss serves; it says `py311` where others would say 3.11."""
    return _TRUSS.search(text) is not None and "\nrequirements" in f"\n{text}"


def read_truss(file: File, tree: Tree) -> Reading:
    """config.yaml of Truss: requirements, or the file that has them."""
    reading = Reading(Kind.SERVICE)
    root = _root(file, reading)
    _add_all(root.get("requirements"), "", file, reading, tree)
    if (named := root.get("requirements_file")).text:
        include(named.text, Kind.REQUIREMENTS, Location(file.path, named.line), reading, tree)
    return reading


def _root(file: File, reading: Reading) -> Node:
    try:
        return read_yaml(file.text())
    except ValueError as error:
        reading.problems.append(Problem(Location(file.path), str(error)))
        return Node(1)


def _add_version(node: Node, file: File, reading: Reading) -> None:
    if node.text:
        add_python(node.text, Location(file.path, node.line), reading)


def _add_all(listed: Node, group: str, file: File, reading: Reading, tree: Tree) -> None:
    for node in listed:
        for _, line in logical_lines(node.text or ""):
            read_line(line, Location(file.path, node.line), group, reading, tree)
