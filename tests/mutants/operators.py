"""Mutants of the program's lines, from a table of operators, each applied wherever it fits."""

import random
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

SOURCES = [
    "main.c", "run/**/*.c", "report/**/*.c", "engine/**/*.[ch]", "workloads/**/*.[ch]", "strategies/**/*.[ch]",
    "engine/cuda/kernels/*.cu*", "workloads/**/*.cuh",
]  # fmt: skip

# An operand that follows an operator and can be removed with it: a name with its members, elements and arguments.
OPERAND = r"[!~*&]?(?:\(\w+\))?[\w.]+(?:->\w+|\[[^\][]*\]|\([^()]*\)|\.\w+)*"
BINARY = r"(?<=[\w)\]]) {} (?=[\w(!~*&-])"


def _swap(*pairs):
    return [("relational" if set("<>=!") >= set(old) else "arithmetic", BINARY.format(re.escape(old)), f" {new} ")
            for old, new in pairs]  # fmt: skip


def _off_by(step):
    """A whole number one larger or one smaller; hexadecimal digits and floats stay as they are."""

    def changed(match):
        value = int(match["value"]) + step
        return f"{value}{match['suffix']}" if value >= 0 else match[0]

    return changed


NUMBER = r"(?<![\w.])(?P<value>\d+)(?P<suffix>[uU]?)(?![\w.])"

UNARY = "sqrtf?|fabsf?|td_least|td_larger|min|max|f(?:min|max)f?"
# A call or an assignment, no declaration. Calls that free, forget or close stay: only a sanitizer would miss them.
STATEMENT = (
    r"^\s+(?!return\b|[\w>.-]*(?:free|forget|close)\(|const\b|static\b|typedef\b|break\b|[\w ]+\*?\w+;$)"
    r"[\w*(].*(?:\)| [-+*/|&^<>]*= [^{]*|\+\+|--);$"
)

# Name, pattern in a line without comments and strings, and replacement.
OPERATORS = [
    *_swap(("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("==", "!="), ("!=", "==")),
    *_swap(("+", "-"), ("-", "+"), ("*", "+"), ("/", "*"), ("%", "/"), ("<<", ">>"), (">>", "<<"), ("&", "|")),
    *_swap(("|", "&"), ("^", "|"), ("+=", "-="), ("-=", "+="), ("+=", "="), ("|=", "="), ("&&", "||"), ("||", "&&")),
    ("constant", NUMBER, _off_by(1)),
    ("constant", NUMBER, _off_by(-1)),
    ("constant", r"\b(\d+\.\d+)(?=f?\b)", r"2\1"),
    ("constant", r"\btrue\b", "false"),
    ("constant", r"\bfalse\b", "true"),
    ("condition", r"\b(if|while) \((.*)\)(?= \{$)", r"\1 (!(\2))"),
    ("condition", r"\bif \((.*)\)(?= \{$)", "if (true)"),
    ("condition", r"\bif \((.*)\)(?= \{$)", "if (false)"),
    ("condition", r"(?<=return )([^;?]*(?:[<>=!]=|&&|\|\| | [<>] )[^;?]*)(?=;)", r"!(\1)"),
    ("choice", r"(?<== |n )([^?;=]+) \? ([^:;]+) : ([^;]+)(?=;)", r"\2"),
    ("choice", r"(?<== |n )([^?;=]+) \? ([^:;]+) : ([^;]+)(?=;)", r"\3"),
    ("increment", r"\+\+", "--"),
    ("operand", rf" [-+*/&|^] {OPERAND}(?=[;,)\]:?]| [^\w])", ""),
    ("operand", rf" && {OPERAND}(?: [<>=!]+ {OPERAND})?(?=[;)]| [^<>=])", ""),
    ("operand", rf"(?<=[(= ]){OPERAND}(?: [<>=!]+ {OPERAND})? && (?=[\w(!])", ""),
    ("operand", rf" \|\| {OPERAND}(?: [<>=!]+ {OPERAND})?(?=[;)]| [^<>=])", ""),
    ("operand", rf"(?<=[(= ]){OPERAND} [-+*] (?=[\w(])", ""),
    ("operand", r"(?<=[(= ])[!~](?=[\w(])", ""),
    ("cast", r"\((?:u?int(?:64|32|8)_t|double|float)\)(?=[\w(])", ""),
    ("extreme", r"(?<![\w.])(f?)min(f?\()", r"\1max\2"),
    ("extreme", r"(?<![\w.])(f?)max(f?\()", r"\1min\2"),
    ("call", rf"(?<![\w.])(?:{UNARY})\(([^(),]+)(?:, [^(),]+)?\)", r"\1"),
    ("value", r"(?<=[\w\])] = )(?=.*\w)([^;?{=]+)(?=;$)", r"\1 + 1"),
    ("axis", r"(?<=\.)x\b", "y"),
    ("axis", r"(?<=\.)y\b", "x"),
    ("axis", r"(?<=\.)z\b", "x"),
    ("statement", STATEMENT, ";"),
]  # fmt: skip
COMPILED = [(name, re.compile(pattern), to) for name, pattern, to in OPERATORS]


@dataclass(frozen=True)
class Change:
    file: str
    line: int  # from 1
    operator: str
    before: str
    after: str

    def __str__(self):
        return f"{self.file}:{self.line}: {self.operator}: {self.before.strip()}  ->  {self.after.strip()}"


# Comments, strings, characters, what only a compiler for GPUs sees, directives (of a macro all but its body), static
# assertions and attributes.
NO_CODE = [
    r"^#ifdef __CUDACC__$.*?^#(?:else|endif)",
    r"/\*.*?\*/", r"//[^\n]*", r'"(?:\\.|[^"\\\n])*"', r"'(?:\\.|[^'\\])+'",
    r"^[ \t]*#[ \t]*(?!define)\w+(?:\\\n|[^\n])*", r"^[ \t]*#[ \t]*define \w+(?:\([^)]*\))?",
    r"_Static_assert[^;]*;", r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)",
]  # fmt: skip
# What cannot matter: the room for a text, `char x[40]`, `sizeof x - used` or a constant ..._SIZE, as none is as long;
# the size of a parameter that is an array; the index in `text[0] == '\0'`, as few have one character; and the 0 of
# `fd >= 0`, which is standard input.
NO_MATTER = [
    r"\bchar \w+\[[^\];=]*\](?:, \w+\[[^\];=]*\])*", r"\b[A-Z_]*_SIZE = [^,}/]*",
    r"\b(?:sizeof [\w.>-]+|[A-Z_]*_SIZE) - (?:\(size_t\))?\w+",
    r"\b\w+ \*?\w+\[\w+\](?=[,)])", r"\[0\](?= [!=]?= '\\0')", r"\bfd\b (?:>=|<) 0\b",
]  # fmt: skip
HIDDEN = "|".join(NO_CODE + NO_MATTER)


def code_of(text):
    """The lines of a file, with spaces in place of everything that is not code."""
    return re.sub(HIDDEN, lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S | re.M).split("\n")


# The larger or smaller of two values: where they are equal, either will do.
VALUE = "((?:[^?:;,()=<>&|]|->)+)"
EXTREME = re.compile(rf"(?<=[ (]){VALUE} [<>]=? {VALUE} \? (?:\1 : \2|\2 : \1)(?=[;,)])")
# An array: room for one more changes nothing, room for one less does.
ROOM = re.compile(r"(?<=\w )(\w+\[)(\d+)(?=\](?: = \{0\})?[;,])")


def changes_of_line(file, number, line, code):
    """Every change that the operators make to one line, each once."""
    border = re.compile("(?<= [<>])=?(?= )")
    seen = {
        line,
        EXTREME.sub(lambda m: border.sub(lambda e: "" if e[0] else "=", m[0], count=1), line),
        ROOM.sub(lambda m: f"{m[1]}{int(m[2]) + 1}", line),
    }
    for name, pattern, to in COMPILED:
        for match in pattern.finditer(code):
            # The change is made in the line itself, so text that `code` hides is never matched, but kept.
            after = line[: match.start()] + _expand(to, match, line) + line[match.end() :]
            if after not in seen and after.strip() != line.strip():
                seen.add(after)
                yield Change(file, number, name, line, after)


def _expand(to, match, line):
    if callable(to):
        return to(match)
    return re.sub(r"\\(\d)", lambda digit: line[slice(*match.span(int(digit[1])))], to)


def changes_of(root, file, lines=None):
    """The changes of a file, or of some of its lines."""
    text = (root / file).read_text()
    for number, (line, code) in enumerate(zip(text.split("\n"), code_of(text)), 1):
        if lines is None or number in lines:
            yield from changes_of_line(file, number, line, code)


def files(root):
    return sorted({str(path.relative_to(root)) for pattern in SOURCES for path in root.glob(pattern)})


def lines_since(root, commit):
    """The lines of each file that have changed since a commit."""
    command = ["git", "diff", "-U0", "--no-color", "--no-ext-diff", commit, "--"]
    said = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    changed, lines = {}, set()
    for line in said.splitlines():
        if line.startswith("+++ "):
            lines = changed.setdefault(line[6:], set())
        elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            lines.update(range(first, first + count))
    return changed


def is_of_the_gpu(file):
    """Not compiled without CUDA."""
    host = ("engine/cuda/none.c", "engine/cuda/nvml.", "engine/cuda/own_source.", "engine/cuda/row.h")
    in_room = file.startswith("engine/cuda/") and not file.startswith(host)
    return in_room or file.endswith((".cu", ".cuh")) or file == "strategies/device.h"


def sample(root, size, seed, since=None, gpu=False, but=frozenset()):
    """A sample of all changes, the same for the same seed. Input: but, changes known to have no effect."""
    chosen = lines_since(root, since) if since else dict.fromkeys(files(root))
    every = [change for file in files(root) if file in chosen and is_of_the_gpu(file) == gpu
             for change in changes_of(root, file, chosen[file])
             if (change.file, change.after) not in but]  # fmt: skip
    return every if len(every) <= size else sorted(
        random.Random(seed).sample(every, size), key=lambda change: (change.file, change.line)
    )  # fmt: skip


def _self_check():
    """Prints the number of changes of each kind."""
    root = Path(__file__).resolve().parents[2]
    kinds = {}
    for file in files(root):
        for change in changes_of(root, file):
            kinds[change.operator] = kinds.get(change.operator, 0) + 1
    print(sum(kinds.values()), kinds)


if __name__ == "__main__":
    _self_check()
