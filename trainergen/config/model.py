"""The form of the configuration file, for validation and for the published JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from trainergen.finding import Layer  # noqa: TC001 - pydantic reads the annotation when the class is made
from trainergen.report import FAIL_ON

FormatName = Literal["text", "json", "sarif", "junit", "github", "gitlab", "markdown"]
FailOn = Literal["error", "warning", "not-evaluated"]
Text = Annotated[str, StringConstraints(min_length=1)]
CheckName = Annotated[
    str,
    StringConstraints(
        pattern=r"^(TG[0-9]{0,3}|[A-SU-Z][A-Z]{1,11}[0-9]{0,4}|T[A-FH-Z][A-Z]{0,10}[0-9]{0,4}|[a-z0-9]+([-.][a-z0-9]+)*)$"
    ),
]
Profile = Literal["minimal", "recommended", "strict", "production"]


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


FailOnList = Annotated[
    tuple[FailOn, ...],
    BeforeValidator(_as_list),
    WithJsonSchema({"anyOf": [{"enum": [*FAIL_ON]}, {"type": "array", "items": {"enum": [*FAIL_ON]}}]}),
]
# Text to us, but an editor takes an unquoted 2.3 for a number.
ReleaseName = Annotated[Text | None, WithJsonSchema({"type": ["string", "number"]})]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False)


class OutputEntry(_Section):
    """A report to write to a file."""

    format: FormatName = Field(description="The format of the report.")
    file: Text = Field(description="The file, relative to the folder of the configuration.")


class PathEntry(_Section):
    """What holds for some files only."""

    paths: tuple[Text, ...] = Field(
        description="Patterns as in .gitignore, relative to the folder of the configuration.", min_length=1
    )
    ignore: tuple[CheckName, ...] = Field(
        default=(), description="Checks to leave out there, by id, start of an id, or name."
    )
    severity: dict[Text, Text] = Field(
        default_factory=dict, description="Severities of rules there, by name or id of the rule."
    )


class CheckSection(_Section):
    """Settings of the command ``check``."""

    paths: tuple[Text, ...] = Field(
        default=(), description="Files and folders to check when the command line names none."
    )
    exclude: tuple[Text, ...] = Field(default=(), description="Patterns of files to leave out, as in .gitignore.")
    runtimes: tuple[Text, ...] = Field(
        default=(), description="Folders with runtimes that the checked TrainJobs refer to."
    )
    policies: tuple[Text, ...] = Field(
        default=(), description="Folders with admission policies that the cluster has, besides those that are checked."
    )
    outputs: tuple[OutputEntry, ...] = Field(
        default=(), description="Reports to write besides the one on standard output."
    )
    fail_on: FailOnList = Field(default=(), alias="fail-on", description="What makes a run fail; errors always do.")
    layers: tuple[Layer, ...] = Field(default=(), description="The layers to check; all when empty.")
    profile: Profile | None = Field(
        default=None, description="Which rules are on; each profile has those before it. By default recommended."
    )
    select: tuple[CheckName, ...] = Field(
        default=(), description="Checks to run, by id, start of an id, name or family; by default all of the profile."
    )
    ignore: tuple[CheckName, ...] = Field(
        default=(), description="Checks to leave out, by id, start of an id, name or family."
    )
    baseline: Text | None = Field(
        default=None, description="The file with known findings that 'trainergen baseline' wrote; they are left out."
    )
    rules: dict[Text, dict[str, Any]] = Field(
        default_factory=dict, description="Severity and options of rules, by name or id of the rule."
    )
    per_path: tuple[PathEntry, ...] = Field(
        default=(), alias="per-path", description="Settings for some files only; later entries win."
    )


class ConfigFile(_Section):
    """Configuration of trainergen: trainergen.yaml, or the table tool.trainergen in pyproject.toml."""

    release: ReleaseName = Field(
        default=None,
        description="The Trainer release of the cluster, such as 2.3; by default what the repository pins.",
    )
    check: CheckSection = Field(default_factory=CheckSection, description="Settings of the command check.")
    build: dict[str, Any] | None = Field(
        default=None, description="The specification for the command build, which looks at it by itself."
    )
