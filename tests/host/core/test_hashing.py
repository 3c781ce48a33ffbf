"""Hashes of texts and documents."""

from host.core.hashing import document_sha256, sha256_of


def test_a_text_is_hashed_as_utf_8() -> None:
    assert sha256_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256_of("\ud800") != sha256_of("\ud801")


def test_a_document_has_one_hash_however_it_is_written() -> None:
    assert document_sha256({"a": 1, "b": [{"d": "é", "c": None}]}) == document_sha256(
        {"b": [{"c": None, "d": "é"}], "a": 1}
    )
    assert document_sha256({"a": 1}) != document_sha256({"a": "1"})
