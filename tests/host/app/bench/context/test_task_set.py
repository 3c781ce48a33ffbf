"""The judged tasks are whole, and the ones that the committed figures are of."""

from collections import Counter

from host.app.bench.context.task_set import CATEGORIES, load_task_set


def test_the_set_is_the_one_that_was_measured() -> None:
    assert load_task_set().digest[:12] == "542161661cbc"


def test_every_task_is_about_files_that_there_are() -> None:
    judged = load_task_set()

    assert (len(judged.files), len(judged.tasks)) == (36, 56)
    assert len({task.key for task in judged.tasks} | {task.task for task in judged.tasks}) == 2 * 56
    assert [task.key for task in judged.tasks if not set(task.relevant) <= judged.files.keys()] == []
    assert Counter(task.category for task in judged.tasks) == {"direct": 40, "identifier": 7, "paraphrase": 9}
    assert set(CATEGORIES) == {"direct", "identifier", "paraphrase"}


def test_the_files_stand_on_disk_while_they_are_searched() -> None:
    judged = load_task_set()

    with judged.on_disk() as folder:
        found = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.*")}
        assert found == judged.files
    assert not folder.exists()
