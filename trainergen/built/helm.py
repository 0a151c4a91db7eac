"""Rendering a chart: a copy of it, with what of its dependencies lies in the repository."""

from __future__ import annotations

import json
import os
import posixpath
import re
import site
from dataclasses import replace
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from trainergen.built.build import Build, Origin, Target
from trainergen.built.checks import BUILD_FAILED
from trainergen.built.tools import HELM_MISSING, find_helm
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from trainergen.built.process import Ran
    from trainergen.built.runs import Runs
    from trainergen.built.sandbox import Sandbox
    from trainergen.built.tools import Tool
    from trainergen.finding import JsonObject

_SOURCE = re.compile(r"^---[ \t]*\n# Source: (.+)\n", re.MULTILINE)
_PLACE = re.compile(r"(?: ?at)? ?\(?([\w.-]+(?:/[\w.-]+)*/templates/[\w./-]+?):(\d+)(?::(\d+))?\)?:? ?")
_NAMED = re.compile(r"on ([\w.-]+(?:/[\w.-]+)*/templates/[\w./-]+)")
_LONGEST_NAME = 53


def build_chart(target: Target, sandbox: Sandbox, runs: Runs, values: tuple[str, ...] = ()) -> Build:
    """Render a chart in a sandbox with its values and those of the files ``values``."""
    build = Build(target)
    tool = find_helm()
    if tool is None:
        build.leave(f"it is not rendered: {HELM_MISSING}")
        return build
    root = sandbox.take_folder(target.root)
    build.inputs = frozenset(path for path in sandbox.files if _is_template(path.relative_to(root).parts))
    _supply(build, sandbox, root)
    given = [str(sandbox.place(sandbox.take(FilePath(os.path.realpath(name))))) for name in values]
    ran = _rendered(tool, build, sandbox, runs=runs, values=given)
    if ran.broken or ran.code in (126, 127):
        build.leave(f"it is not rendered: helm {ran.broken or 'cannot be run without its environment'}")
        return build
    templates, error = _answer(tool, ran)
    if error:
        _explain(build, sandbox.without_places(error))
    else:
        _keep(build, templates)
    return build


def real_name(build: Build, source: str) -> str:
    """The file of a template, relative to the chart's folder, by the name that helm gives it."""
    name = source.partition("/")[2]
    for folder, place in build.folders.items():
        if name.startswith(f"{folder}/"):
            return posixpath.normpath(posixpath.join(place, name[len(folder) + 1 :]))
    return name


def _is_template(parts: tuple[str, ...]) -> bool:
    return "templates" in parts[:-1] and (parts[0] == "templates" or parts[0] == "charts")


def _supply(build: Build, sandbox: Sandbox, root: FilePath) -> None:
    """Put dependencies of the repository into ``charts``, and take those out that would be fetched."""
    document = build.target.document
    listed = document.object.get("dependencies")
    kept = []
    folders: dict[str, str] = {}
    for index, one in enumerate(listed if isinstance(listed, list) else ()):
        name = one.get("name") if isinstance(one, dict) else None
        repository = one.get("repository") if isinstance(one, dict) else None
        if not isinstance(name, str) or _is_there(root, name):
            kept.append(one)
            continue
        place = repository.removeprefix("file://") if isinstance(repository, str) else ""
        if place != repository and (root / place / "Chart.yaml").is_file():
            kept.append(one)
            folders[f"charts/{name}"] = place
            _put(sandbox, sandbox.take_folder(root / place), root / "charts" / name)
        else:
            reason = f"the dependency '{name}' is not in charts/ and is not fetched: its objects are missing"
            build.leave(reason, document=document, at=("dependencies", index))
    build.folders = folders
    if isinstance(listed, list) and len(kept) < len(listed):
        changed: JsonObject = {**document.object, "dependencies": kept}
        sandbox.write(root / "Chart.yaml", json.dumps(changed).encode())
        sandbox.place(root / "Chart.lock").unlink(missing_ok=True)


def _is_there(root: FilePath, name: str) -> bool:
    charts = root / "charts"
    return (charts / name / "Chart.yaml").is_file() or any(charts.glob(f"{name}-*.tgz"))


def _put(sandbox: Sandbox, folder: FilePath, place: FilePath) -> None:
    for path, data in list(sandbox.files.items()):
        if path.is_relative_to(folder):
            sandbox.write(place / path.relative_to(folder), data)


def _rendered(tool: Tool, build: Build, sandbox: Sandbox, *, runs: Runs, values: list[str]) -> Ran:
    name = str(build.target.document.object.get("name"))[:_LONGEST_NAME]
    chart = str(sandbox.place(build.target.root))
    if tool.is_sdk:
        request = json.dumps({"chart": chart, "name": name, "values": values}).encode()
        # NB: what a user installed for themselves is found by HOME, which the sandbox changes.
        return runs.run(tool.command, sandbox, stdin=request, more={"PYTHONUSERBASE": site.getuserbase()})
    given = [word for file in values for word in ("--values", file)]
    return runs.run([*tool.command, name, chart, "--namespace", "default", *given], sandbox)


def _answer(tool: Tool, ran: Ran) -> tuple[list[tuple[str, str]], str]:
    """The rendered templates, each with its name, or why there are none."""
    if not tool.is_sdk:
        if ran.code != 0:
            return [], ran.err or f"helm ends with {ran.code}"
        parts = _SOURCE.split(ran.out.decode("utf-8", "replace"))
        if len(parts) == 1 and parts[0].strip():
            return [], "what helm gives names no templates"
        return list(zip(parts[1::2], parts[2::2], strict=True)), ""
    try:
        answer = json.loads(ran.out)
        if ran.code == 0 and "error" in answer:
            return [], str(answer["error"])
        found = [(name, text) for name, text in sorted(answer["templates"].items()) if not name.endswith("NOTES.txt")]
    except (ValueError, KeyError, TypeError, AttributeError):
        return [], ran.err or "the Helm SDK gives no answer"
    return found, ""


def _keep(build: Build, templates: list[tuple[str, str]]) -> None:
    objects: list[JsonObject] = []
    for source, text in templates:
        result = read_documents(text.encode(), file=source)
        for failure in result.failures:
            _fail(build, f"what it renders to is no valid YAML: {failure.finding.message}", real_name(build, source))
        for document in result.documents:
            if isinstance(document.value, dict):
                objects.append(document.object)
                build.origins.append(Origin(real_name(build, source)))
    build.objects = objects


def _explain(build: Build, text: str) -> None:
    message = _shortened(text)
    if build.not_evaluated:
        build.leave(f"it cannot be rendered without what is missing: {message}")
        return
    place = _PLACE.search(text)
    if place is not None:
        name = real_name(build, place[1])
        _fail(
            build,
            f"helm cannot render it: {_PLACE.sub(': ', message).strip(': ')}",
            name,
            line=int(place[2]),
            # NB: Go's templates count columns from 0.
            column=int(place[3] or 0) + 1,
        )
        return
    named = _NAMED.search(text)
    if named is not None:
        _fail(build, f"helm cannot render it: {message}", real_name(build, named[1]))
        return
    build.fail(f"helm cannot render it: {message}", "Run 'helm template' on the chart to see all of it.")


def _fail(build: Build, message: str, name: str, *, line: int = 1, column: int = 1) -> None:
    """Report a failure in a template; at the chart when it lies in no file, as that of a packed dependency."""
    help_ = "Run 'helm template' on the chart to see all of it."
    if not (build.target.root / name).is_file():
        build.fail(message, help_)
        return
    shown = posixpath.normpath(posixpath.join(build.target.folder, name))
    finding = BUILD_FAILED.at((), message, help=help_)
    build.findings.append(
        replace(
            finding,
            file=shown,
            line=line,
            column=column,
            end_line=line,
            end_column=column,
            object=build.target.document.ref,
        )
    )


def _shortened(text: str) -> str:
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    kept = [line for line in lines if not line.startswith(("Use --debug", "WARNING"))]
    message = " ".join(kept).removeprefix("Error: ").removeprefix("execution error")
    return message if len(message) <= 240 else f"{message[:240]}…"
