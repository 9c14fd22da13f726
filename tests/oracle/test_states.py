"""`--dump FILE.npy:K`: the stack of an automaton's states, against the one state that `--dump` alone writes."""

import numpy
import pytest
from test_dump import dumped, tribench

STEPS, EVERY = 7, 3
WRITTEN = [0, 3, 6, 7]  # every third one, and the last

FLAT = [
    ("life", "conditional", "triangle", "u8"),
    ("life", "halo", "square", "u8"),
    ("life", "strip", "triangle", "bit"),
    ("life", "four-generation", "square", "bit"),
    ("gol", "conditional", "triangle", "u8"),
    ("gol", "shared", "triangle", "u8"),
    ("gol", "strip", "triangle", "bit"),
    ("blur", "two-generation", "triangle", "f32"),
    ("blur", "strip", "square", "f32"),
    ("water", "halo", "triangle", "f32"),
    ("water", "two-generation", "square", "f32"),
]


def stack_of(folder, *words):
    tribench(folder, "--steps", STEPS, "--dump", f"{folder}/stack.npy:{EVERY}", *words)
    return numpy.load(folder / "stack.npy", allow_pickle=False)


def assert_each_is_a_dump(folder, *words):
    stack = stack_of(folder, *words)
    assert len(stack) == len(WRITTEN)
    for state, step in zip(stack, WRITTEN, strict=True):
        expected, _ = dumped(folder, *words, "--steps", step)
        assert state.dtype == expected.dtype
        assert state.shape == expected.shape
        assert state.tobytes() == expected.tobytes(), f"{words}: after {step} steps"
    assert (stack[1] != stack[0]).any()


@pytest.mark.parametrize(("workload", "memory", "domain", "cell"), FLAT)
def test_every_automaton_technique_and_cell_width(tmp_path, workload, memory, domain, cell):
    words = ["-s", "bb", "-w", workload, "--memory", memory, "-n", 70]
    words += ["--cell", cell] if cell != "f32" else []
    words += ["--set", f"domain={domain}"] if domain == "square" else []
    assert_each_is_a_dump(tmp_path, *words)


@pytest.mark.parametrize("layout", ["packed", "full"])
def test_a_tetrahedron_is_written_in_packed_order(tmp_path, layout):
    words = ["-s", "ltm-rows", "-w", "life", "-n", 21, "--set", "rule=5766", "--set", "density=0.35"]
    words += ["--layout", layout]
    assert_each_is_a_dump(tmp_path, *words)


@pytest.mark.parametrize(("steps", "every", "count"), [(0, 5, 1), (5, 5, 2), (6, 5, 3), (3, 1000000, 2)])
def test_the_first_and_the_last_state_are_there(tmp_path, steps, every, count):
    words = ["-s", "bb", "-w", "life", "-n", 9, "--steps", steps]
    tribench(tmp_path, *words, "--dump", f"{tmp_path}/stack.npy:{every}")
    stack = numpy.load(tmp_path / "stack.npy")
    last, _ = dumped(tmp_path, *words)
    assert stack.shape == (count, 45)
    assert (stack[-1] == last).all()
