"""What each form of a reply becomes, and that nothing but deletion makes it so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.healing import HealingSettings
from host.turn.healing import Healed, heal

PROGRAM = 'import { views } from "gg";\nviews.openText("a", "b");'
STRIPPED = ("strip-fences",)
FENCES = HealingSettings(strip_prose=False)

TAKEN_OUT = [
    pytest.param(f"```ts\n{PROGRAM}\n```", PROGRAM, id="tag ts"),
    pytest.param(f"```typescript\n{PROGRAM}\n```", PROGRAM, id="tag typescript"),
    pytest.param(f"```TypeScript\n{PROGRAM}\n```", PROGRAM, id="tag in capitals"),
    pytest.param(f"```js\n{PROGRAM}\n```", PROGRAM, id="tag js"),
    pytest.param(f"```mjs\n{PROGRAM}\n```", PROGRAM, id="tag mjs"),
    pytest.param(f"``` ts\n{PROGRAM}\n```", PROGRAM, id="space before the tag"),
    pytest.param(f'```ts title="program.ts" {{1,3}}\n{PROGRAM}\n```', PROGRAM, id="tag with attributes"),
    pytest.param(f"```{{.ts}}\n{PROGRAM}\n```", PROGRAM, id="tag in braces"),
    pytest.param(f"```ts:src/program.ts\n{PROGRAM}\n```", PROGRAM, id="tag with a path"),
    pytest.param(f"```\n{PROGRAM}\n```", PROGRAM, id="no tag"),
    pytest.param("```\nlet x\n```", "let x", id="no tag, nothing that is certainly code"),
    pytest.param(f"```program\n{PROGRAM}\n```", PROGRAM, id="unknown tag over code"),
    pytest.param(f"~~~ts\n{PROGRAM}\n~~~", PROGRAM, id="tildes"),
    pytest.param(f"`````ts\n{PROGRAM}\n`````", PROGRAM, id="five backticks"),
    pytest.param(f"```ts\n{PROGRAM}\n`````", PROGRAM, id="closed by a longer fence"),
    pytest.param(
        f"````ts\n/*\n```\n*/\n{PROGRAM}\n````", f"/*\n```\n*/\n{PROGRAM}", id="shorter fence inside"
    ),
    pytest.param(f"````md\n```ts\n{PROGRAM}\n```\n````", PROGRAM, id="a fence in a fence"),
    pytest.param(f"```ts  \n{PROGRAM}\n```  \n", PROGRAM, id="white space after the fences"),
    pytest.param(f"\ufeff\n\n```ts\n\n{PROGRAM}\n\n```", PROGRAM, id="byte order mark and blank lines"),
    pytest.param(
        '```ts\r\nfoo();\r\nviews.openText("a", "b");\r\n```\r\n',
        'foo();\r\nviews.openText("a", "b");',
        id="carriage returns",
    ),
    pytest.param(
        "1. Run this:\n\n   ```ts\n   if (a) {\n     b();\n   }\n   ```",
        "if (a) {\n  b();\n}",
        id="list item",
    ),
    pytest.param("  ```ts\na();\n  b();\n  ```", "a();\n  b();", id="indent that not every line has"),
    pytest.param(
        "```ts\n    a();\n    b();\n```", "    a();\n    b();", id="indent of the first line is kept"
    ),
    pytest.param(
        f"Here is the program:\n\n```ts\n{PROGRAM}\n```\n\nIt opens a view.", PROGRAM, id="prose around"
    ),
    pytest.param(
        f"I call `views.openText(label, body)` (as said) & finish:\n```ts\n{PROGRAM}\n```",
        PROGRAM,
        id="uncertain line",
    ),
    pytest.param(f"// program.ts\n```ts\n{PROGRAM}\n```", PROGRAM, id="a comment outside is no code"),
    pytest.param(
        f'```ts\n{PROGRAM}\n```\n\nIt prints:\n\n```json\n{{\n  "a": 1\n}}\n```',
        PROGRAM,
        id="a sample of JSON beside it",
    ),
    pytest.param(
        f"```text\nid,name\n1,a\n```\n\n```ts\n{PROGRAM}\n```", PROGRAM, id="a sample of data before it"
    ),
    pytest.param(f"```\nsrc/*.ts\n```\n\n```ts\n{PROGRAM}\n```", PROGRAM, id="a text that opens a comment"),
    pytest.param("```ts\nfoo(`a);\n```\nThat is all of it.", "foo(`a);", id="a template without an end"),
    pytest.param(f"```\n1,a\n```\n\n```ts\n{PROGRAM}\n```", PROGRAM, id="a tag goes before no tag"),
    pytest.param(f"```ts\n\n```\n\n```ts\n{PROGRAM}\n```", PROGRAM, id="an empty block is no candidate"),
    pytest.param(f"```ts\n{PROGRAM}", PROGRAM, id="unclosed, opens the reply"),
    pytest.param(f"Here you go:\n\n```\n{PROGRAM}", PROGRAM, id="unclosed, follows prose alone"),
    pytest.param(
        f"# Plan\n\n- Read the file first.\n\n```ts\n{PROGRAM}", PROGRAM, id="unclosed, follows a list"
    ),
    pytest.param(f"```ts\n{PROGRAM}```", PROGRAM, id="closing fence glued to the last line"),
    pytest.param(f"```ts\n{PROGRAM}```\nThat opens a view.", PROGRAM, id="glued closing fence, prose after"),
    pytest.param("```ts\nif (a) {\n  b();\n}```", "if (a) {\n  b();\n}", id="closing fence glued to a brace"),
    pytest.param(
        "```ts\n/**\n * ```\n */\nfoo(); // ```\nb();```\nDone.",
        "/**\n * ```\n */\nfoo(); // ```\nb();",
        id="closing fence glued, others in comments",
    ),
    pytest.param("~~~ts\nb(\n  c~~~", "b(\n  c~~~", id="a run glued to what is cut is no fence"),
    pytest.param(
        '```ts import { views } from "gg";\na();\n```',
        'import { views } from "gg";\na();',
        id="code after tag",
    ),
    pytest.param(
        '```import { views } from "gg";\na();\n```',
        'import { views } from "gg";\na();',
        id="code after fence",
    ),
    pytest.param(f"Here is the program: ```ts\n{PROGRAM}\n```", PROGRAM, id="opening fence after a sentence"),
    pytest.param(
        "```ts\nviews.openText(`a`, `\\`\\`\\`\nx\n\\`\\`\\``);\n```",
        "views.openText(`a`, `\\`\\`\\`\nx\n\\`\\`\\``);",
        id="backticks in a template",
    ),
    pytest.param(
        "```ts\n/**\n * ```ts\n * foo();\n * ```\n */\nexport function foo() {}\n```",
        "/**\n * ```ts\n * foo();\n * ```\n */\nexport function foo() {}",
        id="fences in a comment",
    ),
]

LEFT_AS_IT_IS = [
    pytest.param(
        "```ts\nfoo();\n/** The rows:\n```\nThe rows are these. */", id="unclosed, a fence in its comment"
    ),
    pytest.param("~~~\nfoo();\nbar(`\n~~~\nThe rows are these.\n`", id="unclosed, a fence in its template"),
    pytest.param("~~~ts\nbar(`\n~~~\nThe rows are these.`)", id="unclosed, a fence in its last template"),
    pytest.param(f"program.ts\n```ts\n{PROGRAM}", id="unclosed after a line that is no prose"),
    pytest.param(f"```json\n1\n```\n```ts\n{PROGRAM}", id="unclosed after another block"),
    pytest.param(PROGRAM, id="a program"),
    pytest.param("", id="nothing"),
    pytest.param("I could not find the file, so there is nothing to do.", id="prose"),
    pytest.param('views.openText("fence", "```ts");', id="backticks in a string"),
    pytest.param('views.openText("md", `\n~~~ts\nfoo();\n~~~\n`);', id="a fence of tildes in a template"),
    pytest.param("/**\n * ```ts\n * foo();\n * ```\n */\nexport const a = 1;", id="fences in a comment"),
    pytest.param("/*\n```ts\nfoo();\n```\n*/\nexport const a = 1;", id="a fence at the margin of a comment"),
    pytest.param("```ts\nfoo();\n```\n\n```ts\nbar();\n```", id="two programs"),
    pytest.param("```\nfoo();\n```\n\n```\nbar();\n```", id="two untagged programs"),
    pytest.param("```ts\nfoo();\n```\n\n```\nbar();\n```", id="code in an untagged block beside"),
    pytest.param("```ts\nfoo();\n\nThen:\n\n```ts\nbar();\n```", id="two programs, the first unclosed"),
    pytest.param("```ts\nfoo();```\n```ts\nbar();```", id="two programs, closings glued"),
    pytest.param("const a = 1;\n```ts\nfoo(a);\n```", id="code before the block"),
    pytest.param("```ts\nfoo();\n```\nsession.finish(\n", id="code after the block"),
    pytest.param("```md\nSome notes.\n```", id="unknown tag over no code"),
    pytest.param("```ts\n\n```", id="an empty block"),
    pytest.param("```", id="a fence alone"),
    pytest.param("foo();\n```", id="a closing fence alone"),
    pytest.param("x\n```\nThat is all of it.", id="unclosed after a line that is not certainly prose"),
    pytest.param("```ts a b; c\nfoo();\n```", id="more after the tag than attributes"),
    pytest.param("```ts foo() ```", id="inline code"),
    pytest.param("> ```ts\n> foo();\n> ```", id="quoted"),
    pytest.param("```ts\n" * 25 + "foo();```\n" * 25, id="more blocks than anyone sends"),
]


@pytest.mark.parametrize(("reply", "program"), TAKEN_OUT)
def test_a_fenced_program_is_taken_out(reply: str, program: str) -> None:
    assert heal(reply, FENCES) == Healed(program, STRIPPED)


@pytest.mark.parametrize("reply", LEFT_AS_IT_IS)
def test_an_unclear_reply_is_left_as_it_is(reply: str) -> None:
    assert heal(reply, FENCES) == Healed(reply.rstrip(), ())


def test_an_open_template_keeps_its_backticks() -> None:
    reply = "```ts\nconst a = `x```"

    assert heal(reply, FENCES) == Healed("const a = `x```", STRIPPED)


LINES = st.sampled_from(
    (
        *(
            "```",
            "```ts",
            "````",
            "~~~",
            "```json",
            "  ```ts",
            "foo();",
            "const a = `",
            "}",
            "Here it is:",
            "",
        ),
        *("\r", "x", "foo();```", "Like this: ```ts", '```import "gg"', " * ```", "\ufeff", "| a | b |"),
        "import x from 'y'",
    )
)
REPLIES = st.lists(LINES | st.text(max_size=12), max_size=14).map("\n".join) | st.text()


@given(REPLIES)
def test_healing_only_deletes(reply: str) -> None:
    rest = iter(reply)

    assert all(character in rest for character in heal(reply, FENCES).text)


@given(REPLIES)
def test_healing_twice_changes_nothing_more(reply: str) -> None:
    once = heal(reply, FENCES)

    assert heal(once.text, FENCES) == Healed(once.text, ())


@given(REPLIES)
def test_every_line_of_code_outside_survives(reply: str) -> None:
    text = f"const kept = 1;\n{reply}\nconst kept = 2;"
    healed = heal(text, FENCES).text

    assert (healed.count("const kept = 1;"), healed.count("const kept = 2;")) == (
        text.count("const kept = 1;"),
        text.count("const kept = 2;"),
    )
