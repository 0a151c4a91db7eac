"""The pages of the rules' documentation: one a rule, and the list of all by family."""

from __future__ import annotations

from collections.abc import Iterator

from trainergen.rules.declare import FAMILIES, Rule
from trainergen.rules.documentation import HEADINGS, Block, documentation_of
from trainergen.rules.registry import function_of, options_of

_FAMILY_WORDS = {
    "references": "References",
    "resources": "Counts, resources and topology",
    "frameworks": "Frameworks",
    "scheduling": "Scheduling, names, life cycle, networking",
    "security": "Security",
    "gitops": "GitOps",
    "upgrade": "Upgrades",
    "tool": "The tool itself",
}
_VIEW_WORDS = {
    "source": "each object as it is written",
    "job": "each TrainJob with its runtime, rendered",
    "change": "objects that differ from `--base`",
    "workspace": "all files together",
    "kustomization": "each kustomization and what it refers to",
    "chart": "each Helm chart",
    "argo-application": "Argo CD Applications and what they deliver",
    "flux-object": "objects of Flux and what they deliver",
    "unrenderable": "accepted TrainJobs of which the controller makes nothing",
    "directive": "comments and annotations that ignore findings",
    "failure": "trainergen's own rules",
}
_INTRODUCTION = """\
What the cluster accepts and nobody wants. `trainergen rules` lists the rules, `trainergen explain TG301` shows one.
A profile holds the rules of those before it: minimal, recommended (the default), strict, production."""


def page_name(rule: Rule) -> str:
    """The file of a rule's page."""
    return f"{rule.id}-{rule.name}.md"


def page_files(rules: dict[str, Rule]) -> Iterator[tuple[str, str]]:
    """Name and text of every page."""
    yield "index.md", index_page(rules)
    for rule in rules.values():
        yield page_name(rule), rule_page(rule)


def rule_page(rule: Rule) -> str:
    """The page of a rule."""
    documentation = documentation_of(function_of(rule))
    parts = [f"# {rule.id} {rule.name}", documentation.summary, _facts(rule)]
    for heading in HEADINGS:
        if heading in documentation.sections:
            parts += [f"## {heading}", _shown(documentation.sections[heading])]
    if rule.options:
        parts += ["## Options", _options(rule)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _shown(section: str) -> str:
    """A section with the names of its files above them, and without marks."""
    from trainergen.rules.documentation import DEFAULT_TITLE, blocks_in

    text = section
    for block in blocks_in(section):
        titled = block.title != DEFAULT_TITLE
        head = f'```{block.language} title="{block.title}"\n' if titled else f"```{block.language}\n"
        caption = f"{_caption(block)}\n\n" if titled else ""
        text = text.replace(f"{head}{block.text}```", f"{caption}```{block.language}\n{block.plain}```", 1)
    return text


def _caption(block: Block) -> str:
    return f"`{block.file}` before:" if block.is_base else f"`{block.file}`:"


def _facts(rule: Rule) -> str:
    rows = [
        ("Severity", rule.severity),
        ("Profile", f"{rule.profile} and stricter"),
        ("Family", rule.family.replace(".", ", ")),
        ("Looks at", _VIEW_WORDS[rule.view]),
        ("Kinds", ", ".join(rule.kinds)),
        ("Releases", _releases(rule)),
        ("Needs", "; ".join(rule.needs)),
        ("Fix", {"none": "none", "safe": "`--fix`", "unsafe": "`--fix --unsafe`"}[rule.fix]),
        ("Public threads and checks", ", ".join(map(_link, rule.mirrors))),
        ("Answers", ", ".join(rule.answers)),
    ]
    return "\n".join(["| | |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in rows if value)])


def _releases(rule: Rule) -> str:
    if rule.since and rule.until:
        return f"{rule.since} to {rule.until}"
    return f"{rule.since} and later" if rule.since else f"up to {rule.until}" if rule.until else ""


def _link(mirror: str) -> str:
    repository, hash_sign, number = mirror.partition("#")
    if not hash_sign or not number.isdigit():
        return mirror
    return f"[{mirror}](https://github.com/{repository}/issues/{number})"


def _options(rule: Rule) -> str:
    import dataclasses

    declared = options_of(rule)
    assert declared is not None
    lines = [f"Set under `check.rules.{rule.name}`:", ""]
    default = declared()
    for field in dataclasses.fields(declared):
        value = getattr(default, field.name)
        lines.append(f"- `{field.name.replace('_', '-')}` (default `{value}`): {field.metadata.get('description', '')}")
    return "\n".join(lines)


_ELSEWHERE = """\
Some needs are not for a rule, since the cluster itself speaks or another command answers.

| need | answered by |
| --- | --- |
| A78 | admission on update, by release: TG142 and TG143 with `--base` |
| A114 | `trainergen schema json`: the schemas of each release in the layout of kubeconform |
| A116 | the layer `cel`: the rules of the resource definitions, those on changes with `--base` |
| A120 | `check --release` for each release, `render` and `diff` between them |
| A125 | the layer `schema`: TG102 on a quantity that is no text and no integer |"""


def index_page(rules: dict[str, Rule]) -> str:
    """The list of all rules by family, with what each answers."""
    parts = [
        "# Rules",
        _INTRODUCTION,
    ]
    for family in FAMILIES:
        members = [rule for rule in rules.values() if rule.family.partition(".")[0] == family]
        if members:
            parts += [f"## {_FAMILY_WORDS[family]}", _table(members)]
    parts += ["## Answered elsewhere", _ELSEWHERE]
    return "\n\n".join(parts) + "\n"


def _table(rules: list[Rule]) -> str:
    lines = [
        "| id | name | severity | profile | fix | what | answers | public threads |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for rule in rules:
        cells = (
            f"[{rule.id}]({page_name(rule)})",
            rule.name,
            rule.severity,
            rule.profile,
            rule.fix,
            rule.summary,
            ", ".join(rule.answers),
            ", ".join(map(_link, rule.mirrors)),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
