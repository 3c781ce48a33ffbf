import pytest

from host.turn import program_seed

# The first 53 bits of the SHA-256 of `run seed/agent/turn/ordinal`: a record is run again by them.
SEEDS = [
    ((7, "root", 1, 0), 2272410600554613),
    ((7, "root", 1, 1), 7307431151452144),
    ((7, "root", 2, 0), 5618737878540279),
    ((8, "root", 1, 0), 1909323014240769),
    ((7, "other", 1, 0), 1570508504740100),
]


@pytest.mark.parametrize(("place", "seed"), SEEDS)
def test_each_program_has_a_seed_of_its_own(place: tuple[int, str, int, int], seed: int) -> None:
    assert program_seed(*place) == seed
