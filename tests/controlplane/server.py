"""An etcd and a kube-apiserver of our own on free ports, with everything they write in one folder."""

from __future__ import annotations

import base64
import json
import os
import secrets
import socket
import ssl
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.controlplane.api import Api, NoAnswerError

if TYPE_CHECKING:
    from tests.controlplane.binaries import Binaries

ADMIN = "admin"
START_LIMIT = 90.0
STOP_LIMIT = 20.0
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class ControlPlane:
    """One etcd and one kube-apiserver, each of which can be killed and started again; ``with`` starts and stops both.

    ``authorization`` is a mode of the API server: ``AlwaysAllow``, or ``RBAC``, where only ``token(ADMIN)`` may do all.
    ``users`` are further names that ``token`` knows. There is no controller manager: nothing collects garbage.
    """

    def __init__(
        self, binaries: Binaries, folder: Path, *, authorization: str = "AlwaysAllow", users: tuple[str, ...] = ()
    ) -> None:
        self._binaries = binaries
        self._folder = folder
        self._authorization = authorization
        self._tokens = {name: secrets.token_hex(16) for name in (ADMIN, *users)}
        self._ports = free_ports(3)
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self.flags: list[str] = []
        """More flags for the API server; they count from its next start."""

    @property
    def url(self) -> str:
        """Where the API server listens."""
        return f"https://127.0.0.1:{self._ports[2]}"

    @property
    def ca_file(self) -> Path:
        """The certificates that verify the API server's."""
        return self._folder / "certificates" / "apiserver.crt"

    def token(self, user: str = ADMIN) -> str:
        """The bearer token of a user."""
        return self._tokens[user]

    def api(self, user: str = ADMIN) -> Api:
        """A plain client with a connection of its own."""
        return Api(self.url, self.token(user), ssl.create_default_context(cafile=str(self.ca_file)))

    def kubeconfig(self, user: str = ADMIN) -> Path:
        """A file for kubectl and for clients that read such files."""
        path = self._folder / f"{user}.kubeconfig"
        certificates = base64.b64encode(self.ca_file.read_bytes()).decode()
        cluster = {"server": self.url, "certificate-authority-data": certificates}
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "own", "cluster": cluster}],
            "users": [{"name": user, "user": {"token": self.token(user)}}],
            "contexts": [{"name": "own", "context": {"cluster": "own", "user": user}}],
            "current-context": "own",
        }
        path.write_text(json.dumps(config))
        path.chmod(0o600)
        return path

    def __enter__(self) -> ControlPlane:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        self.stop()

    def start(self) -> None:
        """Starts both and waits until the API server is ready."""
        self._write_credentials()
        self.start_etcd()
        self.start_apiserver()

    def stop(self) -> None:
        """Ends both."""
        for name in ("kube-apiserver", "etcd"):
            self._end(name, subprocess.Popen.terminate)

    def start_etcd(self) -> None:
        """Starts etcd on its data."""
        client, peer = (f"http://127.0.0.1:{port}" for port in self._ports[:2])
        self._start(
            "etcd",
            [
                str(self._binaries.etcd),
                f"--data-dir={self._folder / 'etcd'}",
                f"--listen-client-urls={client}",
                f"--advertise-client-urls={client}",
                f"--listen-peer-urls={peer}",
                f"--initial-advertise-peer-urls={peer}",
                f"--initial-cluster=default={peer}",
                # A test's data need not survive the machine.
                "--unsafe-no-fsync",
            ],
        )

    def start_apiserver(self) -> None:
        """Starts the API server on the same port, with the same certificates, and waits until it is ready."""
        folder, key = self._folder, self._folder / "service-accounts.key"
        self._start(
            "kube-apiserver",
            [
                str(self._binaries.apiserver),
                f"--etcd-servers=http://127.0.0.1:{self._ports[0]}",
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                f"--secure-port={self._ports[2]}",
                "--endpoint-reconciler-type=none",
                f"--cert-dir={folder / 'certificates'}",
                f"--token-auth-file={folder / 'tokens.csv'}",
                f"--authorization-mode={self._authorization}",
                "--service-account-issuer=https://kubernetes.default.svc",
                f"--service-account-key-file={key}",
                f"--service-account-signing-key-file={key}",
                "--service-cluster-ip-range=10.0.0.0/24",
                "--disable-admission-plugins=ServiceAccount",
                "--profiling=false",
                *self.flags,
            ],
        )
        self._wait_ready()

    def kill_apiserver(self) -> None:
        """Ends the API server at once, connections and all."""
        self._end("kube-apiserver", subprocess.Popen.kill)

    def kill_etcd(self) -> None:
        """Ends etcd at once."""
        self._end("etcd", subprocess.Popen.kill)

    def log(self, name: str = "kube-apiserver") -> str:
        """What a program has written."""
        return (self._folder / f"{name}.log").read_text(errors="replace")

    def _write_credentials(self) -> None:
        lines = [
            f'{token},{name},{name},"{"system:masters" if name == ADMIN else "users"}"\n'
            for name, token in self._tokens.items()
        ]
        for name, text in (("tokens.csv", "".join(lines)), ("service-accounts.key", elliptic_curve_key())):
            path = self._folder / name
            path.touch(mode=0o600)
            path.write_text(text)

    def _start(self, name: str, command: list[str]) -> None:
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("ETCD_", "KUBE"))}
        with (self._folder / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(command, stdout=log, stderr=log, env=environment)

    def _end(self, name: str, how: Callable[[subprocess.Popen[bytes]], None]) -> None:
        process = self._processes.pop(name, None)
        if process is None:
            return
        how(process)
        try:
            process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _wait_ready(self) -> None:
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            ended = [name for name, process in self._processes.items() if process.poll() is not None]
            if ended:
                raise RuntimeError(f"{ended[0]} ended while starting: {self.log(ended[0])[-2000:]}")
            if self._is_ready():
                return
            time.sleep(0.1)
        raise RuntimeError(f"not ready after {START_LIMIT:.0f} s: {self.log()[-2000:]}")

    def _is_ready(self) -> bool:
        if not self.ca_file.is_file():
            return False
        try:
            with self.api() as api:
                return api.request("GET", "/readyz").code == 200
        except (NoAnswerError, ssl.SSLError):
            return False


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on, all different."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def elliptic_curve_key() -> str:
    """A private key on P-256 as PEM (RFC 5915): the scalar alone, of which Go works out the public point."""
    scalar = secrets.randbelow(P256_ORDER - 1) + 1
    curve = bytes.fromhex("06082a8648ce3d030107")
    body = b"\x02\x01\x01" + b"\x04\x20" + scalar.to_bytes(32, "big") + b"\xa0" + bytes([len(curve)]) + curve
    text = base64.b64encode(b"\x30" + bytes([len(body)]) + body).decode()
    return f"-----BEGIN EC PRIVATE KEY-----\n{text}\n-----END EC PRIVATE KEY-----\n"
