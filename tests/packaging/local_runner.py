"""A local runner for composite GitHub actions: enough of one to run ours as it stands, without the network."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

_EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


@dataclass(frozen=True)
class Ended:
    """How a run of the action ended."""

    code: int
    outputs: dict[str, str]
    log: str


def run_action(
    action: Path, workspace: Path, temporary: Path, inputs: Mapping[str, str], env: Mapping[str, str]
) -> Ended:
    """Run every step of the action in `workspace` as the runner of GitHub does; a step that fails ends it."""
    described = yaml.safe_load((action / "action.yml").read_text(encoding="utf-8"))
    given = {name: str(spec.get("default", "")) for name, spec in described["inputs"].items()} | dict(inputs)
    unknown = set(inputs) - set(described["inputs"])
    missing = [name for name, spec in described["inputs"].items() if spec.get("required") and not inputs.get(name)]
    assert not unknown, unknown
    assert not missing, missing
    known: dict[str, str] = {f"inputs.{name}": value for name, value in given.items()}
    files = {name: temporary / name.lower() for name in ("GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_ENV")}
    log, code = "", 0
    path = env.get("PATH", os.environ["PATH"])
    for number, step in enumerate(described["runs"]["steps"]):
        for file in files.values():
            file.write_text("")
        assert step["shell"] == "bash"
        script = temporary / f"step{number}.sh"
        script.write_text(step["run"])
        around = {
            **env,
            **{name: str(file) for name, file in files.items()},
            **{name: _filled(str(value), known) for name, value in step.get("env", {}).items()},
            "PATH": path,
            "RUNNER_TEMP": str(temporary),
            "GITHUB_ACTION_PATH": str(action),
            "GITHUB_WORKSPACE": str(workspace),
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
        ended = subprocess.run(command, cwd=workspace, env=around, capture_output=True, text=True, check=False)
        log += ended.stdout + ended.stderr
        path = os.pathsep.join([*files["GITHUB_PATH"].read_text().split(), path])
        told = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        known |= {f"steps.{step.get('id', number)}.outputs.{name}": value for name, value in told.items()}
        if ended.returncode:
            code = ended.returncode
            break
    outputs = {name: _filled(spec["value"], known) for name, spec in described["outputs"].items()}
    return Ended(code, outputs, log)


def _filled(text: str, known: Mapping[str, Any]) -> str:
    return _EXPRESSION.sub(lambda match: str(known.get(match[1], "")), text)
