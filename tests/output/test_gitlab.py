"""GitLab Code Quality: the keys that GitLab demands, and fingerprints that are unique."""

from __future__ import annotations

import json

from trainergen.output import render


def test_every_issue_has_what_gitlab_demands(rich, options):
    issues = json.loads(render("gitlab", rich, options))

    assert len(issues) == len(rich.findings) + len(rich.not_evaluated)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    for issue in issues:
        assert {"description", "check_name", "fingerprint", "severity", "location"} == set(issue)
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert issue["location"]["lines"]["begin"] >= 1
