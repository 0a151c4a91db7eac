"""What the image is made of, as far as that can be told without building it."""

from __future__ import annotations

import re
import tomllib

from trainergen_controller import serving_options

from tests.controller.install.built import CONTROLLER, container, kustomized

ROOT = CONTROLLER.parent
DOCKERFILE = (CONTROLLER / "Dockerfile").read_text()
REQUIREMENTS = (CONTROLLER / "requirements.txt").read_text()


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked() -> dict[str, str]:
    """Versions by name."""
    return {canonical(name): version for name, version in re.findall(r"^([\w.-]+)==([^ ]+)", REQUIREMENTS, re.M)}


def test_everything_that_the_controller_needs_is_locked_within_its_bounds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = project["dependencies"] + project["optional-dependencies"]["controller"]
    for requirement in needed:
        match = re.fullmatch(r"([\w.-]+)(?:\[\w+\])?>=([\d.]+)", requirement)
        assert match, requirement
        name, least = match.groups()
        version = locked()[canonical(name)]
        assert numbers(version) >= numbers(least), requirement


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def test_every_package_is_known_by_its_hashes() -> None:
    for entry in re.split(r"^(?=[a-z])", REQUIREMENTS.partition("\n\n")[0], flags=re.M):
        if not entry.startswith("#"):
            assert "--hash=sha256:" in entry, entry
    assert "--require-hashes" in DOCKERFILE
    assert "://" not in REQUIREMENTS


def test_the_image_runs_as_the_user_of_the_pods(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from tests.controller.install.built import deployment

    objects = kustomized(tmp_path, "audit")
    context = deployment(objects)["spec"]["template"]["spec"]["securityContext"]
    assert f"USER {context['runAsUser']}:{context['runAsGroup']}" in DOCKERFILE
    ports = {port["containerPort"] for port in container(objects)["ports"]}
    exposed = re.search(r"^EXPOSE (.+)$", DOCKERFILE, re.M)
    assert exposed
    assert ports <= {int(port) for port in exposed[1].split()}


def test_both_stages_have_one_base_which_can_be_pinned() -> None:
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.M) == ["${BASE}", "${BASE}"]


def test_nothing_is_fetched_but_what_is_locked_and_copied_but_what_is_sent() -> None:
    assert not re.search(r"curl|wget|apt-get|git clone|^ADD ", DOCKERFILE, re.M)
    copied = re.findall(r"^COPY (?!--from)(\S+)", DOCKERFILE, re.M)
    sent = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert sorted(copied) == sorted(sent)


def test_it_starts_what_the_wheel_installs() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    entry = re.search(r'^ENTRYPOINT \["(.+)"\]$', DOCKERFILE, re.M)
    assert entry
    assert scripts[entry[1]] == "trainergen_controller.cli:main"
    assert serving_options.__doc__
