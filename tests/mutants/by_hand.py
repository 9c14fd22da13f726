"""The mutants of by_hand.txt: what they change, and whether their tests exist."""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KINDS = ["tool", "unit", "oracle", "cli", "scripts", "gpu", "gpu-test", "sanitized", "equivalent"]


@dataclass(frozen=True)
class Catcher:
    kind: str  # one of KINDS
    words: str
    near: bool = field(default=False, compare=False)  # to the mutant's file: tried first


@dataclass(frozen=True)
class Mutant:
    place: str
    file: str
    expression: str  # for sed, or the description of operators.py
    catchers: tuple
    changed: tuple = ()  # by operators.py: the number of a line, and its new text

    @property
    def is_by_hand(self):
        return not self.changed

    def __str__(self):
        return f"{self.place}: {self.file}: {self.expression}" if self.is_by_hand else self.expression


def read_list(path=ROOT / "tests/mutants/by_hand.txt"):
    """Entries of three lines; empty lines and lines that begin with # are skipped."""
    lines = [(i, line.strip()) for i, line in enumerate(path.read_text().splitlines(), 1)]
    lines = [(i, line) for i, line in lines if line and not line.startswith("#")]
    if len(lines) % 3 != 0:
        sys.exit(f"{path.name}: {len(lines)} lines are no mutants of three lines each")
    for at in range(0, len(lines), 3):
        (number, file), (_, expression), (_, caught) = lines[at : at + 3]
        kind, _, words = caught.partition(" ")
        if kind not in KINDS or not words or not (ROOT / file).is_file():
            sys.exit(f"{path.name}:{number}: '{file}', '{caught}' is no mutant")
        yield Mutant(f"{path.name}:{number}", file, expression, (Catcher(kind, words),))


def mutate(mutant):
    """The file with one line changed, or an error in words."""
    source = (ROOT / mutant.file).read_text()
    if mutant.changed:
        lines = source.split("\n")
        lines[mutant.changed[0] - 1] = mutant.changed[1]
        return "\n".join(lines), ""
    done = subprocess.run(["sed", "-e", mutant.expression], input=source, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, done.stderr.strip()
    before, after = source.splitlines(), done.stdout.splitlines()
    if len(before) == len(after):
        changed = sum(a != b for a, b in zip(before, after))
    else:
        changed = abs(len(before) - len(after))
    return (done.stdout, "") if changed == 1 else (None, f"changes {changed} lines, not one")


def changed_line(mutant):
    text, _ = mutate(mutant)
    lines = zip((ROOT / mutant.file).read_text().splitlines(), (text or "").splitlines())
    return next((after for before, after in lines if before != after), None)


def is_there(catcher):
    """True if the test that must notice exists."""
    name, _, test = catcher.words.partition(" ")
    if catcher.kind == "unit":
        path = ROOT / f"tests/unit/{name}_test.c"
        return path.is_file() and re.search(rf"\b{test.split('/')[0]}\b", path.read_text())
    if catcher.kind in ["cli", "scripts"]:
        path = ROOT / f"tests/{catcher.kind}/{name}.bats"
        return path.is_file() and f'@test "{test}"' in path.read_text()
    names = set(re.findall(r"def (test_\w+)", (ROOT / "tests/oracle/test_dump.py").read_text()))
    return catcher.kind != "oracle" or any(known.startswith(name) for known in names)


def look_only(mutants):
    failed = 0
    for mutant in mutants:
        text, why = mutate(mutant)
        catcher = mutant.catchers[0]
        why = why if text is None else "" if is_there(catcher) else f"there is no {catcher.kind} {catcher.words}"
        failed += bool(why)
        if why:
            print(f"{mutant}\n    {why}")
    print(f"{len(mutants)} mutants, {failed} to be mended")
    sys.exit(1 if failed else 0)
