"""Any memories capability is planned as it is written, or refused; in every format alike."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.core.errors import Defect
from host.launch import LaunchPlan, MemoriesPlan
from host.launch.capabilities import LIMIT_KEYS, SCOPES, STRATEGIES
from host.memories import MemoryLimits
from tests.host.launch.documents import Document, broken, defects_of, outcome
from tests.host.launch.test_formats_agree import outcome as outcome_of_file
from tests.host.launch.test_formats_agree import put

PLACE = "agents[0].capabilities[0]"

IN_ALL_FORMATS = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([*STRATEGIES, *SCOPES, " markdown ", "", "64", 2**53, 2**53 + 1]),
    st.text(max_size=4),
    st.dictionaries(
        st.sampled_from(["reviseMemories", "scope", "x", *LIMIT_KEYS]), st.booleans(), max_size=2
    ),
)
IN_PYTHON = st.one_of(IN_ALL_FORMATS, st.none(), st.floats())


@st.composite
def capabilities(draw: st.DrawFn, anything: st.SearchStrategy[object]) -> Document:
    """A memories capability in which anything may be missing, misspelt or of another kind."""
    counts = st.one_of(st.integers(min_value=0, max_value=2**53), anything)
    params = st.fixed_dictionaries(
        {},
        optional={"scope": st.one_of(st.sampled_from(SCOPES), anything), **dict.fromkeys(LIMIT_KEYS, counts)},
    )
    whole = st.fixed_dictionaries(
        {"scope": st.sampled_from(SCOPES), **dict.fromkeys(LIMIT_KEYS, st.integers(0, 2**53))}
    )
    features = st.fixed_dictionaries({}, optional={"reviseMemories": st.booleans()})
    written = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "implementation": st.one_of(st.sampled_from(STRATEGIES), anything),
                "features": st.one_of(features, anything),
                "params": st.one_of(whole, params, anything),
                "x": anything,
            },
        )
    )
    keys = draw(st.permutations([*written]))
    return {"id": "memories", **{key: written[key] for key in keys}}


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(written=capabilities(IN_PYTHON), enabled=st.sampled_from([True, False, None]))
def test_any_memories_are_planned_as_written_or_refused(
    written: Document, enabled: bool | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.getbasetemp()
    capability = written if enabled is None else {**written, "enabled": enabled}

    found = outcome(broken(("agents", 0, "capabilities", 0), capability), base)

    if isinstance(found, LaunchPlan):
        assert found.root_agent.memories == (None if enabled is False else _as_written(written))
    else:
        assert found != ()
        assert {defect.agent for defect in found} == {"analyst"}
        assert all(defect.place.startswith(PLACE) for defect in found)


def _as_written(capability: Document) -> MemoriesPlan:
    params = capability["params"]
    return MemoriesPlan(
        strategy=capability["implementation"].strip(),
        scope=params["scope"],
        limits=MemoryLimits(
            max_count=params["maxCount"],
            max_len_per_memory=params["maxLenPerMemory"],
            max_total_len=params["maxTotalLen"],
            max_len_index=params["maxLenIndex"],
            max_len_description=params["maxLenDescription"],
            max_results=params["maxResults"],
        ),
        may_revise=capability.get("features", {}).get("reviseMemories", True),
    )


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(written=capabilities(IN_PYTHON))
def test_any_memories_are_refused_on_both_sides_for_the_same_written_values(
    written: Document, tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.getbasetemp()
    on = defects_of({**written, "enabled": True}, base)
    off = defects_of({**written, "enabled": False}, base)

    absences = [defect for defect in on if defect.message.startswith("required")]
    assert [_told(defect) for defect in on if defect not in absences] == [_told(defect) for defect in off]


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(written=capabilities(IN_ALL_FORMATS), enabled=st.booleans())
def test_any_memories_are_the_same_in_every_format(
    written: Document, enabled: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    document = broken(("agents", 0, "capabilities", 0), {**written, "enabled": enabled})

    outcomes = [outcome_of_file(put(document, folder, suffix)) for suffix in (".json", ".yaml", ".toml")]

    assert outcomes[1:] == [outcomes[0]] * 2


def _told(defect: Defect) -> tuple[str, str, str]:
    """NaN is not itself."""
    return defect.place, defect.message, repr(defect.found)
