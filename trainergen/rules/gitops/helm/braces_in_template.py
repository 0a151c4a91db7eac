"""Braces of another language that Helm takes for its own."""

from __future__ import annotations

import re

from trainergen.rules import Chart, Findings, rule

_FOREIGN = re.compile(
    r"\{\{-?\s*(?:messages?|message\[|bos_token|eos_token|system_message|content|raise_exception|loop)\b[^}\n]*\}\}"
    r"|\{%-?[^%\n]*%\}"
)


@rule("TG731", "braces-in-template", severity="warning", answers=("H018",))
def braces_in_template(chart: Chart) -> Findings:
    """A chart's template holds a chat template or other Jinja text, whose braces Helm interprets.

    ## Why
    Helm renders every `{{ … }}` of a template. A chat template of a model, or a Jinja expression in the arguments of a
    TrainJob, is no Helm: the chart fails to render, or the text arrives with holes. Texts of that kind belong into a
    file that is read by `.Files.Get`, or between backquotes.

    ## Bad
    ```yaml title="chart/Chart.yaml"
    apiVersion: v2
    name: finetune
    version: 1.0.0
    ```
    ```yaml title="chart/templates/chat.yaml"
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: chat
    data:
      template: |
        {% for message in messages %}
        {{ message.content }}
        {% endfor %}
    ```

    ## Good
    ```yaml title="chart/Chart.yaml"
    apiVersion: v2
    name: finetune
    version: 1.0.0
    ```
    ```yaml title="chart/templates/chat.yaml"
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: chat
    data:
      template: {{ .Files.Get "chat.jinja" | quote }}
    ```
    """
    for template in chart.templates:
        found = _FOREIGN.search(template.text)
        if found is not None:
            yield template.at(found.start(), found.end()).report(
                f"'{found.group()}' is no Helm, but Helm will interpret it",
                help="Read the text with .Files.Get, or put it between backquotes: {{ `…` }}.",
            )
