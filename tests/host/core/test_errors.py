"""What the roots of the errors carry and say."""

from host.core.errors import (
    API_ERROR_CODES,
    Defect,
    HostDefect,
    HostError,
    LaunchRefused,
    ProviderError,
    Refusal,
)


def test_the_codes_that_a_program_branches_on() -> None:
    assert API_ERROR_CODES == (
        "invalid-argument",
        "not-found",
        "conflict",
        "refused",
        "unavailable",
        "limit-exceeded",
        "io-error",
        "other",
    )


def test_a_refusal_carries_its_code_and_says_its_message() -> None:
    refusal = Refusal("not-found", "There is no file `a`.", kind="no_file")

    assert (refusal.code, refusal.message, refusal.kind) == ("not-found", "There is no file `a`.", "no_file")
    assert str(refusal) == "There is no file `a`."
    assert Refusal("other", "x").kind == ""


def test_a_defect_keeps_its_facts_to_itself() -> None:
    facts = {"exitStatus": -9}
    defect = HostDefect("compiler", "esbuild could not finish", facts)
    facts.clear()

    assert str(defect) == "compiler: esbuild could not finish"
    assert (defect.kind, defect.detail, defect.facts) == (
        "compiler",
        "esbuild could not finish",
        {"exitStatus": -9},
    )
    assert HostDefect("sandbox", "gone").facts == {}


def test_a_refused_launch_says_every_defect_in_order() -> None:
    defects = (
        Defect(place="agents[0].id", message="required"),
        Defect(place="limits.maxTurns", message="needs a whole number", found="x", agent="a", known=("1",)),
    )
    refused = LaunchRefused(defects, "2 defects\nagents[0].id\nlimits.maxTurns")

    assert refused.defects == defects
    assert str(refused) == "2 defects\nagents[0].id\nlimits.maxTurns"


def test_every_error_of_the_host_has_one_root() -> None:
    roots = {error.__base__ for error in (Refusal, HostDefect, ProviderError, LaunchRefused)}

    assert roots == {HostError}
