"""The HTTPS server: limits, errors and certificates that change under way."""

from __future__ import annotations

import gc
import http.client
import json
import os
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from trainergen_controller.serving.https import Certificates, HttpsServer, Request, Response

pytestmark = pytest.mark.enable_socket


def echo(request: Request) -> Response:
    if request.path == "/broken":
        raise RuntimeError("a defect")
    if request.body is None:
        return Response(413, {"declared": request.declared_too_long})
    return Response(200, {"path": request.path, "body": request.body.decode(), "kind": request.headers.get("x-kind")})


@contextmanager
def served(certificates: Certificates | None = None, limit: int = 100) -> Iterator[HttpsServer]:
    server = HttpsServer(("127.0.0.1", 0), echo, limit, "test", certificates)
    server.start()
    try:
        yield server
    finally:
        server.close()


def post(server: HttpsServer, path: str, body: Any, **headers: str) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("POST", path, body=body, headers=headers, encode_chunked="transfer-encoding" in headers)
    response = connection.getresponse()
    answer = response.status, json.loads(response.read())
    connection.close()
    return answer


def test_a_post_is_answered_with_what_the_route_says() -> None:
    with served() as server:
        assert post(server, "/a", "hello", **{"X-Kind": "k"}) == (200, {"path": "/a", "body": "hello", "kind": "k"})


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
def test_any_other_method_is_not_found(method: str) -> None:
    with served() as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request(method, "/a")
        response = connection.getresponse()
        assert response.status == 404
        assert json.loads(response.read())["reason"] == "NotFound"
        connection.close()


def test_a_body_that_says_it_is_too_long_is_not_read() -> None:
    with served() as server:
        assert post(server, "/a", "x" * 101) == (413, {"declared": True})
        assert post(server, "/a", "x" * 100)[0] == 200


def test_a_body_in_chunks_that_gets_too_long_is_cut_off() -> None:
    with served() as server:
        chunks = iter([b"x" * 60, b"x" * 60])
        assert post(server, "/a", chunks, **{"transfer-encoding": "chunked"}) == (413, {"declared": False})


def test_a_defect_of_a_route_is_an_internal_error_without_its_text() -> None:
    with served() as server:
        code, body = post(server, "/broken", "")
        assert code == 500
        assert "a defect" not in json.dumps(body)
        assert post(server, "/a", "still there")[0] == 200


def test_a_client_that_says_nothing_holds_up_nobody() -> None:
    with served() as server:
        silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(30)]
        assert post(server, "/a", "hello")[0] == 200
        for one in silent:
            one.close()


def test_many_at_once_are_all_answered() -> None:
    with served() as server:
        codes: list[int] = []
        threads = [threading.Thread(target=lambda: codes.append(post(server, "/a", "x")[0])) for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert codes == [200] * 40


def test_an_address_that_is_taken_is_an_error_at_the_start() -> None:
    with served() as server:
        other = HttpsServer(("127.0.0.1", server.port), echo, 100, "other")
        with pytest.raises(OSError, match="address already in use"):
            other.start()
        assert not other.is_alive


def write_certificate(folder: Path, name: str) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "tls.crt").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "tls.key").write_bytes(private)


def common_name(server: HttpsServer) -> str:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    raw = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    with context.wrap_socket(raw) as secured:
        found = x509.load_der_x509_certificate(secured.getpeercert(binary_form=True) or b"")
        secured.sendall(b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        assert b"200" in secured.recv(100)
    return str(found.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)


def test_a_certificate_that_changes_is_served_without_a_restart(tmp_path: Path) -> None:
    write_certificate(tmp_path, "first")
    certificates = Certificates(tmp_path / "tls.crt", tmp_path / "tls.key")
    with served(certificates) as server:
        assert common_name(server) == "first"
        write_certificate(tmp_path, "second")
        later = time.time_ns() + 10**9
        for name in ("tls.crt", "tls.key"):
            os.utime(tmp_path / name, ns=(later, later))
        certificates.refresh()
        assert common_name(server) == "second"


def test_a_connection_that_a_client_keeps_open_is_cut_when_the_server_ends(tmp_path: Path) -> None:
    write_certificate(tmp_path, "localhost")
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with served(Certificates(tmp_path / "tls.crt", tmp_path / "tls.key")) as server:
        kept = http.client.HTTPSConnection("127.0.0.1", server.port, context=context, timeout=10)
        kept.request("POST", "/a", body="x")
        assert kept.getresponse().read()
    gc.collect()  # what was left open would warn now, which is an error
    assert kept.sock is not None
    assert kept.sock.recv(1) == b""
    kept.close()


def test_files_that_do_not_fit_together_leave_the_certificate_as_it_was(tmp_path: Path) -> None:
    write_certificate(tmp_path, "first")
    certificates = Certificates(tmp_path / "tls.crt", tmp_path / "tls.key")
    (tmp_path / "tls.key").write_text("half written")
    certificates.refresh()
    write_certificate(tmp_path, "second")
    certificates.refresh()


def test_without_a_certificate_nothing_is_served(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        Certificates(tmp_path / "tls.crt", tmp_path / "tls.key")


def test_a_chain_whose_key_has_not_come_yet_does_not_end_serving(tmp_path: Path) -> None:
    write_certificate(tmp_path, "first")
    certificates = Certificates(tmp_path / "tls.crt", tmp_path / "tls.key")
    with served(certificates) as server:
        key = (tmp_path / "tls.key").read_bytes()
        write_certificate(tmp_path, "second")
        (tmp_path / "tls.key").write_bytes(key)
        certificates.refresh()
        assert common_name(server) == "first"


def test_a_body_is_passed_on_as_it_was_sent_whatever_its_encoding_is_said_to_be() -> None:
    with served() as server:
        assert post(server, "/a", "no gzip", **{"Content-Encoding": "gzip"})[0] == 200


def test_a_path_is_passed_on_as_it_was_sent() -> None:
    with served() as server:
        assert post(server, "/a%2Fb", "")[1]["path"] == "/a%2Fb"


def test_a_client_that_goes_in_the_middle_is_no_defect(caplog: pytest.LogCaptureFixture) -> None:
    with served() as server:
        with socket.create_connection(("127.0.0.1", server.port)) as gone:
            gone.sendall(b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nabc")
            time.sleep(0.1)
        time.sleep(0.1)
        assert post(server, "/a", "still there")[0] == 200
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
