"""The same work once per language: what the peers are given.

Every program finds two functions of the host: `lookup(number)` gives a number, `report(text)` takes the
result, by which the work is known to be the same everywhere. The JavaScript passes the type checker as it is.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, kw_only=True)
class Texts:
    """The programs of one language; `calls` holds `COUNT`."""

    comment: str
    sum: str
    calls: str
    whole: str

    def calling(self, count: int) -> str:
        """A program that calls the host `count` times."""
        return self.calls.replace("COUNT", str(count))

    def salted(self, program: str, salt: int) -> str:
        """The program with a comment of its own, so that no cache knows it."""
        return f"{program}{self.comment} {salt}\n"


def lookup(number: int) -> int:
    """The host's side of `lookup`."""
    return number * 7919 % 1000


REPORTED: Final = "33661/10149/303/81/ASH:1 BOX:1 ELM:1/ash-2=838"
"""What the whole program reports with that `lookup`."""

_JS_WHOLE: Final = """\
const words = ["oak", "elm", "ash", "fir", "yew", "box", "bay", "fig", "pear", "plum"];
const rows = Array.from({ length: 19 }, (_, at) => ({
  id: at,
  name: `${words[at % words.length]}-${at}`,
  price: lookup(at),
}));

// Arithmetic over all rows, again and again.
let checksum = 1;
for (let round = 0; round < 100; round++) {
  for (const row of rows) checksum = (checksum * 31 + row.price + round) % 65521;
}

// A table as text, there and back.
const table = rows.map((row) => [row.id, row.name, row.price].join(";")).join("\\n");
const cells = table.split("\\n").map((line) => line.split(";"));
const total = cells.map((cell) => Number(cell[2])).reduce((sum, price) => sum + price, 0);
if (total !== rows.reduce((sum, row) => sum + row.price, 0)) throw new Error("the table lost a price");

// Groups by the first letter, and the dearest row of each.
const letters = [...new Set(rows.map((row) => row.name.slice(0, 1)))].sort();
const dearest = letters.map((letter) => {
  const group = rows.filter((row) => row.name.startsWith(letter));
  return group.sort((a, b) => b.price - a.price || a.id - b.id).slice(0, 1);
});
const told = dearest.flat().map((row) => `${row.name}=${row.price}`);

// Primes by a sieve.
const composite = Array.from({ length: 2000 }, () => false);
let primes = 0;
for (let n = 2; n < composite.length; n++) {
  if (composite[n]) continue;
  primes++;
  for (let multiple = n * n; multiple < composite.length; multiple += n) composite[multiple] = true;
}

// Words of a text, counted.
const text = told.join(", ").toUpperCase().replaceAll("-", " ");
const list = text.split(" ").filter((word) => words.includes(word.toLowerCase()));
const unique = [...new Set(list)].map((word) => {
  return { word, times: list.filter((each) => each === word).length };
});
unique.sort((a, b) => b.times - a.times || (a.word < b.word ? -1 : 1));
const often = unique.slice(0, 3).map((each) => `${each.word}:${each.times}`);

report([checksum, total, primes, text.length, often.join(" "), told.slice(0, 1).join("")].join("/"));
"""

_PYTHON_WHOLE: Final = """\
words = ["oak", "elm", "ash", "fir", "yew", "box", "bay", "fig", "pear", "plum"]
rows = [(at, f"{words[at % len(words)]}-{at}", lookup(at)) for at in range(19)]  # id, name, price

# Arithmetic over all rows, again and again.
checksum = 1
for turn in range(100):
    for row in rows:
        checksum = (checksum * 31 + row[2] + turn) % 65521

# A table as text, there and back.
table = "\\n".join([";".join([str(row[0]), row[1], str(row[2])]) for row in rows])
cells = [line.split(";") for line in table.split("\\n")]
total = sum([int(cell[2]) for cell in cells])
if total != sum([row[2] for row in rows]):
    raise ValueError("the table lost a price")

# Groups by the first letter, and the dearest row of each.
letters = sorted(set([row[1][:1] for row in rows]))
told = []
for letter in letters:
    group = [row for row in rows if row[1].startswith(letter)]
    group = sorted(group, key=lambda row: (-row[2], row[0]))
    told.append(f"{group[0][1]}={group[0][2]}")

# Primes by a sieve.
composite = [False for _ in range(2000)]
primes = 0
for n in range(2, len(composite)):
    if composite[n]:
        continue
    primes += 1
    for multiple in range(n * n, len(composite), n):
        composite[multiple] = True

# Words of a text, counted.
text = ", ".join(told).upper().replace("-", " ")
chosen = [word for word in text.split(" ") if word.lower() in words]
unique = [(word, len([each for each in chosen if each == word])) for word in sorted(set(chosen))]
unique = sorted(unique, key=lambda pair: (-pair[1], pair[0]))
often = [f"{pair[0]}:{pair[1]}" for pair in unique[:3]]

report("/".join([str(checksum), str(total), str(primes), str(len(text)), " ".join(often), told[0]]))
"""

JAVASCRIPT: Final = Texts(
    comment="//",
    sum="1 + 1;\n",
    calls="for (let i = 0; i < COUNT; i++) lookup(i);\n",
    whole=_JS_WHOLE,
)
PYTHON: Final = Texts(
    comment="#",
    sum="1 + 1\n",
    calls="for i in range(COUNT):\n    lookup(i)\n",
    whole=_PYTHON_WHOLE,
)
