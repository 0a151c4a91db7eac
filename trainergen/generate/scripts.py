"""Programs of one file: in a ConfigMap that the Pods mount, or in the arguments."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from trainergen.generate.names import content_hash

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.generate.pods import PodTemplate
    from trainergen.generate.runtimes import BuiltRuntime
    from trainergen.generate.setting import Setting
    from trainergen.generate.spec import Script

FOLDER = "/opt/trainergen"
VOLUME = "script"
_FILE_NAME = re.compile(r"[-._a-zA-Z0-9]{1,253}", re.ASCII)
_MAX_BYTES = 900_000
_MAX_ARGUMENT = 100_000
_TORCH = ("torch", "torchtune")
_LAUNCHED = ("mpi", "deepspeed", "mlx")


class Program(NamedTuple):
    """A script as a job carries it: its ConfigMap if it has one, and the words that run it."""

    config_map: JsonObject | None
    command: list[str]
    """What to run it with, where neither job nor runtime say so."""
    args: list[str]
    """The arguments before those of the job."""


def program(setting: Setting, key: str, script: Script, runtime: BuiltRuntime, *, path: Path) -> Program | None:
    """The script of the job ``key``; None, and a fault, when it cannot be read or carried."""
    text = _read(setting, script, path)
    if text is None:
        return None
    command = _command(runtime)
    if script.place == "args":
        if len(text.encode()) > _MAX_ARGUMENT:
            setting.faults.add(
                (*path, "file"),
                f"'{script.file}' is too large for an argument, which may have {_MAX_ARGUMENT} bytes",
                "Write in: config-map.",
            )
        launcher = (runtime.command or command)[0]
        before = ["--no-python", "python3"] if launcher == "torchrun" else ["python3"] if launcher == "mpirun" else []
        return Program(None, command, [*before, "-c", text])
    name = PurePosixPath(script.file).name
    if not _FILE_NAME.fullmatch(name):
        setting.faults.add(
            (*path, "file"),
            f"'{name}' cannot be the name of a file in a ConfigMap",
            "Rename it, with letters, digits, dots, hyphens and underscores only.",
        )
    metadata: JsonObject = {
        "name": f"{setting.spec.name}-{key}-{content_hash(name, text)}",
        "namespace": setting.namespace,
    }
    config_map: JsonObject = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": metadata,
        "immutable": True,
        "data": {name: text},
    }
    launcher = (runtime.command or command)[0]
    before = ["python3"] if launcher == "mpirun" else []
    return Program(config_map, command, [*before, f"{FOLDER}/{name}"])


def _read(setting: Setting, script: Script, path: Path) -> str | None:
    file = setting.root / script.file
    if file in setting.texts:
        return setting.texts[file]
    try:
        data = file.read_bytes()
        text = data.decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        setting.faults.add(
            (*path, "file"), f"the script '{script.file}' cannot be read: {reason}", "Check the path of the script."
        )
        return None
    except UnicodeDecodeError:
        setting.faults.add((*path, "file"), f"the script '{script.file}' is not UTF-8 text", "Save it as UTF-8.")
        return None
    if len(data) > _MAX_BYTES:
        setting.faults.add(
            (*path, "file"),
            f"the script '{script.file}' has {len(data)} bytes, but a ConfigMap holds at most {_MAX_BYTES}",
            "Put the program into the image.",
        )
        return None
    setting.texts[file] = text
    return text


def _command(runtime: BuiltRuntime) -> list[str]:
    """The command that starts a script on a runtime, empty where the runtime has one."""
    if runtime.command:
        return []
    if runtime.framework in _TORCH:
        return ["torchrun"]
    return ["mpirun"] if runtime.framework in _LAUNCHED else ["python3"]


def mounted(config_map: JsonObject, template: PodTemplate) -> tuple[JsonObject, JsonObject]:
    """The volume of a Pod with the script, and the mount of its container."""
    assert template.trains
    metadata = config_map["metadata"]
    assert isinstance(metadata, dict)
    volume: JsonObject = {"name": VOLUME, "configMap": {"name": metadata["name"]}}
    return volume, {"name": VOLUME, "mountPath": FOLDER, "readOnly": True}
