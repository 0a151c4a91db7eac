"""What a page says and refers to, as a parser of HTML sees it."""

from __future__ import annotations

from html.parser import HTMLParser

_VOID = ("meta", "br", "wbr")


class Page(HTMLParser):
    """The text of a page, the tags that stay open, and what it refers to."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self._references: list[str] = []
        self._ids: list[str] = []
        self.feed(html)

    @property
    def elsewhere(self) -> list[str]:
        """What lies outside of the page."""
        return [each for each in self._references if not each.startswith("#")]

    @property
    def dangling(self) -> list[str]:
        """Links within the page that lead nowhere, and ids that are there twice."""
        links = [each[1:] for each in self._references if each.startswith("#")]
        return [each for each in {*links, *self._ids} if self._ids.count(each) != 1]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._references += [str(value) for name, value in attrs if name in ("src", "href")]
        self._ids += [str(value) for name, value in attrs if name == "id"]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
