from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_js.places import Place
from runtime_js.scan import (
    BRACKET_LIMIT,
    Form,
    bracket_depth,
    is_left_open,
    literal_lines,
    needs_scan,
    scan,
)
from tests.helpers.steps import steps

DEPTHS = [
    pytest.param("", 0, id="empty"),
    pytest.param("a[b(c{d})]", 3, id="each kind"),
    pytest.param("() [] {}", 1, id="side by side"),
    pytest.param("(((", 3, id="never closed"),
    pytest.param(")))(", 1, id="closed before opened"),
    pytest.param("a<b<c<d>>>", 0, id="angles"),
    pytest.param("'((' + \"[[\" + '\\'(('", 0, id="strings"),
    pytest.param("'(( \n ((", 2, id="a string ends with its line"),
    pytest.param("'(( \\\n (('", 0, id="unless the line is continued"),
    pytest.param("'(( \\\r\n (('", 0, id="or continued over two characters"),
    pytest.param("`(( ${ [ `${ ( }` ] } ((`", 4, id="templates within templates"),
    pytest.param("`\\`(( \\${((`", 0, id="escapes in a template"),
    pytest.param("`$(($`", 0, id="dollars in a template"),
    pytest.param("`${ {a: 1} }((`", 2, id="braces within a template"),
    pytest.param("`((", 0, id="template without an end"),
    pytest.param("// ((\n/* (( */ (", 1, id="comments"),
    pytest.param("/* (( ", 0, id="comment without an end"),
    pytest.param("// ((\u2028(", 1, id="a line separator ends a comment"),
    # The quotes and slashes of a regular expression open nothing; its brackets count.
    pytest.param("x = /'/ + '(('", 0, id="regular expression after an operator"),
    pytest.param("return /'/ + '(('", 0, id="regular expression after a word"),
    pytest.param("x = /[/']/ + '(('", 1, id="slash in a class"),
    pytest.param("x = /\\/'/ + '(('", 0, id="escaped slash"),
    pytest.param("if (x) /'/.test('((')", 1, id="regular expression after a condition"),
    pytest.param("function f() {}\n/'/.test('((')", 1, id="regular expression after a block"),
    pytest.param("x = /((/", 2, id="brackets of a regular expression"),
    pytest.param("a / ((b)) / c", 2, id="division"),
    pytest.param("a.return / ((b)) / c", 2, id="division of a property"),
    pytest.param("a++ / ((b)) / c", 2, id="division after a postfix"),
    pytest.param("a + /'/ + '(('", 0, id="regular expression after a sign"),
    pytest.param("a! / ((b)) / c", 2, id="division of a value asserted not null"),
    pytest.param("!/'/.test('((')", 1, id="regular expression after a negation"),
    pytest.param("1. / ((b)) / c", 2, id="division of a number"),
    pytest.param("x = {} / ((b)) / c", 2, id="division of an object"),
    pytest.param("a /* x */ / ((b)) / c", 2, id="division after a comment"),
    pytest.param("a // x\n/ ((b)) / c", 2, id="division on the next line"),
    pytest.param("#! '(( `\n(", 1, id="hashbang"),
    pytest.param("a / b", 0, id="a slash alone"),
]

FAULTS = [
    pytest.param("// @ts-nocheck", [(Form.NO_CHECK, 0)], id="no check"),
    pytest.param("x //@TS-NoCheck because", [(Form.NO_CHECK, 2)], id="no check, with a reason"),
    pytest.param("/// @ts-nocheck: x", [(Form.NO_CHECK, 0)], id="no check, three slashes"),
    pytest.param("#! `\n// @ts-nocheck", [(Form.NO_CHECK, 5)], id="no check, after a hashbang"),
    pytest.param("/* @ts-nocheck */ //// @ts-nocheck\n// x @ts-nocheck\n// @ts-nocheck-x", [], id="checked"),
    pytest.param("'// @ts-nocheck'; `// @ts-nocheck`", [], id="no comment"),
    pytest.param("import('a'); import( /* x */ \"a\" , {});", [], id="literal"),
    pytest.param("import(`a`)", [(Form.COMPUTED_IMPORT, 0)], id="template"),
    pytest.param("x = import('./' + a)", [(Form.COMPUTED_IMPORT, 4)], id="concatenation"),
    pytest.param("import(a ? 'b' : 'c')", [(Form.COMPUTED_IMPORT, 0)], id="condition"),
    pytest.param("import /* ( */ (a)", [(Form.COMPUTED_IMPORT, 0)], id="comment between"),
    pytest.param("import()", [(Form.COMPUTED_IMPORT, 0)], id="nothing"),
    pytest.param("{ import(a) }", [(Form.COMPUTED_IMPORT, 2)], id="in a block"),
    pytest.param("import(a)\n{}", [(Form.COMPUTED_IMPORT, 0)], id="before a block"),
    pytest.param("if (import(a)) {}", [(Form.COMPUTED_IMPORT, 4)], id="in a condition"),
    pytest.param("`${import(a)}`", [(Form.COMPUTED_IMPORT, 3)], id="in a template"),
    pytest.param("a.import(b); a?.import(b); a. import(b)", [], id="method called import"),
    pytest.param("class A { import(a: b) {} static import(c): d {} }", [], id="method declared"),
    pytest.param("({ import(a) {}, async import(b) {} })", [], id="method of an object"),
    pytest.param("interface A { import(a: b): c }", [], id="method of an interface"),
    pytest.param("import.meta; import a from 'b'; myimport(a); import$(a)", [], id="other imports"),
    pytest.param("'import(a)'; // import(a)\n/import(a)/", [], id="no code"),
    pytest.param("export = a", [(Form.EXPORT_ASSIGNMENT, 0)], id="export assignment"),
    pytest.param("a\nexport /* b */ = a", [(Form.EXPORT_ASSIGNMENT, 2)], id="comment before the sign"),
    pytest.param(
        "export == a; export => a; export const a = 1; class A { export = 1 }", [], id="other exports"
    ),
]

# The lines, from 0, that begin within a comment or the text of a template.
WITHIN = [
    pytest.param("a\nb\n", set(), id="none"),
    pytest.param("/* a\nb */\nc", {1}, id="comment"),
    pytest.param("// a\nb", set(), id="a line comment ends with its line"),
    pytest.param("a = `b\nc\n`;\nd", {1, 2}, id="template"),
    pytest.param("a = `b\n${\nc\n}\nd`;\ne", {1, 4}, id="an expression in a template is code"),
    pytest.param("/* a */ b\n/* c\n*/ d = `\n`", {2, 3}, id="one after the other"),
    pytest.param('a = "`"\nb = /`/\nc // `\nd', set(), id="backticks elsewhere"),
    pytest.param("a = `\\`\nb`\nc", {1}, id="an escaped backtick"),
    pytest.param("a = `b\nc", {1}, id="a template without an end"),
    pytest.param("/* b\nc", {1}, id="a comment without an end"),
    pytest.param("``\n`a`\n````\nb", set(), id="empty templates"),
]

LEFT_OPEN = [
    pytest.param("", False, id="nothing"),
    pytest.param("a(b);", False, id="whole"),
    pytest.param("a(", True, id="bracket"),
    pytest.param("a)", False, id="closed before opened"),
    pytest.param("/* a", True, id="comment"),
    pytest.param("/*/", True, id="a comment that only seems closed"),
    pytest.param("/**/", False, id="an empty comment"),
    pytest.param("// a", False, id="line comment"),
    pytest.param("a = `b", True, id="template"),
    pytest.param("a = `", True, id="template just begun"),
    pytest.param("a = `b`", False, id="template ended"),
    pytest.param("a = `${b", True, id="expression in a template"),
    pytest.param("a = '(", False, id="a string ends with its line"),
    pytest.param("a = `b`; c = `", True, id="the second of two"),
]


class Nested(NamedTuple):
    text: str
    depth: int


def wrap(opening: str, inner: Nested, closing: str) -> Nested:
    return Nested(f"{opening}{inner.text}{closing}", inner.depth + 1)


QUIET = st.sampled_from(
    ["x", " + 1", ";\n", "'('", '"]"', "// {\n", "/* ( */", "`[`", " = /'`./g;", "<", "é😀"]
)
TEXTS = st.recursive(
    QUIET.map(lambda text: Nested(text, 0)),
    lambda inner: st.one_of(
        inner.map(lambda found: wrap("a(", found, ")")),
        inner.map(lambda found: wrap("a[", found, "]")),
        inner.map(lambda found: wrap("\n{", found, "}\n")),
        inner.map(lambda found: wrap("`é${", found, "}(`")),
        st.lists(inner, max_size=3).map(
            lambda found: Nested(
                ";".join(part.text for part in found), max((p.depth for p in found), default=0)
            )
        ),
    ),
    max_leaves=30,
)


@pytest.mark.parametrize(("source", "expected"), DEPTHS)
def test_depth(source: str, expected: int) -> None:
    assert scan(source).depth == expected


@pytest.mark.parametrize(("source", "expected"), FAULTS)
def test_faults(source: str, expected: list[tuple[Form, int]]) -> None:
    assert [(fault.form, fault.offset) for fault in scan(source).faults] == expected
    assert needs_scan(source) or not expected


@pytest.mark.parametrize(("source", "lines"), WITHIN)
def test_lines_that_begin_within_a_literal(source: str, lines: set[int]) -> None:
    assert literal_lines(source) == lines


@pytest.mark.parametrize(("source", "is_open"), LEFT_OPEN)
def test_texts_that_are_left_open(source: str, is_open: bool) -> None:
    assert is_left_open(source) is is_open


def test_a_slash_after_either_bracket_is_decided_for_each() -> None:
    # The brackets do not match, so that one opening is asked about by two closing ones.
    assert scan("f(x) / 1; } /'/ + '(('").depth == 1


@pytest.mark.parametrize("ahead", [lambda n: "if" + " " * n, lambda n: "x" * n], ids=["blanks", "a word"])
def test_slashes_after_one_bracket_look_back_once(ahead: Callable[[int], str]) -> None:
    short, long = (f"{ahead(n)}(){'/)' * n}" for n in (500, 1000))

    assert steps(lambda: scan(long)) < 2.1 * steps(lambda: scan(short))


def test_the_deepest_bracket_and_the_first_too_deep_have_places() -> None:
    source = "\n" + "[" * 120 + "]" * 120

    assert bracket_depth(source, "a.ts") == (120, Place("a.ts", 2, 120))
    assert scan(source).too_deep == 1 + BRACKET_LIMIT


def test_brackets_up_to_the_limit_are_not_too_deep() -> None:
    found = scan("[" * BRACKET_LIMIT)

    assert (found.depth, found.too_deep) == (BRACKET_LIMIT, None)


def test_a_text_of_few_brackets_and_no_forms_needs_no_scan() -> None:
    assert not needs_scan('import { a } from "b";\nexport const c = [a(1)];\n')
    assert needs_scan("(" * (BRACKET_LIMIT + 1))


@given(TEXTS)
def test_depth_is_that_of_the_nesting(nested: Nested) -> None:
    assert scan(nested.text).depth == nested.depth


@given(st.text(alphabet="()[]{}`$'\"\\/*!. \n\rab@=<\u2028import", max_size=60) | st.text())
def test_any_text_is_scanned(text: str) -> None:
    found = scan(text)

    assert 0 <= found.depth <= len(text)
    assert found.depth == 0 or text[found.deepest] in "([{$"
    assert all(0 <= fault.offset < len(text) for fault in found.faults)
