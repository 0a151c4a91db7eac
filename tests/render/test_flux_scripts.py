"""Our Flux scripts do what those of the controller do: they are run here, with stand-ins for what a Pod has."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from trainergen.render.flux_scripts import (
    FluxJob,
    broker_configuration,
    entrypoint_script,
    index_range,
    init_script,
)

JOB = FluxJob(
    name="fx",
    namespace="hpc",
    nodes=4,
    tasks=2,
    gpus=1,
    device="eth0",
    queue_policy="fcfs",
    resource_ranges=True,
)


def test_hosts_flags_and_ranges() -> None:
    assert (JOB.hosts, JOB.lead) == ("fx-node-0-[0-3]", "fx-node-0-0")
    assert JOB._replace(nodes=1).hosts == "fx-node-0-[0]"
    assert (JOB.submit_flags, JOB.resource_flags) == ("-N 4 -n 8 -g 1", "--cores=0-1 --gpu=0")
    assert [index_range(1), index_range(4), index_range(3, 10), index_range(0)] == ["0", "0-3", "10-12", "0--1"]


def test_the_broker_configuration_is_toml_with_these_values() -> None:
    config = tomllib.loads(broker_configuration(JOB._replace(device='a"b', queue_policy="easy")))
    assert config == {
        "access": {"allow-guest-user": True, "allow-root-owner": True},
        "resource": {"path": "/mnt/flux/config/etc/flux/system/R"},
        "bootstrap": {
            "curve_cert": "/mnt/flux/config/etc/curve/curve.cert",
            "default_port": 8050,
            "default_bind": 'tcp://a"b:%p',
            "default_connect": "tcp://%h.fx.hpc.svc.cluster.local:%p",
            "hosts": [{"host": "fx-node-0-[0-3]"}],
        },
        "archive": {
            "dbpath": "/mnt/flux/config/var/lib/flux/job-archive.sqlite",
            "period": "1m",
            "busytimeout": "50s",
        },
        "sched-fluxion-qmanager": {"queue-policy": "easy"},
    }


class Pod:
    """A folder that stands for the root of a Pod's file system, with programs that write down how they are called."""

    def __init__(self, root: Path, hostname: str) -> None:
        self.root = root
        self.calls = root / "calls"
        self._program("hostname", f"echo {hostname}")
        self._program("sleep", ":")
        # The second start succeeds; everything else at once.
        self._program(
            "flux",
            f'printf "%s\\n" "$*" >> {self.calls}\n'
            f'if [ "$1 $2" = "start -o" ] && [ ! -e {root}/ready ]; then touch {root}/ready; exit ${{FIRST:-0}}; fi\n'
            'if [ "$1" = R ]; then echo resources; fi',
        )
        for folder in ("opt/views/._view/abc/bin", "opt/software", "curve", "tmp"):
            (root / folder).mkdir(parents=True)
        (root / "opt/views/._view/abc/bin/python3.11").touch()
        (root / "opt/views/._view/abc/lib/python3.11/site-packages").mkdir(parents=True)
        (root / "opt/software/tool").touch()
        (root / "curve/curve.cert").write_text("certificate")

    def _program(self, name: str, body: str) -> None:
        folder = self.root / "bin"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"#!/bin/bash\n{body}\n")
        (folder / name).chmod(0o755)

    def run(self, script: str, *words: str, first: int = 0) -> None:
        script = re.sub("/mnt/flux|/opt/|(?<= )/curve/|/tmp/", lambda place: f"{self.root}{place[0]}", script)
        environment = {"PATH": f"{self.root}/bin:{os.environ['PATH']}", "FIRST": str(first)}
        subprocess.run(["/bin/bash", "-c", script, "script", *words], check=True, env=environment, capture_output=True)

    def path(self, place: str) -> Path:
        return self.root / place.lstrip("/")

    def called(self) -> list[str]:
        return [line.replace(str(self.root), "") for line in self.calls.read_text().splitlines()]


@pytest.fixture
def lead(tmp_path: Path) -> Pod:
    return Pod(tmp_path, "fx-node-0-0")


OPTIONS = (
    "-Scron.directory=/mnt/flux/config/etc/flux/system/cron.d -Stbon.fanout=256 -Srundir=/mnt/flux/config/run/flux "
    "-Sstatedir=/mnt/flux/config/var/lib/flux -Slocal-uri=local:///mnt/flux/config/run/flux/local "
    "-Slog-stderr-level=0 -Slog-stderr-mode=local"
)
CONFIG = "/mnt/flux/config/etc/flux/config"
ENCODE = "R encode --hosts=fx-node-0-[0-3] --cores=0-1 --gpu=0"


def test_init_prepares_configuration_and_view(lead: Pod) -> None:
    lead.run(init_script(JOB))
    assert lead.path("/mnt/flux/config/etc/flux/system/hostlist").read_text() == "fx-node-0-[0-3]\n"
    written = lead.path(f"{CONFIG}/broker.toml").read_text()
    assert written.replace(str(lead.root), "") == broker_configuration(JOB)
    for folder in ("etc/flux/system/cron.d", "var/lib/flux", "run/flux", "etc/curve"):
        assert lead.path(f"/mnt/flux/config/{folder}").is_dir()
    assert lead.path("/mnt/flux/view/bin/python3.11").is_file()
    assert lead.path("/mnt/flux/software/tool").is_file()


def test_the_lead_host_runs_the_command_over_all_nodes(lead: Pod) -> None:
    lead.run(init_script(JOB))
    lead.run(entrypoint_script(JOB), "lmp -in in.lj", "more")
    assert lead.called() == [
        ENCODE,
        f"start -o --config {CONFIG} {OPTIONS} flux run -N 4 -n 8 -g 1 lmp -in in.lj more",
    ]
    assert lead.path("/mnt/flux/config/etc/flux/system/R").read_text() == "resources\n"
    certificate = lead.path("/mnt/flux/config/etc/curve/curve.cert")
    assert (certificate.read_text(), certificate.stat().st_mode & 0o077) == ("certificate", 0)
    assert lead.path("/opt/software/tool").is_file()
    assert lead.path("/mnt/flux/view/bin/python3").resolve().name == "python3.11"
    assert "fluxsocket" in lead.path("/mnt/flux/flux-view.sh").read_text()
    assert "sched-fluxion-qmanager" in lead.path("/mnt/flux/load-fluxion.sh").read_text()


def test_without_a_command_the_lead_host_starts_a_broker(lead: Pod) -> None:
    lead.run(init_script(JOB))
    lead.run(entrypoint_script(JOB), "")
    assert lead.called() == [ENCODE, f"broker --config-path {CONFIG} {OPTIONS}"]


def test_a_failing_command_still_ends_in_success_as_in_the_controller(lead: Pod) -> None:
    lead.run(init_script(JOB))
    lead.run(entrypoint_script(JOB), "false", first=3)
    assert lead.path("/mnt/flux/finished").is_file()


def test_the_other_hosts_try_until_the_lead_is_there(tmp_path: Path) -> None:
    follower = Pod(tmp_path, "fx-node-0-1")
    follower.run(init_script(JOB))
    follower.run(entrypoint_script(JOB), "lmp", first=1)
    assert follower.called() == [ENCODE, *[f"start -o --config {CONFIG} {OPTIONS}"] * 2]
