"""The frame of a page: its head, its style in light, dark and on paper, and its contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.output.pages.blocks import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# NB: lines of a patch are wrapped with a hanging indent, and never scroll: what scrolls is cut off on paper.
_STYLE = """\
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2024; --soft: #5b6470; --line: #d5dae0; --block: #f5f7f9;
  --add: #dcf5e3; --del: #fde3e1; --hunk: #e6effc; --error: #b3261e; --warning: #8a5300; --info: #35618e;
  --link: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --ink: #e3e6ea; --soft: #a0a9b4; --line: #363d46;
  --block: #1e2228; --add: #17351f; --del: #44201d; --hunk: #1d2c42; --error: #ff8a80; --warning: #ffb95c;
  --info: #93c2f5; --link: #8ab8ff; } }
* { box-sizing: border-box; }
body { font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 68rem;
  margin: 2rem auto 4rem; padding: 0 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; margin: 2.5rem 0 .8rem; }
h3 { font-size: 1.05rem; margin: 1.8rem 0 .4rem; } h4 { font-size: .95rem; margin: 1.2rem 0 .3rem; }
a { color: var(--link); } code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
nav { color: var(--soft); } nav a { margin-right: .9rem; white-space: nowrap; } .soft { color: var(--soft); }
ul, ol { padding-left: 1.6rem; margin: .4rem 0; } li { margin: .25rem 0; } p { margin: .5rem 0; }
.counts { display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; margin: 1rem 0; list-style: none; }
.counts li { border: 1px solid var(--line); border-radius: 6px; background: var(--block); padding: .4rem .9rem;
  margin: 0; } .counts b { font-size: 1.25rem; display: block; line-height: 1.3; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; margin: .6rem 0; }
td, th { text-align: left; vertical-align: top; padding: .4rem .7rem .4rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; font-size: .85rem; } td p, td pre { margin: 0; }
.error, .held { color: var(--error); } .warning { color: var(--warning); } .info { color: var(--info); }
.error, .warning, .info, .held { font-weight: 600; } .remedy { color: var(--soft); }
.remedy::before { content: "→ "; }
pre { margin: .6rem 0; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 6px; font-size: 12.5px;
  line-height: 1.5; background: var(--block); white-space: pre-wrap; overflow-wrap: anywhere; }
pre span { display: block; min-height: 1.5em; padding-left: 2.4em; text-indent: -2.4em; }
pre .add { background: var(--add); } pre .del { background: var(--del); } pre .hunk { background: var(--hunk); }
pre .name { color: var(--soft); }
details { margin: .6rem 0; } summary { cursor: pointer; color: var(--link); }
@media (max-width: 40rem) { body { margin-top: 1rem; padding: 0 .8rem; } thead { display: none; }
  table, tbody, tr, td { display: block; width: 100%; } tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td { border: 0; padding: .05rem 0; } td[data-head]::before { content: attr(data-head) ": "; color: var(--soft); }
  pre { font-size: 11.5px; padding: .5rem; } }
@media print { :root { color-scheme: light; } body { margin: 0; max-width: none; font-size: 10.5pt; }
  nav { display: none; } pre, pre span { print-color-adjust: exact; } pre { font-size: 8.5pt; }
  h2, h3, h4 { break-after: avoid; } tr, li { break-inside: avoid; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; } }
"""


def document(title: str, body: Iterable[str], *, contents: Mapping[str, str] | None = None) -> str:
    """A page called ``title``; ``contents`` are the ids and names of its chapters."""
    links = "".join(f'<a href="#{text(key)}">{text(name)}</a> ' for key, name in (contents or {}).items())
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f"<title>{text(title)}</title>",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>\n{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>{text(title)}</h1>",
        *([f"<nav>{links}</nav>"] if links else []),
        *body,
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"
