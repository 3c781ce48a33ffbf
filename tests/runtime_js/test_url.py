"""`URL` and `URLSearchParams` of the guest, by examples of the URL standard."""

import json
from collections.abc import Iterator
from typing import Final

import pytest

from runtime_js.globals import guest_globals
from sandbox import GuestProgram, SandboxPool

# input, base (or None), href (or None where it is no URL)
PARSED: Final = [
    ("https://example.com", None, "https://example.com/"),
    ("HTTPS://EXAMPLE.com:443/../a", None, "https://example.com/a"),
    (
        "https://user:pa%20ss@example.com:8080/a b?q=ü#f g",
        None,
        "https://user:pa%20ss@example.com:8080/a%20b?q=%C3%BC#f%20g",
    ),
    ("  https://ex\nample.com/\t ", None, "https://example.com/"),
    ("//other/x", "https://example.com/a", "https://other/x"),
    ("../b/./c", "https://example.com/x/y/z?q#f", "https://example.com/x/b/c"),
    ("?r", "https://example.com/x?q#f", "https://example.com/x?r"),
    ("#g", "https://example.com/x?q#f", "https://example.com/x?q#g"),
    ("", "https://example.com/x?q#f", "https://example.com/x?q"),
    ("/%2e%2E/a", "https://example.com/x", "https://example.com/a"),
    ("https:foo", "https://example.com/a/b", "https://example.com/a/foo"),
    ("http:\\\\x\\y", None, "http://x/y"),
    ("http://1.2.3", None, "http://1.2.0.3/"),
    ("http://0x7f.1", None, "http://127.0.0.1/"),
    ("http://256.1.1.1", None, None),
    ("http://[::1]:80/", None, "http://[::1]/"),
    ("http://[1:0:0:2::3]", None, "http://[1:0:0:2::3]/"),
    ("http://[::ffff:1.2.3.4]", None, "http://[::ffff:102:304]/"),
    ("http://[1::2::3]", None, None),
    ("http://bücher.example", None, "http://xn--bcher-kva.example/"),
    ("http://\uff45\uff58\uff41mple\u3002com", None, "http://example.com/"),
    ("http://a%41b", None, "http://aab/"),
    ("http://a b", None, None),
    ("http://x:99999", None, None),
    ("http://", None, None),
    ("http://@x", None, "http://x/"),
    ("http://a:@", None, None),
    ("relative", None, None),
    ("mailto:a@b.c?subject=x y", None, "mailto:a@b.c?subject=x%20y"),
    ("data:text/plain,a b#c", None, "data:text/plain,a b#c"),
    ("x", "mailto:a", None),
    ("foo://h/../p?q", None, "foo://h/p?q"),
    ("foo:/a/..//b", None, "foo:/.//b"),
    ("file:///C|/a/../..", None, "file:///C:/"),
    ("file://localhost/a", None, "file:///a"),
    ("x", "file:///a/b", "file:///a/x"),
    ("https://example.com/'?'#'", None, "https://example.com/'?%27#'"),
    ("https://example.com/%zz\ud800", None, "https://example.com/%zz%EF%BF%BD"),
]

PARTS: Final = {
    "href": "https://u:p@h.example:81/a/b?q=1&r=%20#f",
    "origin": "https://h.example:81",
    "protocol": "https:",
    "username": "u",
    "password": "p",
    "host": "h.example:81",
    "hostname": "h.example",
    "port": "81",
    "pathname": "/a/b",
    "search": "?q=1&r=%20",
    "hash": "#f",
}

# A property, what is assigned, the href then.
ASSIGNED: Final = [
    ("protocol", "http", "http://u:p@h.example:81/a/b?q=1#f"),
    ("protocol", "foo", "https://u:p@h.example:81/a/b?q=1#f"),
    ("username", "a:b", "https://a%3Ab:p@h.example:81/a/b?q=1#f"),
    ("password", "", "https://u@h.example:81/a/b?q=1#f"),
    ("host", "x.example:443", "https://u:p@x.example/a/b?q=1#f"),
    ("hostname", "y.example:9", "https://u:p@y.example:81/a/b?q=1#f"),
    ("hostname", "", "https://u:p@h.example:81/a/b?q=1#f"),
    ("port", "8a", "https://u:p@h.example:8/a/b?q=1#f"),
    ("port", "", "https://u:p@h.example/a/b?q=1#f"),
    ("pathname", "x y/../z?", "https://u:p@h.example:81/z%3F?q=1#f"),
    ("search", "", "https://u:p@h.example:81/a/b#f"),
    ("search", "?a='b'", "https://u:p@h.example:81/a/b?a=%27b%27#f"),
    ("hash", "g h", "https://u:p@h.example:81/a/b?q=1#g%20h"),
    ("href", "data:x", "data:x"),
]

# An expression with `p`, a URLSearchParams of "a=1&b=2&a=3&c=%20+%E2%82%AC", and its value.
PARAMS: Final = [
    ("p.toString()", "a=1&b=2&a=3&c=++%E2%82%AC"),
    ("p.get('c')", "  €"),
    ("p.get('z')", None),
    ("p.getAll('a')", ["1", "3"]),
    ("[p.has('a'), p.has('a', '3'), p.has('a', '9'), p.size]", [True, True, False, 4]),
    ("(p.set('a', 'x'), `${p}`)", "a=x&b=2&c=++%E2%82%AC"),
    ("(p.append('d', '&='), p.delete('a', '1'), `${p}`)", "b=2&a=3&c=++%E2%82%AC&d=%26%3D"),
    ("(p.sort(), [...p.keys()])", ["a", "a", "b", "c"]),
    ("[...new URLSearchParams({ x: '1', y: '2' })]", [["x", "1"], ["y", "2"]]),
    ("`${new URLSearchParams([['q', 'a b']])}`", "q=a+b"),
    ("new URLSearchParams('?q=%').get('q')", "%"),
    (
        "(() => { const u = new URL('http://h/?q=1'); u.searchParams.append('r', '2'); return u.href; })()",
        "http://h/?q=1&r=2",
    ),
    (
        "(() => { const u = new URL('http://h/?q=1'); u.search = 's=3'; return u.searchParams.get('s'); })()",
        "3",
    ),
]


@pytest.fixture(scope="module")
def pool() -> Iterator[SandboxPool]:
    with SandboxPool(globals=guest_globals()) as pool:
        yield pool


def value_of(pool: SandboxPool, expression: str) -> object:
    js = f"console.log(JSON.stringify({expression}) ?? 'null')"
    outcome = pool.run(GuestProgram(js=js, seed=1), lambda call: "")
    (line,) = outcome.stats.logs
    return json.loads(line.text)


@pytest.mark.parametrize(("text", "base", "href"), PARSED)
def test_parsed(text: str, base: str | None, href: str | None, pool: SandboxPool) -> None:
    arguments = ", ".join(json.dumps(part) for part in (text, base) if part is not None)

    assert value_of(pool, f"URL.parse({arguments})?.href ?? null") == href
    assert value_of(pool, f"URL.canParse({arguments})") is (href is not None)
    if href is not None:
        assert value_of(pool, f"new URL({json.dumps(href)}).href") == href


def test_parts(pool: SandboxPool) -> None:
    names = json.dumps(list(PARTS))
    url = json.dumps(PARTS["href"])

    assert value_of(pool, f"Object.fromEntries({names}.map((name) => [name, new URL({url})[name]]))") == PARTS


@pytest.mark.parametrize(("name", "value", "href"), ASSIGNED)
def test_assigned(name: str, value: str, href: str, pool: SandboxPool) -> None:
    url = "new URL('https://u:p@h.example:81/a/b?q=1#f')"
    js = f"(() => {{ const url = {url}; url.{name} = {json.dumps(value)}; return url.href; }})()"

    assert value_of(pool, js) == href


@pytest.mark.parametrize(("expression", "value"), PARAMS)
def test_params(expression: str, value: object, pool: SandboxPool) -> None:
    js = f"(() => {{ const p = new URLSearchParams('a=1&b=2&a=3&c=%20+%E2%82%AC'); return {expression}; }})()"

    assert value_of(pool, js) == value


def test_no_url_names_what_it_got(pool: SandboxPool) -> None:
    js = "(() => { try { new URL('x', 'y') } catch (e) { return `${e}` } })()"

    assert value_of(pool, js) == 'TypeError: Invalid URL: "x" with base "y"'
