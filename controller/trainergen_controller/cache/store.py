"""Objects of one kind, packed, with indexes; every read gives a fresh value that its reader may keep."""

from __future__ import annotations

import json
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from trainergen_controller.client import Object

Indexer: TypeAlias = Callable[[Object], Iterable[str]]
Shape: TypeAlias = Callable[[Object], Object | None]
_REMEMBERED = 10_000


class Key(NamedTuple):
    """Where an object lies; the namespace is empty outside namespaces."""

    namespace: str
    name: str


class Change:
    """What became of one object; ``old`` is None when it is new, ``new`` when it is gone.

    Both are unpacked for who asks for them, so that many changes take little.
    """

    __slots__ = ("_new", "_old", "key")

    def __init__(self, key: Key, old: _Entry | None, new: _Entry | None) -> None:
        self.key = key
        self._old = old
        self._new = new

    @property
    def is_new(self) -> bool:
        """There was none before."""
        return self._old is None

    @property
    def is_gone(self) -> bool:
        """There is none any more."""
        return self._new is None

    def terms(self, index: str) -> set[str]:
        """What an indexer named for the object, before and after; nothing is unpacked for that."""
        entries = (entry for entry in (self._old, self._new) if entry is not None)
        return {term for entry in entries for name, term in entry.terms if name == index}

    @property
    def old(self) -> Object | None:
        """As it was."""
        return None if self._old is None else _unpack(self._old)

    @property
    def new(self) -> Object | None:
        """As it is."""
        return None if self._new is None else _unpack(self._new)


class _Entry(NamedTuple):
    packed: bytes
    version: str
    uid: str
    terms: tuple[tuple[str, str], ...]
    own: bool = False
    """Taken from the answer to a write of ours, and not yet seen in a watch."""


def key_of(found: Mapping[str, Any]) -> Key:
    """Namespace and name; KeyError for what is no object of an API server."""
    metadata = found["metadata"]
    return Key(metadata.get("namespace", ""), metadata["name"])


class Store:
    """Thread-safe. Objects are held as compressed JSON, a small part of what the same dictionaries take.

    ``shape`` may drop what nobody reads, or the whole object (None) if it is none of ours.
    """

    def __init__(self, indexers: Mapping[str, Indexer] | None = None, shape: Shape | None = None) -> None:
        self._indexers = dict(indexers or {})
        self._shape = shape or _as_it_is
        self._entries: dict[Key, _Entry] = {}
        self._index: dict[tuple[str, str], set[Key]] = {}
        self._left: OrderedDict[Key, str] = OrderedDict()
        self._listed = ""
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, namespace: str, name: str) -> Object | None:
        """The object, or None."""
        entry = self._entries.get(Key(namespace, name))
        return None if entry is None else _unpack(entry)

    def version(self, namespace: str, name: str) -> str:
        """The version of an object, empty if it is not there."""
        entry = self._entries.get(Key(namespace, name))
        return "" if entry is None else entry.version

    def has_left(self, namespace: str, name: str) -> bool:
        """Whether an object of that name was here and went, and none came after it; of the last ten thousand.

        Who finds no object and then asks this is told the truth: it is noted before the object goes.
        """
        return Key(namespace, name) in self._left

    def all_keys(self) -> list[Key]:
        """Where all objects lie."""
        with self._lock:
            return list(self._entries)

    def objects(self) -> Iterator[Object]:
        """All objects as of their turn; one that goes meanwhile is passed over."""
        for key in self.all_keys():
            if (entry := self._entries.get(key)) is not None:
                yield _unpack(entry)

    def keys_by(self, index: str, term: str) -> list[Key]:
        """Where the objects lie for which an indexer named that term."""
        with self._lock:
            return sorted(self._index.get((index, term), ()))

    def by(self, index: str, term: str) -> list[Object]:
        """The objects for which an indexer named that term, by key."""
        found = (self._entries.get(key) for key in self.keys_by(index, term))
        return [_unpack(entry) for entry in found if entry is not None]

    def put(self, found: Object, *, own: bool = False) -> Change | None:
        """Takes an object in unless a newer one is there; None if nothing changed.

        ``own`` says that it is the answer to a write of ours, so that what was written is read at once. The news that
        it was deleted since may be here before that answer, which is then passed over.
        """
        key = key_of(found)
        version = str(found["metadata"].get("resourceVersion", ""))
        with self._lock:
            entry = self._entries.get(key)
            if own and entry is None and self._outlived(key, found, version):
                return None
            if entry is not None and not _newer(version, entry.version) and _same_uid(entry, found):
                if entry.own and not own and not _newer(entry.version, version):
                    self._entries[key] = entry._replace(own=False)
                return None
            shaped = self._shape(found)
            if shaped is None:
                return self.remove(key)
            made = self._pack(shaped, version, own=own)
            self._exchange(key, entry, made)
        return Change(key, entry, made)

    def remove(self, key: Key, uid: str = "") -> Change | None:
        """Takes an object out; with ``uid`` only that one and not its successor of the same name."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or (uid and entry.uid and entry.uid != uid):
                return None
            self._exchange(key, entry, None)
        return Change(key, entry, None)

    def _outlived(self, key: Key, found: Object, version: str) -> bool:
        """Whether an object that is not here was deleted, as a watch said, or a list that is newer and lacks it."""
        uid = str(found["metadata"].get("uid", ""))
        if uid and self._left.get(key) == uid:
            return True
        return bool(version) and not _newer(version, self._listed)

    def replace(self, listed: Iterable[Object], version: str = "") -> list[Change]:
        """Takes a whole list of that version in, and out what is not in it; the changes, deletions last."""
        found = list(listed)
        changes = [self.take_listed(one, version) for one in found]
        return [one for one in changes if one is not None] + self.drop_unlisted(map(key_of, found), version)

    def take_listed(self, found: Object, version: str) -> Change | None:
        """Takes one object of a list of that version in; what we wrote after the list was made stays."""
        with self._lock:
            entry = self._entries.get(key_of(found))
            if entry is not None and entry.own and _newer(entry.version, version):
                return None
            return self._put_listed(found)

    def drop_unlisted(self, listed: Iterable[Key], version: str) -> list[Change]:
        """Takes out what a list of that version, which was taken in, does not have, but for what we wrote since."""
        with self._lock:
            self._listed = version
            later = {key for key, entry in self._entries.items() if entry.own and _newer(entry.version, version)}
            gone = self._entries.keys() - set(listed) - later
            return [change for key in sorted(gone) if (change := self.remove(key)) is not None]

    def _put_listed(self, found: Object) -> Change | None:
        """As ``put``, but a list is true even if its versions look older: the server may come from a backup."""
        key = key_of(found)
        entry = self._entries.get(key)
        version = str(found["metadata"].get("resourceVersion", ""))
        if entry is not None and entry.version == version and _same_uid(entry, found):
            return None
        if entry is not None:
            self._entries[key] = entry._replace(version="")
        return self.put(found)

    def _pack(self, shaped: Object, version: str, *, own: bool) -> _Entry:
        terms = tuple((name, term) for name, indexer in self._indexers.items() for term in indexer(shaped))
        return _Entry(_packed(shaped), version, str(shaped["metadata"].get("uid", "")), terms, own)

    def _exchange(self, key: Key, old: _Entry | None, new: _Entry | None) -> None:
        for term in old.terms if old else ():
            keys = self._index.get(term, set())
            keys.discard(key)
            if not keys:
                self._index.pop(term, None)
        for term in new.terms if new else ():
            self._index.setdefault(term, set()).add(key)
        if new is not None:
            self._entries[key] = new
            self._left.pop(key, None)
        elif old is not None:
            self._note_leaving(key, old.uid)
            del self._entries[key]

    def _note_leaving(self, key: Key, uid: str) -> None:
        self._left[key] = uid
        self._left.move_to_end(key)
        if len(self._left) > _REMEMBERED:
            self._left.popitem(last=False)


def _as_it_is(found: Object) -> Object:
    return found


def _packed(shaped: Object) -> bytes:
    """The fastest level takes a hundred microseconds for a JobSet and leaves a quarter of it."""
    return zlib.compress(json.dumps(shaped, separators=(",", ":"), ensure_ascii=False).encode(), 1)


def _unpack(entry: _Entry) -> Object:
    unpacked: Object = json.loads(zlib.decompress(entry.packed))
    return unpacked


def _same_uid(entry: _Entry, found: Object) -> bool:
    return entry.uid == str(found["metadata"].get("uid", ""))


def _newer(version: str, known: str) -> bool:
    """Versions of one kind compare as numbers where both are, as the API server's are; any other text counts as newer.

    kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/util/resourceversion @ v1.35.0.
    """
    if version.isdigit() and known.isdigit():
        return int(version) > int(known)
    return version != known
