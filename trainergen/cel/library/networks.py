"""IP addresses and networks in CEL.

Behaviour: kubernetes/apiserver pkg/cel/library/{ip.go,cidr.go} @ v0.35.0.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from trainergen.cel.library.function import Function
from trainergen.cel.library.opaque import accepts, unwrap, wrap

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface

    Address: TypeAlias = IPv4Address | IPv6Address
    Interface: TypeAlias = IPv4Interface | IPv6Interface


@cache
def _address(text: str) -> Address:
    from ipaddress import IPv6Address, ip_address

    address = ip_address(text)
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:
            raise ValueError(f"IP address '{text}' with zone value is not allowed")
        if address.ipv4_mapped is not None:
            raise ValueError(f"IPv4-mapped IPv6 address '{text}' is not allowed")
    return address


def ip(value: Any) -> dict[str, str]:
    """A text as an address, or the address of a network."""
    text = str(value) if isinstance(value, str) else unwrap(value, "cidr")[1].partition("/")[0]
    return wrap("ip", str(_address(text)))


def is_ip(text: str) -> bool:
    """Is ``text`` an address?"""
    return accepts(ip, text)


def is_canonical(text: str) -> bool:
    """Is the address written in its one canonical form? ValueError when it is no address."""
    return str(_address(str(text))) == str(text)


def _of(value: Any) -> Address:
    return _address(unwrap(value, "ip")[1])


def family(value: Any) -> int:
    """4 or 6."""
    return _of(value).version


def is_unspecified(value: Any) -> bool:
    """0.0.0.0 or ::."""
    return _of(value).is_unspecified


def is_loopback(value: Any) -> bool:
    """127.0.0.0/8 or ::1."""
    return _of(value).is_loopback


def is_link_local_multicast(value: Any) -> bool:
    """224.0.0.0/24 or ff02::/16 and the like."""
    address = _of(value)
    if address.version == 4:
        return str(address).startswith("224.0.0.")
    return address.packed[0] == 0xFF and address.packed[1] & 0x0F == 2


def is_link_local_unicast(value: Any) -> bool:
    """169.254.0.0/16 or fe80::/10."""
    return _of(value).is_link_local


def is_global_unicast(value: Any) -> bool:
    """Any address but the special ones; private addresses count as global, as in Go."""
    address = _of(value)
    special = address.is_unspecified or address.is_loopback or address.is_multicast or address.is_link_local
    return not special and str(address) != "255.255.255.255"


@cache
def _interface(text: str) -> Interface:
    from ipaddress import ip_interface

    address, slash, length = text.partition("/")
    if not slash or not length.isdecimal() or (len(length) > 1 and length.startswith("0")):
        raise ValueError(f"'{text}' is no network")
    _address(address)
    return ip_interface(text)


def cidr(text: str) -> dict[str, str]:
    """``text`` as a network; ValueError when it is none."""
    return wrap("cidr", str(_interface(str(text))))


def is_cidr(text: str) -> bool:
    """Is ``text`` a network?"""
    return accepts(cidr, text)


def _network(value: Any) -> Interface:
    return _interface(str(value) if isinstance(value, str) else unwrap(value, "cidr")[1])


def contains_ip(value: Any, other: Any) -> bool:
    """Is the address (a text or an address) in the network?"""
    address = _address(str(other)) if isinstance(other, str) else _of(other)
    return address in _network(value).network


def contains_cidr(value: Any, other: Any) -> bool:
    """Is the other network (a text or a network) within the network?"""
    outer, inner = _network(value).network, _network(other).network
    return outer.version == inner.version and outer.prefixlen <= inner.prefixlen and inner.network_address in outer


def masked(value: Any) -> dict[str, str]:
    """The network with every bit outside of the prefix zero."""
    return wrap("cidr", str(_network(value).network))


def prefix_length(value: Any) -> int:
    """How many bits the prefix has."""
    return _network(value).network.prefixlen


NETWORKS = (
    Function("ip", ("string",), "map", ip, member=False),
    Function("ip", ("map",), "map", ip),
    Function("isIP", ("string",), "bool", is_ip, member=False),
    Function("ip.isCanonical", ("string",), "bool", is_canonical, member=False),
    Function("family", ("map",), "int", family),
    Function("isUnspecified", ("map",), "bool", is_unspecified),
    Function("isLoopback", ("map",), "bool", is_loopback),
    Function("isLinkLocalMulticast", ("map",), "bool", is_link_local_multicast),
    Function("isLinkLocalUnicast", ("map",), "bool", is_link_local_unicast),
    Function("isGlobalUnicast", ("map",), "bool", is_global_unicast),
    Function("cidr", ("string",), "map", cidr, member=False),
    Function("isCIDR", ("string",), "bool", is_cidr, member=False),
    Function("containsIP", ("map", "string"), "bool", contains_ip),
    Function("containsIP", ("map", "map"), "bool", contains_ip),
    Function("containsCIDR", ("map", "string"), "bool", contains_cidr),
    Function("containsCIDR", ("map", "map"), "bool", contains_cidr),
    Function("masked", ("map",), "map", masked),
    Function("prefixLength", ("map",), "int", prefix_length),
)
