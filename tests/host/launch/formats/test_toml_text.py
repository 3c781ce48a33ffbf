"""TOML, where the standard library's parser leaves something to be done."""

import pytest

from host.launch.formats import SyntaxFault, TooDeep, Unreadable, parse_toml


def test_a_number_of_more_digits_than_python_reads_is_told_at_its_place() -> None:
    with pytest.raises(SyntaxFault) as caught:
        parse_toml(f'a = "{"1" * 320}"\nb = [1,\n  {"9" * 5000}]\n')

    assert (str(caught.value), caught.value.line, caught.value.column) == (
        "a number larger than any key takes",
        3,
        3,
    )


@pytest.mark.parametrize("text", [f"a = {'[' * 5000}", f"{'a.' * 80}a = 1", f"a = {'{a = ' * 70}1{'}' * 70}"])
def test_what_is_nested_too_deep_is_refused(text: str) -> None:
    with pytest.raises(TooDeep):
        parse_toml(text)


@pytest.mark.parametrize("text", ["a = 1", "a = 1\n", "a = 1  # c\n\n\n"])
def test_a_fault_at_the_end_of_the_document_has_a_place(text: str) -> None:
    with pytest.raises(SyntaxFault) as caught:
        parse_toml(f"{text.rstrip()}\na")

    assert (caught.value.line, caught.value.column) == (2, 2)


@pytest.mark.parametrize("digits", [400, 4200])
def test_a_number_that_no_key_takes_stands_as_it_is_written(digits: int) -> None:
    parsed = parse_toml(f"a = -{'9' * digits}")

    assert parsed.value == {"a": f"-{'9' * digits}"}
    assert [(p.path, p.message, type(p.found)) for p in parsed.problems] == [
        (("a",), "larger than any number that a key takes", Unreadable)
    ]


def test_one_that_python_does_not_print_stands_as_hexadecimal() -> None:
    assert parse_toml(f"a = 0x{'F' * 4000}").value == {"a": f"0x{'f' * 4000}"}
