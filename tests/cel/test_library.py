"""The functions that Kubernetes adds to CEL, through every engine."""

from __future__ import annotations

from typing import Any

import pytest

from trainergen.cel.engine import Engine, EvaluationError

ANSWERS: dict[str, Any] = {
    # lists
    "[1, 2, 2].isSorted()": True,
    "['b', 'a'].isSorted()": False,
    "[].isSorted()": True,
    "[1, 2, 3].sum()": 6,
    "[1.5, 2.0].sum()": 3.5,
    "[].sum()": 0,
    "[3, 1, 2].min()": 1,
    "['a', 'c', 'b'].max()": "c",
    "[1, 2, 2].indexOf(2)": 1,
    "[1, 2, 2].lastIndexOf(2)": 2,
    "[1].indexOf('a')": -1,
    # sets
    "sets.contains([1, 2], [1.0])": True,
    "sets.contains([1], [1, 2])": False,
    "sets.equivalent([1, 1], [1])": True,
    "sets.intersects([1, 2], [2, 3])": True,
    "sets.intersects([], [1])": False,
    # strings
    "'abc'.charAt(1) + 'abc'.charAt(3)": "b",
    "'abcb'.indexOf('b')": 1,
    "'abcb'.indexOf('b', 2)": 3,
    "'abc'.indexOf('')": 0,
    "'abc'.indexOf('z')": -1,
    "'abcb'.lastIndexOf('b')": 3,
    "'abcb'.lastIndexOf('b', 2)": 1,
    "'abc'.lastIndexOf('')": 3,
    "'abc'.lastIndexOf('', 1)": 1,
    "'TÄST'.lowerAscii()": "tÄst",
    "'täst'.upperAscii()": "TäST",
    "'aXbXc'.replace('X', '-')": "a-b-c",
    "'aXbXc'.replace('X', '-', 1)": "a-bXc",
    "'a,b,c'.split(',')": ["a", "b", "c"],
    "'a,b,c'.split(',', 2)": ["a", "b,c"],
    "'a,b,c'.split(',', 0)": [],
    "'abc'.split('')": ["a", "b", "c"],
    "'abc'.split('', 2)": ["a", "bc"],
    "'abcd'.substring(1)": "bcd",
    "'abcd'.substring(1, 3)": "bc",
    "['a', 'b'].join()": "ab",
    "['a', 'b'].join('-')": "a-b",
    r"' \ta\n '.trim()": "a",
    "'a12b3'.find('[0-9]+')": "12",
    "'abc'.find('[0-9]+')": "",
    "'a12b3'.findAll('[0-9]+')": ["12", "3"],
    "'a12b3'.findAll('[0-9]+', 1)": ["12"],
    "'a12b3'.findAll('[0-9]+', 0)": [],
    "'%s has %d of %.2f%%, %x, %X, %o, %b, %s, %s'.format(['a', 2, 1.5, 255, 'hi', 8, true, false, null])": (
        "a has 2 of 1.50%, ff, 6869, 10, 1, false, null"
    ),
    "'%e %f'.format([12.5, 3.0])": "1.250000e+01 3.000000",
    # quantities
    "quantity('1Gi').isGreaterThan(quantity('1G'))": True,
    "quantity('0.5') == quantity('500m')": True,
    "quantity('50k').add(20).sub(quantity('100k')).sub(-50000) == quantity('20')": True,
    "quantity('1').add(quantity('1')).asInteger()": 2,
    "quantity('1500m').asApproximateFloat()": 1.5,
    "quantity('1500m').isInteger()": False,
    "quantity('-1').sign() + quantity('0').sign()": -1,
    "quantity('200M').compareTo(quantity('0.2G'))": 0,
    "isQuantity('1.3Gi') && !isQuantity('1,3G')": True,
    # versions
    "semver('1.2.3').isLessThan(semver('1.10.0'))": True,
    "semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))": True,
    "semver('1.0.0-2').isLessThan(semver('1.0.0-10')) && semver('1.0.0-10').isLessThan(semver('1.0.0-a'))": True,
    "semver('1.0.0+a').compareTo(semver('1.0.0+b'))": 0,
    "semver('v01.2', true).minor()": 2,
    "semver('1.2.3').major() * 100 + semver('1.2.3').patch()": 103,
    "isSemver('1.2') || isSemver('01.2.3') || isSemver('1.2-rc', true)": False,
    "isSemver('v1', true)": True,
    # addresses
    "ip('::1').isLoopback() && ip('127.0.0.1').isLoopback()": True,
    "ip('10.0.0.1').family() + ip('fe80::1').family()": 10,
    "isIP('::ffff:1.2.3.4') || isIP('fe80::1%eth0') || isIP('010.0.0.1') || isIP('x')": False,
    "ip.isCanonical('::1') && !ip.isCanonical('::01')": True,
    "ip('0.0.0.0').isUnspecified()": True,
    "ip('224.0.0.1').isLinkLocalMulticast() && ip('ff02::1').isLinkLocalMulticast()": True,
    "ip('169.254.1.1').isLinkLocalUnicast()": True,
    "ip('10.0.0.1').isGlobalUnicast()": True,
    "ip('255.255.255.255').isGlobalUnicast() || ip('224.0.0.1').isGlobalUnicast()": False,
    "cidr('192.168.0.0/24').containsIP('192.168.0.1')": True,
    "cidr('192.168.0.0/24').containsIP(ip('192.168.1.1'))": False,
    "cidr('192.168.0.0/24').containsCIDR('192.168.0.128/25')": True,
    "cidr('192.168.0.0/24').containsCIDR(cidr('192.168.0.0/23'))": False,
    "cidr('10.0.0.0/8').containsCIDR('::/8')": False,
    "cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24')": True,
    "cidr('192.168.0.1/24').ip() == ip('192.168.0.1')": True,
    "cidr('192.168.0.0/24').prefixLength()": 24,
    "isCIDR('1.2.3.4') || isCIDR('1.2.3.4/033') || isCIDR('::ffff:1.2.3.4/24')": False,
    # URLs
    "url('https://u@example.com:80/a%20b?x=1&x=2').getPort()": "80",
    "url('https://[::1]:80/').getHostname()": "::1",
    "url('https://example.com/').getHostname() + url('https://example.com/').getPort()": "example.com",
    "url('https://u@example.com:80/').getHost()": "example.com:80",
    "url('https://example.com:80/a?x=1&x=2&y').getQuery()": {"x": ["1", "2"], "y": [""]},
    "url('/a').getScheme() + url('https:/a').getScheme()": "https",
    "url('https://example.com:80/path with spaces/').getEscapedPath()": "/path%20with%20spaces/",
    "isURL('a/b') || isURL('') || isURL('https://a b/') || isURL('https://a:x/') || isURL('/%zz')": False,
}


@pytest.mark.parametrize("expression", ANSWERS)
def test_answer(engine: Engine, expression: str) -> None:
    assert engine.compile(expression).evaluate({}) == ANSWERS[expression]


ERRORS = [
    "'abc'.charAt(4)",
    "'abc'.substring(2, 1)",
    "'abc'.indexOf('a', 5)",
    "'abc'.lastIndexOf('a', -1)",
    "'a'.find('(')",
    "[1].join()",
    "[].max()",
    "[1, 'a'].isSorted()",
    "'%d'.format(['a'])",
    "'%d %d'.format([1])",
    "'%z'.format([1])",
    "'%d'.format([1.5])",
    "'%f'.format([3])",
    "quantity('x')",
    "quantity('1500m').asInteger()",
    "quantity('1').add({'a': 1})",
    "quantity('1').compareTo(semver('1.0.0'))",
    "semver('1.2')",
    "ip('x')",
    "ip.isCanonical('x')",
    "cidr('1.2.3.4')",
    "url('a/b')",
]


@pytest.mark.parametrize("expression", ERRORS)
def test_no_value_is_an_error(engine: Engine, expression: str) -> None:
    with pytest.raises(EvaluationError):
        engine.compile(expression).evaluate({})


def test_durations_are_summed_where_an_engine_carries_them() -> None:
    from trainergen.cel.engine import holds

    assert holds("[duration('1h'), duration('30m')].sum() == duration('90m')", {})
