"""One control plane for all tests of this folder, which alone may use sockets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.controlplane import binaries
from tests.controlplane.crds import Definitions
from tests.controlplane.server import ControlPlane

if TYPE_CHECKING:
    from tests.controlplane.api import Api

HERE = Path(__file__).parent
BUILD_LIMIT = 3600
RUN_LIMIT = 300


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--all-verdicts`` asks the API server about all recorded manifests, not only about a sample."""
    parser.addoption("--all-verdicts", action="store_true", help="ask a real API server about all recorded manifests")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this folder; the one that has to build the programs first may take its time."""
    limit = RUN_LIMIT if binaries.existing() else BUILD_LIMIT
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.controlplane)
            item.add_marker(pytest.mark.xdist_group("controlplane"))  # one server for all of them, in their order
            item.add_marker(pytest.mark.enable_socket)
            item.add_marker(pytest.mark.timeout(limit))


@pytest.fixture(scope="session")
def programs() -> binaries.Binaries:
    """etcd and kube-apiserver; without them the test is skipped, or fails where they are required."""
    try:
        return binaries.find()
    except binaries.UnavailableError as error:
        if os.environ.get(binaries.MODE_VARIABLE) == "required":
            pytest.fail(f"no control plane: {error}")
        pytest.skip(f"no control plane: {error}")


@pytest.fixture(scope="session")
def control_plane(programs: binaries.Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A running control plane that allows everything."""
    with ControlPlane(programs, tmp_path_factory.mktemp("controlplane")) as plane:
        yield plane


@pytest.fixture
def api(control_plane: ControlPlane) -> Iterator[Api]:
    """A client of the control plane."""
    with control_plane.api() as client:
        yield client


@pytest.fixture(scope="session")
def definitions(control_plane: ControlPlane) -> Iterator[Definitions]:
    """Installs the CRDs of a release: ``definitions.install("2.3")``."""
    with control_plane.api() as client:
        yield Definitions(client)


@pytest.fixture(scope="session", params=("2.0", "2.1", "2.2", "2.3"))
def release(request: pytest.FixtureRequest, definitions: Definitions) -> str:
    """Each release in turn, with its CRDs installed; tests are ordered so that this happens once for all of them."""
    name = str(request.param)
    definitions.install(name)
    return name
