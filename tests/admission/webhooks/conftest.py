"""Tables of webhook tests.

A test module holds ``CASES``: the sentence that describes a case, and the case. ``said`` is what the webhook is to say,
as ``<check> <path>``, either for every release named in ``release`` or per release.
"""

from __future__ import annotations

import pytest

from tests.admission.webhooks.world import Case, says


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each line of ``CASES`` to the test that asks for a ``case``, once for each release it names."""
    if "case" not in metafunc.fixturenames:
        return
    params = []
    for sentence, line in metafunc.module.CASES.items():
        said = line.get("said", [])
        releases = said if isinstance(said, dict) else dict.fromkeys(line.get("release", "2.3").split(), said)
        rest = {key: value for key, value in line.items() if key not in ("release", "said")}
        for release, wanted in releases.items():
            params.append(pytest.param(Case(release, wanted, **rest), id=f"{sentence} ({release})"))
    metafunc.parametrize("case", params)


@pytest.fixture
def check_case():
    """Assert that the webhook says what a case wants, and leaves undecided what it wants."""

    def check(case: Case) -> None:
        admission = case.admit()
        assert says(admission) == case.said
        assert admission.refused is any(not line.startswith("(warning)") for line in case.said)
        if case.undecided is not None:
            assert [item.reason for item in admission.not_evaluated] == case.undecided

    return check
