"""The innermost of what kustomize says."""

from __future__ import annotations

import pytest

from trainergen.built.complaints import Failure, failure_in

_ACCUMULATING = "error: accumulating resources: accumulation err='accumulating resources from "
_RECURSED = _ACCUMULATING + "'../x': '/r/x' must resolve to a file': recursed accumulation of path '/r/x': "
_NO_FILE = "evalsymlink failure on '/r/x/no.yaml' : lstat /r/x/no.yaml: no such file or directory"
_MALFORMED = "MalformedYAMLError: yaml: mapping values are not allowed in this context in File: a.yaml"
_TWO_TRIES = f"{_NO_FILE}': must build at directory: not a valid directory: {_NO_FILE}"
_OUTSIDE = "security; file '/r/p.yaml' is not in or below '/r/x'"
_PATCH = "error: trouble configuring builtin PatchTransformer with config: `\npath: ../p.yaml\n`: "


@pytest.mark.parametrize(
    ("text", "failure"),
    {
        "a plain message": ("error: invalid Kustomization", Failure("invalid Kustomization")),
        "a missing resource": (f"{_ACCUMULATING}'no.yaml': {_TWO_TRIES}", Failure(_NO_FILE, "", "no.yaml")),
        "a missing resource of a base": (
            f"{_RECURSED}{_ACCUMULATING[7:]}'no.yaml': {_TWO_TRIES}",
            Failure(_NO_FILE, "/r/x", "no.yaml"),
        ),
        "a broken resource of a base": (
            f"{_RECURSED}accumulating resources: accumulating resources from 'a.yaml': {_MALFORMED}",
            Failure(_MALFORMED, "/r/x", "a.yaml"),
        ),
        "a broken base": (
            f"{_ACCUMULATING}'../x': '/r/x' must resolve to a file': couldn't make target for path '/r/x': no YAML",
            Failure("no YAML", "/r/x"),
        ),
        "the configuration of a transformer in between": (
            f"{_PATCH}failed to get the patch file from path(../p.yaml): {_OUTSIDE}",
            Failure(_OUTSIDE, "", "../p.yaml"),
        ),
        "the log of an older kubectl": (
            'E1129 19:03:28.203516    8819 run.go:72] "command failed" err="a \\"quoted\\" word"',
            Failure('a "quoted" word'),
        ),
        "the log of an older kubectl in several lines": (
            'E1129 19:03:28.6    88 run.go:72] "command failed" err=<\n\ttrouble\n\twith `this`\n >\n',
            Failure("trouble with `this`"),
        ),
        "a warning before the message": ("# Warning: 'bases' is deprecated\nerror: no", Failure("no")),
        "nothing at all": ("", Failure("")),
    }.values(),
)
def test_the_innermost_message_is_taken(text: str, failure: Failure) -> None:
    assert failure_in(text) == failure


def test_a_long_message_is_cut() -> None:
    assert len(failure_in("error: " + "long " * 1000).message) == 241
