"""One person, whom several agents ask."""

import threading

from host.app.asking import one_at_a_time
from host.providers import ModelRequest


def request(agent_id: str) -> ModelRequest:
    return ModelRequest(agent_id=agent_id, messages=())


def test_a_person_is_asked_by_one_agent_after_another() -> None:
    shown: list[str] = []
    is_shown, answered = threading.Event(), threading.Event()

    def ask(request: ModelRequest) -> str:
        shown.append(f"{request.agent_id} asks")
        is_shown.set()
        answered.wait()
        shown.append(f"{request.agent_id} is answered")
        return request.agent_id

    asks = one_at_a_time(ask, threading.Lock())
    answers: list[object] = []
    threads = [threading.Thread(target=lambda n=n: answers.append(asks(request(n)))) for n in ("a", "b")]  # type: ignore[misc]
    threads[0].start()
    is_shown.wait()
    threads[1].start()
    answered.set()
    for thread in threads:
        thread.join()

    assert shown == ["a asks", "a is answered", "b asks", "b is answered"]
    assert answers == ["a", "b"]


def test_whoever_leaves_leaves_every_agent() -> None:
    asks = one_at_a_time(lambda request: None, threading.Lock())

    assert [asks(request(agent)) for agent in ("a", "b")] == [None, None]
