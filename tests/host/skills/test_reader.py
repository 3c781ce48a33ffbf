"""The skills of one agent: found by name, and which of them it has read."""

import pytest

from host.core.errors import Refusal
from host.skills import AgentSkills, Skill


def skills(*names: str, read: tuple[str, ...] = ()) -> AgentSkills:
    return AgentSkills((Skill(name=name, description="d", body=name) for name in names), read)


def test_a_skill_is_found_by_its_name() -> None:
    assert skills("a", "b").find(" b ").body == "b"
    assert [skill.name for skill in skills("a", "b").all] == ["a", "b"]


@pytest.mark.parametrize(
    ("held", "name", "message"),
    [
        (("csv", "sums"), "A", "There is no skill `A`. The skills there are: csv and sums."),
        (
            ("a", "b", "csv-tools"),
            "csv_tools",
            "There is no skill `csv_tools`. The skills there are: csv-tools, a and b.",
        ),
        (("csv",), "CSV", "There is no skill `CSV`. The skills there are: csv."),
        (("csv",), "x\ny", "There is no skill `x\\u000ay`. The skills there are: csv."),
        ((), "a", "There is no skill `a`."),
    ],
)
def test_of_a_name_that_is_none_the_names_there_are_are_told(
    held: tuple[str, ...], name: str, message: str
) -> None:
    with pytest.raises(Refusal) as raised:
        skills(*held).find(name)

    assert (raised.value.code, raised.value.message) == ("not-found", message)


def test_of_very_many_names_the_nearest_are_told() -> None:
    with pytest.raises(Refusal) as raised:
        skills(*(f"s{number:03}" for number in range(200)), "report-style").find("report style")

    told = raised.value.message.partition("are: ")[2]
    assert told.startswith("report-style, s000, s001")
    assert told.endswith(", s018 and 181 more.")


def test_what_was_read_is_kept_in_the_order_of_the_first_reads() -> None:
    held = skills("a", "b", "c")

    assert [held.note_read(held.find(name)) for name in ("c", "a", "c")] == [True, True, False]
    assert [skill.name for skill in held.read] == ["c", "a"]


def test_a_copy_has_read_what_its_original_has() -> None:
    held = skills("a", "b", read=("b", "gone"))

    assert [skill.name for skill in held.read] == ["b"]
    assert held.note_read(held.find("b")) is False
