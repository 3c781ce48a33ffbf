"""The seeds of programs' randomness: one for each text that runs, all of them made of that of the run."""

import hashlib


def program_seed(run_seed: int, agent_id: str, turn: int, ordinal: int) -> int:
    """The seed of one program's randomness: 53 bits of a hash, so that JavaScript holds it exactly."""
    text = f"{run_seed}/{agent_id}/{turn}/{ordinal}"
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big") >> 11
