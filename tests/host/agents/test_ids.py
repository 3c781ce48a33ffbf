"""The ids of instances."""

from host.agents.ids import InstanceIds


def test_the_first_has_the_id_of_its_profile_and_the_others_a_number() -> None:
    ids = InstanceIds(["analyst", "helper"])

    assert [ids.next("analyst") for _ in range(3)] == ["analyst", "analyst-2", "analyst-3"]
    assert [ids.next("helper") for _ in range(2)] == ["helper", "helper-2"]


def test_a_number_that_another_profile_has_for_its_name_is_passed_over() -> None:
    ids = InstanceIds(["analyst", "analyst-2", "analyst-2-2"])

    assert [ids.next("analyst") for _ in range(3)] == ["analyst", "analyst-3", "analyst-4"]
    assert [ids.next("analyst-2") for _ in range(3)] == ["analyst-2", "analyst-2-3", "analyst-2-4"]
    assert ids.next("analyst-2-2") == "analyst-2-2"
