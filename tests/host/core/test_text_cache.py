"""What was made of texts is kept within bounds."""

from host.core.text_cache import TextCache


def test_what_was_put_is_there() -> None:
    cache = TextCache(100)
    cache.put("a", "b")

    assert cache.get("a") == "b"
    assert cache.get("b") is None


def test_the_oldest_go_first_and_what_was_asked_for_is_young() -> None:
    cache = TextCache(12)
    for text in ("aaa", "bbb", "ccc"):
        cache.put(text, text)
    cache.get("aaa")
    cache.put("d", "ee")
    cache.put("f", "f")

    assert [cache.get(text) for text in ("aaa", "bbb", "ccc", "d", "f")] == ["aaa", None, "ccc", "ee", "f"]


def test_a_text_that_would_push_out_most_others_is_not_kept() -> None:
    cache = TextCache(40)
    same = "x" * 10
    cache.put(same, same)
    cache.put("y" * 10, "z")

    assert cache.get(same) == same
    assert cache.get("y" * 10) is None


def test_a_text_that_is_put_twice_counts_once() -> None:
    cache = TextCache(12)
    for _ in range(9):
        cache.put("aaa", "aaa")
    cache.put("bbb", "bbb")

    assert (cache.get("aaa"), cache.get("bbb")) == ("aaa", "bbb")
