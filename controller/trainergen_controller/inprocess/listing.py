"""Lists, whole or by pages: all pages show the objects as they were at the first."""

from __future__ import annotations

import base64
import json
from itertools import islice
from typing import TYPE_CHECKING

from trainergen_controller.client import Page
from trainergen_controller.errors import error_of

if TYPE_CHECKING:
    from trainergen_controller.inprocess.storage import Place, Storage
    from trainergen_controller.inprocess.watching import Scope

NOTHING: Place = ("", "")


def page(storage: Storage, scope: Scope, *, limit: int, token: str, version: str) -> Page:
    """The objects of a scope; GoneError for a token, or an exact version, that is forgotten."""
    with storage.lock:
        at, after = _read(token) if token else (storage.version, NOTHING)
        if version not in ("", "0") and int(version) > storage.version:
            text = f"resource version {version} is later than the current one, {storage.version}"
            raise error_of(504, "Timeout", text, retry_after=1)
        objects = storage.snapshot(scope.kind, at)
    found = ((place, obj) for place, obj in objects.items() if place > after and scope.has(obj))
    taken = list(islice(found, limit or None))
    more = limit and next(found, None) is not None
    return Page([obj for _, obj in taken], str(at), _write(at, taken[-1][0]) if more else "")


def _write(version: int, place: Place) -> str:
    return base64.urlsafe_b64encode(json.dumps([version, *place]).encode()).decode()


def _read(token: str) -> tuple[int, Place]:
    try:
        version, namespace, name = json.loads(base64.urlsafe_b64decode(token))
    except ValueError as error:
        raise error_of(400, "BadRequest", f"'{token}' is no continue token of this server") from error
    return int(version), (str(namespace), str(name))
