"""Files of experiment tools that say which environment to use: MLflow's MLproject and python_env, Replicate's cog."""

from __future__ import annotations

from assay.findings import Location
from assay.repository.environment.declared import Kind, Problem, Reading
from assay.repository.environment.manifests.requirements import include, logical_lines, read_line
from assay.repository.environment.manifests.versions import add_python
from assay.repository.environment.yaml_nodes import Node, read_yaml
from assay.tree import File, Tree


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
