"""The configuration: ``trainergen.yaml`` or ``[tool.trainergen]`` in ``pyproject.toml``, found upwards from a folder.

``release`` is at the top, for every command needs it; what belongs to one command stands under the command's name::

    release: 2.3
    check:
      paths: [jobs, platform]        # relative to the folder of the file, like all paths here
      exclude: [vendor/]             # as in .gitignore
      runtimes: [platform/runtimes]
      outputs: [{format: sarif, file: trainergen.sarif}]
      fail-on: [error, warning]
      layers: [yaml, schema, cel, webhook]
      profile: strict
      select: [TG1, security]
      ignore: [TG105]
      baseline: .trainergen-baseline.json
      rules:
        no-nodes: {severity: warning}        # and the options of the rule, if it has some
      per-path:
        - {paths: [legacy/], ignore: [TG310], severity: {no-nodes: info}}

Below ``build`` is the specification for the command of that name, which only that command looks at. Keys are spelled
like the options of the command line. pydantic and the YAML reader are loaded only when there is a file to read.
"""

from trainergen.config.search import find_config
from trainergen.config.settings import CheckSettings, OutputSetting, Settings, find_settings, load_settings

__all__ = ["CheckSettings", "OutputSetting", "Settings", "find_config", "find_settings", "load_settings"]
