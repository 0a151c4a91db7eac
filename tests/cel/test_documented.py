"""The examples of the Kubernetes documentation of CEL, by library, and the table of docs/cel.md that counts them.

Source of the expressions: kubernetes.io, "Common Expression Language in Kubernetes"; variables are fields of ``self``.
An expression without a value is ERROR; UNSUPPORTED is what no engine here can tell.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from trainergen.cel.engine import Engine, EvaluationError, UnsupportedError

DOCUMENT = Path(__file__).parents[2] / "docs" / "cel.md"
ERROR, UNSUPPORTED = "an error", "not supported"
Cases = list[tuple[str, Any, Any]]

CATEGORIES: dict[str, Cases] = {
    "operators and standard functions": [
        (
            "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas",
            {"minReplicas": 1, "replicas": 2, "maxReplicas": 3},
            True,
        ),
        ("'Available' in self.stateCounts", {"stateCounts": {"Available": 1}}, True),
        ("(self.list1.size() == 0) != (self.list2.size() == 0)", {"list1": [], "list2": [1]}, True),
        ("self.created + self.ttl < self.expired", {"created": 1, "ttl": 2, "expired": 4}, True),
        ("self.health.startsWith('ok')", {"health": "okay"}, True),
        ("type(self) == string ? self == '99%' : self == 42", "99%", True),
        ("type(self) == string ? self == '99%' : self == 42", 42, True),
        ("self.metadata.name == 'singleton'", {"metadata": {"name": "singleton"}}, True),
        ("self.foo < 1.5 && 1 == self.one", {"foo": 1, "one": 1.0}, True),
    ],
    "standard macros": [
        ("has(self.expired) && self.expired > 1", {"expired": 2}, True),
        ("has(self.expired) && self.expired > 1", {}, False),
        (
            "self.envars.filter(e, e.name == 'MY_ENV').all(e, e.value.matches('^[a-zA-Z]*$'))",
            {"envars": [{"name": "MY_ENV", "value": "x"}, {"name": "B", "value": "1"}]},
            True,
        ),
        ("self.widgets.exists(w, w.key == 'x' && w.foo < 10)", {"widgets": [{"key": "x", "foo": 1}]}, True),
        ("self.set1.all(e, !(e in self.set2))", {"set1": [1, 2], "set2": [3]}, True),
        (
            "self.names.size() == self.details.size() && self.names.all(n, n in self.details)",
            {"names": ["a"], "details": {"a": 1}},
            True,
        ),
        ("self.details.all(key, key.matches('^[a-zA-Z]*$'))", {"details": {"a": "b"}}, True),
        ("self.details.all(key, self.details[key].matches('^[a-zA-Z]*$'))", {"details": {"a": "1"}}, False),
        ("self.items.exists_one(i, i == 1)", {"items": [1, 2]}, True),
        ("self.items.map(i, i * 2)", {"items": [1, 2]}, [2, 4]),
    ],
    "two-variable comprehensions": [
        ("self.all(k, v, k == v)", {"a": "a"}, True),
        ("self.exists(i, v, i == v)", [3, 1], True),
        ("self.existsOne(i, v, i == v)", [0, 1], False),
        ("self.transformList(i, v, i * v)", [3, 4], [0, 4]),
        ("self.transformMap(k, v, v + 1)", {"a": 1}, {"a": 2}),
        ("self.transformMapEntry(k, v, {v: k})", {"a": "b"}, {"b": "a"}),
    ],
    "optional types": [
        ("self.?namex.orValue('none')", {}, "none"),
        ("self.?a.?b.hasValue()", {"a": {"b": 1}}, True),
        ("self[?'a'].optMap(x, x + 1).orValue(0)", {"a": 1}, 2),
        ("[?self.?a, 2]", {}, [2]),
        ("optional.none().value()", {}, ERROR),
    ],
    "lists": [
        ("self.names.isSorted()", {"names": ["a", "b"]}, True),
        ("self.items.map(x, x.weight).sum() == 1.0", {"items": [{"weight": 0.25}, {"weight": 0.75}]}, True),
        (
            "self.low.map(x, x.priority).max() < self.high.map(x, x.priority).min()",
            {"low": [{"priority": 1}], "high": [{"priority": 2}]},
            True,
        ),
        ("self.names.indexOf('should-be-first') == 1", {"names": ["a", "should-be-first"]}, True),
        ("[1, 2, 2, 3].lastIndexOf(2)", None, 2),
        ("[].min()", None, ERROR),
    ],
    "extended lists": [
        ("[1, 2, 3, 4].slice(1, 3)", None, [2, 3]),
        ("[1, [2, 3], [4]].flatten()", None, [1, 2, 3, 4]),
        ("[1, 2, 2, 3].distinct()", None, [1, 2, 3]),
        ("lists.range(3)", None, [0, 1, 2]),
        ("[3, 2, 1].sort()", None, [1, 2, 3]),
        ("[{'n': 2}, {'n': 1}].sortBy(e, e.n).map(e, e.n)", None, [1, 2]),
        ("[1, 2].reverse()", None, [2, 1]),
        ("[1, 2].first().value() + [1, 2].last().value()", None, 3),
    ],
    "sets": [
        ("sets.contains([1, 2, 3], [2])", None, True),
        ("sets.equivalent([1, 1], [1])", None, True),
        ("sets.intersects([1], [2])", None, False),
    ],
    "strings": [
        ("'hello'.charAt(1)", None, "e"),
        ("'hello mellow'.indexOf('ello', 2)", None, 7),
        ("'hello mellow'.lastIndexOf('ello')", None, 7),
        ("'TacoCat'.lowerAscii() + 'TacoCat'.upperAscii()", None, "tacocatTACOCAT"),
        ("'hello hello'.replace('he', 'we', 1)", None, "wello hello"),
        ("'a,b,c'.split(',', 2)", None, ["a", "b,c"]),
        ("['a', 'b'].join('-')", None, "a-b"),
        ("'tacocat'.substring(1, 4)", None, "aco"),
        ("' x '.trim()", None, "x"),
        ("strings.quote('a\"b')", None, '"a\\"b"'),
        ("'%s is %d'.format(['a', 1])", None, "a is 1"),
        ("'abc'.charAt(9)", None, ERROR),
    ],
    "regular expressions": [
        ("'abc 123'.find('[0-9]+')", None, "123"),
        ("'1, 2, 3, 4'.findAll('[0-9]+').map(x, int(x)).sum() < 100", None, True),
        ("'abc'.matches('^[a-c]+$')", None, True),
        ("'abc'.matches('(')", None, ERROR),
    ],
    "URLs": [
        ("url('https://example.com:80/').getHost()", None, "example.com:80"),
        ("url('https://example.com/path with spaces/').getEscapedPath()", None, "/path%20with%20spaces/"),
        ("url('https://a.example:8080/?k=v').getHostname()", None, "a.example"),
        ("url('https://a.example:8080/').getPort()", None, "8080"),
        ("url('https://a.example/?k=v').getQuery()", None, {"k": ["v"]}),
        ("url('https://a.example').getScheme()", None, "https"),
        ("isURL('../up')", None, False),
        ("url('no url')", None, ERROR),
    ],
    "IP addresses": [
        ("isIP('127.0.0.1')", None, True),
        ("ip('127.0.0.1').family()", None, 4),
        ("ip.isCanonical('::1')", None, True),
        ("ip.isCanonical('0:0:0:0:0:0:0:1')", None, False),
        ("ip('::1').isLoopback() && ip('::').isUnspecified()", None, True),
        ("ip('224.0.0.1').isLinkLocalMulticast() && ip('169.254.169.254').isLinkLocalUnicast()", None, True),
        ("ip('192.168.0.1').isGlobalUnicast()", None, True),
        ("ip('a')", None, ERROR),
    ],
    "CIDRs": [
        ("isCIDR('192.168.0.0/16')", None, True),
        ("cidr('192.168.0.0/16').containsIP(ip('192.168.0.1'))", None, True),
        ("cidr('192.168.0.0/16').containsIP('192.169.0.1')", None, False),
        ("cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24')", None, True),
        ("cidr('::1/128').prefixLength()", None, 128),
        ("cidr('192.168.0.1/16').masked() == cidr('192.168.0.0/16')", None, True),
        ("cidr('192.168.0.0/16').ip().family()", None, 4),
        ("cidr('192.168.0.0')", None, ERROR),
    ],
    "quantities": [
        ("quantity('500000G').isInteger()", None, True),
        ("quantity('50k').asInteger()", None, 50000),
        ("quantity('9999999999999999999999999999999999999G').asApproximateFloat()", None, 1e46),
        ("quantity('50k').add(quantity('20k')) == quantity('70k')", None, True),
        ("quantity('50k').add('20k')", None, ERROR),
        ("quantity('50k').sub(20000) == quantity('30k')", None, True),
        ("quantity('50k').add(20).sub(quantity('100k')).sub(-50000) == quantity('20')", None, True),
        ("quantity('200M').compareTo(quantity('0.2G'))", None, 0),
        ("quantity('150Mi').isGreaterThan(quantity('100Mi'))", None, True),
        ("quantity('50M').isLessThan(quantity('100M'))", None, True),
        ("quantity('-1').sign()", None, -1),
        ("isQuantity('1.3Gi') && !isQuantity('1.3.3')", None, True),
        ("quantity('1.5').asInteger()", None, ERROR),
    ],
    "semantic versions": [
        ("isSemver('1.0.0') && !isSemver('hello')", None, True),
        ("isSemver('v1.0', true)", None, True),
        ("semver('1.2.3').major()", None, 1),
        ("semver('1.2.3').compareTo(semver('2.0.0')) < 0", None, True),
        ("semver('v1.0', true) == semver('1.0.0')", None, True),
        ("semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))", None, True),
        ("semver('1.0')", None, ERROR),
    ],
    "named formats": [
        ("!format.dns1123Label().validate('my-label').hasValue()", None, True),
        ("format.dns1123Label().validate('contains a space').hasValue()", None, True),
        ("format.named('dns1123Subdomain').value().validate('apiextensions.k8s.io').hasValue()", None, False),
        ("format.qualifiedName().validate('apiextensions.k8s.io/v1beta1').hasValue()", None, False),
        ("format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue()", None, False),
        ("format.byte().validate('aGVsbG8=').hasValue()", None, False),
        ("format.date().validate('2021-01-01').hasValue()", None, False),
        ("format.datetime().validate('2021-01-01T00:00:00Z').hasValue()", None, False),
        ("format.named('unknown').hasValue()", None, False),
    ],
    "JSON patch keys": [("jsonpatch.escapeKey('k8s.io/my~label')", None, "k8s.io~1my~0label")],
    "authorizer": [
        ("authorizer.group('').resource('pods').namespace('default').check('create').allowed()", None, UNSUPPORTED),
        ("authorizer.path('/healthz').check('get').allowed()", None, UNSUPPORTED),
        ("authorizer.serviceAccount('a', 'b').resource('deployments').check('delete').allowed()", None, UNSUPPORTED),
    ],
}
CASES = [(category, *case) for category, cases in CATEGORIES.items() for case in cases]


def answer(engine: Engine, expression: str, value: Any) -> Any:
    """What an engine says."""
    try:
        return engine.compile(expression).evaluate({"self": value})
    except EvaluationError:
        return ERROR
    except UnsupportedError as error:
        # The type checker refuses a call that the server's refuses as well.
        return ERROR if "no matching overload" in str(error) else UNSUPPORTED


@pytest.mark.parametrize(("category", "expression", "value", "wanted"), CASES)
def test_example(engine: Engine, category: str, expression: str, value: Any, wanted: Any) -> None:
    assert answer(engine, expression, value) == wanted


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_documentation_counts_them(engine: Engine, category: str) -> None:
    cases = CATEGORIES[category]
    evaluated = sum(answer(engine, expression, value) != UNSUPPORTED for expression, value, _ in cases)
    told = f"{evaluated} of {len(cases)}" if evaluated else "not supported"
    text = DOCUMENT.read_text(encoding="utf-8")
    [row] = [line for line in text.splitlines() if line.startswith(f"| {category} |")]
    column = {"cel-python": 2, "cel-expr-python": 3}[engine.name]
    assert row.split("|")[column].strip() == told
