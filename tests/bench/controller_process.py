"""The controller as a process of its own, watched from outside: by its metrics, and by what the kernel counts."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from tests.controller.world import eventually
from tests.controlplane.server import free_ports

if TYPE_CHECKING:
    from tests.controlplane.server import ControlPlane

END_SECONDS = 60.0


class ControllerProcess:
    """``trainergen-controller reconcile``, without a limit of requests; ``with`` starts it and ends it in order."""

    def __init__(self, plane: ControlPlane, release: str, workers: int) -> None:
        (self._port,) = free_ports(1)
        self._command = [
            *(sys.executable, "-m", "trainergen_controller", "reconcile", "--release", release, "--qps", "0"),
            *("--workers", str(workers), "--kubeconfig", str(plane.kubeconfig()), "--log-level", "error"),
            *("--health-address", f"127.0.0.1:{self._port}"),
        ]

    def __enter__(self) -> ControllerProcess:
        self._process = subprocess.Popen(self._command)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(END_SECONDS)
        assert kind is not None or code == 0

    def number(self, name: str) -> float:
        """A metric, by its name and labels as the exposition format writes them; 0 while it cannot be read."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=5)
        try:
            connection.request("GET", "/metrics")
            lines = connection.getresponse().read().decode().splitlines()
        except OSError:
            return 0.0
        finally:
            connection.close()
        return next((float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{name} ")), 0.0)

    def has_cached(self, count: int, kind: str) -> None:
        """Waits until it has seen so many objects of a kind; asked now and then, for to ask costs time, too."""
        name = f'trainergen_cached_objects{{kind="{kind}"}}'
        eventually(lambda: self.number(name) >= count or time.sleep(0.2), f"{count} of {kind}", 1200)

    def leads(self) -> None:
        """Waits until it may write."""
        eventually(lambda: self.number("trainergen_leading") == 1.0, "the controller leads", 120)

    def rests(self) -> None:
        """Waits until it has little to do."""
        eventually(lambda: self.busy(2.0) < 0.02, "the controller comes to rest", 300)

    def resident(self) -> int:
        """Bytes of memory."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))

    def processor(self) -> float:
        """Seconds of processor time since it began, of all threads."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def busy(self, seconds: float) -> float:
        """The share of one core that it takes, measured over so many seconds."""
        before = self.processor()
        time.sleep(seconds)
        return (self.processor() - before) / seconds
