"""The status server: whose token counts, what may be reported, and the codes of every refusal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from trainergen_controller.errors import ApiError, UnavailableError, error_of
from trainergen_controller.kinds import TOKEN_REVIEW, ApiKind
from trainergen_controller.serving.https import Request
from trainergen_controller.statusserver import TokenReviews, audience, status_route
from trainergen_controller.statusserver.oidc import OidcKeys, issuer_of
from trainergen_controller.statusserver.routes import Rates
from trainergen_controller.statusserver.tokens import bearer

from tests.controller.clocks import TurnedClock
from trainergen.releases import get_release

PATH = "/apis/trainer.kubeflow.org/v1alpha1/namespaces/team-a/trainjobs/job/status"
TIME = "2026-01-02T03:04:05Z"


class Server:
    """Keeps what is applied, and reviews tokens: ``good`` is one for the TrainJob ``job`` in ``team-a``."""

    def __init__(self) -> None:
        self.applied: list[tuple[dict[str, Any], str, str]] = []
        self.refusal: Exception | None = None
        self.reviews = 0
        self.user = "system:serviceaccount:team-a:default"

    def apply(
        self, kind: ApiKind, body: dict[str, Any], *, manager: str, force: bool, subresource: str = "", **_: Any
    ) -> dict[str, Any]:
        if self.refusal is not None:
            raise self.refusal
        assert force
        self.applied.append((body, manager, subresource))
        return body

    def create(self, kind: ApiKind, body: dict[str, Any], namespace: str = "", **_: Any) -> dict[str, Any]:
        assert kind == TOKEN_REVIEW
        if self.refusal is not None:
            raise self.refusal
        self.reviews += 1
        spec = body["spec"]
        good = spec["token"] == "good" and spec["audiences"] == [audience("team-a", "job")]
        if not good:
            return {**body, "status": {"authenticated": False, "error": "not this one"}}
        status = {"authenticated": True, "audiences": spec["audiences"], "user": {"username": self.user}}
        return {**body, "status": status}


class Asked:
    """A route and its surroundings."""

    def __init__(self, release: str = "2.3") -> None:
        self.server, self.clock = Server(), TurnedClock()
        self.reviews = TokenReviews(self.server, self.clock)  # type: ignore[arg-type]
        self.route = status_route(
            self.server,  # type: ignore[arg-type]
            self.reviews,
            get_release(release),
            Rates(self.clock),
        )

    def post(self, body: Any, *, token: str = "Bearer good", path: str = PATH) -> tuple[int, Mapping[str, Any]]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        answer = self.route(Request(path, {"authorization": token}, data))
        return answer.code, answer.body


def update(**fields: Any) -> dict[str, Any]:
    return {"trainerStatus": {"lastUpdatedTime": TIME, **fields}}


def test_an_update_is_applied_to_the_status_by_a_manager_of_its_own_and_echoed() -> None:
    asked = Asked()
    sent = update(progressPercentage=42, metrics=[{"name": "loss", "value": "0.3"}])
    assert asked.post(sent) == (200, sent)
    ((body, manager, subresource),) = asked.server.applied
    assert (manager, subresource) == ("trainer-status", "status")
    assert body["metadata"] == {"name": "job", "namespace": "team-a"}
    assert body["status"] == sent


def test_an_update_without_trainer_status_changes_nothing() -> None:
    asked = Asked()
    assert asked.post({}) == (200, {})
    assert asked.post({"trainerStatus": None}) == (200, {})
    assert asked.server.applied == []


def test_unknown_fields_are_left_out() -> None:
    code, body = Asked().post({**update(progressPercentage=1, colour="red"), "other": True})
    assert (code, body) == (200, update(progressPercentage=1))


def test_a_time_is_stored_in_utc_to_the_second() -> None:
    code, body = Asked().post({"trainerStatus": {"lastUpdatedTime": "2026-01-02T05:04:05.678+02:00"}})
    assert (code, body["trainerStatus"]["lastUpdatedTime"]) == (200, TIME)


@pytest.mark.parametrize("token", ["", "Bearer", "Bearer bad", "good", "Basic good", "Bearerx good", "Bearer good x"])
def test_whoever_has_no_token_for_this_train_job_is_forbidden(token: str) -> None:
    code, body = Asked().post(update(), token=token)
    assert (code, body["reason"], body["status"]) == (403, "Forbidden", "Failure")


def test_a_token_for_another_train_job_is_forbidden() -> None:
    assert Asked().post(update(), path=PATH.replace("/job/", "/other/"))[0] == 403


def test_a_token_of_a_service_account_elsewhere_is_forbidden() -> None:
    asked = Asked()
    asked.server.user = "system:serviceaccount:team-a-2:default"
    assert asked.post(update())[0] == 403


@pytest.mark.parametrize(
    ("release", "header", "token"),
    [
        ("2.3", "bearer  \t good ", "good"),
        ("2.3", "BEARER good", "good"),
        ("2.2", "Bearer good", "good"),
        ("2.2", "bearer good", ""),
        ("2.2", "Bearer  good", " good"),
    ],
)
def test_the_header_is_read_as_the_release_reads_it(release: str, header: str, token: str) -> None:
    assert bearer(header, loosely=get_release(release).reconciling.bearer_read_loosely) == token


def test_a_token_is_reviewed_once_in_ten_seconds() -> None:
    asked = Asked()
    for _ in range(5):
        assert asked.post(update())[0] == 200
    assert asked.server.reviews == 1
    asked.clock.turn(11)
    asked.post(update())
    assert asked.server.reviews == 2


def test_a_no_is_not_remembered() -> None:
    asked = Asked()
    asked.post(update(), token="Bearer bad")
    asked.post(update(), token="Bearer bad")
    assert asked.server.reviews == 2


def test_tokens_that_cannot_be_judged_are_an_internal_error() -> None:
    asked = Asked()
    asked.server.refusal = UnavailableError("no route to the API server")
    code, body = asked.post(update())
    assert (code, body["reason"]) == (500, "InternalError")
    assert "route" not in body["message"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"trainerStatus": 3}',
        b'{"trainerStatus": {"progressPercentage": "half"}}',
        b'{"trainerStatus": {"progressPercentage": 3000000000}}',
        b'{"trainerStatus": {"progressPercentage": true}}',
        b'{"trainerStatus": {"metrics": {}, "lastUpdatedTime": "2026-01-02T03:04:05Z", "metrics": 3}}',
        b'{"trainerStatus": {"metrics": [{"name": "loss", "value": 0.3}]}}',
        b'{"trainerStatus": {"lastUpdatedTime": "yesterday"}}',
        b'{"trainerStatus": {"lastUpdatedTime": "2026-01-02"}}',
        b"\xff\xfe",
        b"[" * 60_000,
        b'{"trainerStatus": {"lastUpdatedTime": "0001-01-01T00:00:00+14:00"}}',
    ],
)
def test_what_the_types_cannot_hold_is_invalid(body: bytes) -> None:
    asked = Asked()
    code, answer = asked.post(body)
    assert (code, answer["reason"]) == (422, "Invalid")
    assert asked.server.applied == []


@pytest.mark.parametrize(
    ("refusal", "code", "reason"),
    [
        (error_of(422, "Invalid", "progressPercentage should be at most 100"), 422, "Invalid"),
        (error_of(400, "BadRequest", "strict decoding"), 422, "Invalid"),
        (error_of(404, "NotFound", "trainjobs job not found"), 404, "NotFound"),
        (error_of(500, "InternalError", "etcd"), 500, "InternalError"),
        (error_of(429, "TooManyRequests", "busy"), 500, "InternalError"),
    ],
)
def test_refusals_of_the_api_server_become_the_codes_of_the_trainer(refusal: ApiError, code: int, reason: str) -> None:
    asked = Asked()
    asked.post(update())
    asked.server.refusal = refusal
    answered, body = asked.post(update())
    assert (answered, body["reason"]) == (code, reason)
    if code == 422:
        assert body["message"] == refusal.message


def test_a_long_body_is_refused_before_its_token_is_looked_at() -> None:
    asked = Asked()
    answer = asked.route(Request(PATH, {}, None, declared_too_long=True))
    assert (answer.code, answer.body["reason"]) == (413, "RequestEntityTooLarge")
    assert asked.route(Request(PATH, {"authorization": "Bearer good"}, None)).code == 422


@pytest.mark.parametrize("path", ["/", PATH + "/x", PATH.replace("v1alpha1", "v1"), PATH.replace("status", "scale")])
def test_other_paths_are_not_found(path: str) -> None:
    assert Asked().post(update(), path=path)[0] == 404


def test_a_train_job_that_reports_too_often_is_told_to_wait() -> None:
    asked = Asked()
    codes = [asked.post(update())[0] for _ in range(25)]
    assert codes == [200] * 20 + [429] * 5
    asked.clock.turn(1)
    assert asked.post(update())[0] == 200


class Keys:
    """A cluster that signs tokens and publishes its keys."""

    issuer = "https://kubernetes.default.svc"

    def __init__(self) -> None:
        self.clock = TurnedClock()
        self.keys = {"one": ec.generate_private_key(ec.SECP256R1())}
        self.fetched: list[str] = []
        self.verifier = OidcKeys(self.issuer, self.fetch, self.clock)

    def fetch(self, path: str) -> dict[str, Any]:
        self.fetched.append(path)
        if path == "/.well-known/openid-configuration":
            return {"issuer": self.issuer, "jwks_uri": "https://10.0.0.1:6443/openid/v1/jwks"}
        algorithm = jwt.algorithms.ECAlgorithm
        return {
            "keys": [
                {**json.loads(algorithm.to_jwk(key.public_key())), "kid": name, "alg": "ES256", "use": "sig"}
                for name, key in self.keys.items()
            ]
        }

    def token(self, key: str = "one", namespace: str = "team-a", **claims: Any) -> str:
        body = {
            "iss": self.issuer,
            "aud": [audience("team-a", "job")],
            "exp": 4_000_000_000,
            "kubernetes.io": {"namespace": namespace},
            **claims,
        }
        return jwt.encode(body, self.keys[key], "ES256", headers={"kid": key})

    def allows(self, token: str) -> bool:
        return self.verifier.allows(token, "team-a", "job")


def test_a_token_signed_by_the_cluster_for_this_train_job_is_good() -> None:
    cluster = Keys()
    assert cluster.allows(cluster.token())
    assert cluster.fetched == ["/.well-known/openid-configuration", "/openid/v1/jwks"]
    assert issuer_of(cluster.token()) == cluster.issuer


def test_expired_foreign_and_altered_tokens_are_not() -> None:
    cluster, stranger = Keys(), Keys()
    good = cluster.token()
    bad = [
        cluster.token(exp=1_700_000_000),
        cluster.token(aud=[audience("team-a", "other")]),
        cluster.token(iss="https://elsewhere"),
        cluster.token(namespace="team-b"),
        cluster.token(**{"kubernetes.io": None}),
        stranger.token(),
        good[:-4] + "AAAA",
        jwt.encode({"aud": audience("team-a", "job"), "exp": 4_000_000_000, "iss": cluster.issuer}, "", "none"),
        "",
        "no.jwt.atall",
    ]
    assert [cluster.allows(token) for token in bad] == [False] * len(bad)


def test_rotated_keys_are_read_again_and_made_up_ones_not_at_every_request() -> None:
    cluster = Keys()
    assert cluster.allows(cluster.token())
    cluster.keys["two"] = ec.generate_private_key(ec.SECP256R1())
    assert not cluster.allows(cluster.token("two"))
    cluster.clock.turn(11)
    assert cluster.allows(cluster.token("two"))
    cluster.keys["made-up"] = ec.generate_private_key(ec.SECP256R1())
    before = len(cluster.fetched)
    made_up = cluster.token("made-up")
    del cluster.keys["made-up"]
    assert [cluster.allows(made_up) for _ in range(20)] == [False] * 20
    assert len(cluster.fetched) == before


def test_a_cluster_of_another_issuer_is_told() -> None:
    cluster = Keys()
    cluster.verifier.issuer = "https://expected"
    with pytest.raises(UnavailableError, match="expected"):
        cluster.verifier.read()


def test_a_token_of_ours_that_is_no_jwt_is_told() -> None:
    with pytest.raises(UnavailableError, match="no JWT"):
        issuer_of("opaque")


@pytest.mark.parametrize("name", ["..%2F..%2Fteam-b%2Ftrainjobs%2Fjob", "job%3Fforce=true", "..", "Job", "%2e%2e"])
def test_what_cannot_be_a_name_is_not_found_whatever_the_token_says(name: str) -> None:
    asked = Asked()
    assert asked.post(update(), path=PATH.replace("/job/", f"/{name}/"))[0] == 404
    assert asked.server.reviews == 0


def test_a_token_that_is_no_text_is_forbidden() -> None:
    assert Asked().post(update(), token="Bearer \udcff")[0] == 403


def test_half_a_character_is_read_as_the_types_of_the_trainer_read_it() -> None:
    asked = Asked()
    body = (
        b'{"trainerStatus": {"lastUpdatedTime": "%s", "metrics": [{"name": "a\\ud800b", "value": "\\ud83d\\ude00"}]}}'
    )
    assert asked.post(body % TIME.encode())[0] == 200
    ((sent, _, _),) = asked.server.applied
    assert sent["status"]["trainerStatus"]["metrics"] == [{"name": "a\ufffdb", "value": "\U0001f600"}]


def test_while_the_keys_cannot_be_read_no_token_is_called_wrong() -> None:
    cluster = Keys()
    published, cluster.issuer = cluster.issuer, "not yet"
    token = cluster.token(iss=published)
    for _ in range(2):
        with pytest.raises(UnavailableError):
            cluster.allows(token)
    cluster.issuer = published
    cluster.clock.turn(11)
    assert cluster.allows(token)
