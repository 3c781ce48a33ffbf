"""The reference of operations that people read."""

from host.operations import Family, render_operations
from tests.host.operations.things import CLEAR, FAMILY, PUT


def test_the_reference_for_people() -> None:
    assert (
        render_operations((Family("things", "Finds things.", (PUT, CLEAR)),))
        == """\
## things

Finds things.

### `things.put`

```ts
put(thing: PutArguments): number
```

Puts a thing.

Tool `put_thing`: Puts it.

- `name` (string): Its name.
- `max_count` (number, optional): How often.

It fails with `conflict` when there is one.
It fails with `limit-exceeded` when its answer is over 65,536 bytes; put less.

Granted always. Not in onUse scripts. In the record: `things.put`.

### `things.clear`

```ts
clear(): void
```

Clears all.

No tool: programs alone call it.

Granted always. In the record: `things.clear`.

### Types of `things`

```ts
/** A thing to put. */
interface PutArguments {
  /** Its name. */
  name: string;
  /** How often. */
  maxCount?: number;
}
```"""
    )


def test_failures_and_parameters_in_the_reference_for_people() -> None:
    section = render_operations((FAMILY,)).split("### ")[1]

    assert (
        section
        == """\
`things.findIt`

```ts
findIt(target: Function | string, nearBy?: string, options?: { atMost?: number }): Thing[]
```

Finds things.

- `target` (Function | string): What to look for.
- `nearBy` (string, optional): Where.
- `options.atMost` (number, optional): How many.

| fails with | when |
|---|---|
| `not-found` | there is none |
| `limit-exceeded` | there are too many |

```ts
things.findIt("a");
```

No tool: programs alone call it.

Granted with the capability `things`. In the record: `things.find_it`.

"""
    )
