"""`--dump` against oracles that share nothing with the program: every workload, layout, cell width and domain.

TRIBENCH is the program; TRIBENCH_ENGINE=cuda runs the same on a GPU, tile kernels included.
"""

import json
import os
import resource
import subprocess
from itertools import cycle

import numpy
import oracles
import pytest

ENGINE = os.environ.get("TRIBENCH_ENGINE", "cpu")
SIZES = [1, 2, 15, 16, 17, 33, 70]
FLAT = ["ltm-i", "bb", "utm", "rb", "rec", "hmap", "rb-b", "utm-b", "utm-t", "bb-t", "dp", "ltm-r"]
SOLID = ["bb-tetra", "ltm-tetra", "rb-tetra", "ltm-rows", "rec-tetra", "dp-tetra"]
BLOCK_MAPS = ["ltm-i", "bb", "rec", "hmap", "rb-b", "utm-b"]
ON_CELLS = ["conditional", "halo"]
STAGED = ["shared", "aligned", "rect", "two-cell", "two-generation", "strip", "four-generation"]
KERNELS = ["cell", "tile"] if ENGINE == "cuda" else ["cell"]
RULES = {"life": ["2333", "1246", "0022"], "gol": ["4644", "2712", "3366"]}


def little_memory():
    """Too little to measure bandwidth with, which would take longer than the run."""
    if ENGINE == "cpu":
        resource.setrlimit(resource.RLIMIT_DATA, (60 << 20, 60 << 20))


def tribench(folder, *words):
    """The record of one run; its status has to be 0: the tool's own verification agrees."""
    command = [os.environ["TRIBENCH"], "--engine", ENGINE, "--quiet", "--baseline", "none", "--samples", "1"]
    command += ["--warmup", "0", "--threads", "1", "--output", str(folder / "run.json"), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=little_memory)
    assert done.returncode == 0, f"{done.returncode} {' '.join(command)}: {done.stderr}"
    return json.loads((folder / "run.json").read_text())["runs"][0]


def dumped(folder, *words):
    record = tribench(folder, "--dump", folder / "out.npy", *words)
    return numpy.load(folder / "out.npy", allow_pickle=False), record


def assert_same(found, expected, words):
    assert found.dtype == expected.dtype, words
    assert found.shape == expected.shape, words
    assert found.tobytes() == expected.tobytes(), f"{words}: {numpy.argwhere(found != expected)[:5].tolist()} differ"


@pytest.mark.parametrize("layout", ["packed", "full"])
@pytest.mark.parametrize("workload", ["cover", "write"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_every_cell_once_and_nothing_else(tmp_path, workload, layout, dimension):
    strategies = cycle(FLAT if dimension == 2 else SOLID)
    dtype, poison = ("<u4", 0) if workload == "cover" else ("<i4", 0xA5)
    for n in SIZES if dimension == 2 else SIZES[:6]:
        words = ["-s", next(strategies), "-w", workload, "-n", n, "--layout", layout]
        found, _ = dumped(tmp_path, *words)
        assert_same(found, oracles.constant(n, dimension, layout, dtype, poison), words)


def sizes_of(kernel):
    return SIZES if kernel == "cell" else [*SIZES, 128, 300]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("layout", ["packed", "full"])
@pytest.mark.parametrize("features", [1, 2, 3, 4])
def test_distances(tmp_path, features, layout, kernel):
    strategies = cycle(FLAT if kernel == "cell" else BLOCK_MAPS)
    for n in sizes_of(kernel):
        words = ["-s", next(strategies), "-w", f"edm{features}", "-n", n, "--layout", layout, "--seed", n]
        words += ["--kernel", kernel]
        found, _ = dumped(tmp_path, *words)
        assert_same(found, oracles.distances(oracles.generated_points(n, n, features), layout), words)


def test_distances_of_a_file_are_within_two_ulp(tmp_path):
    points = numpy.random.default_rng(1).normal(size=(50, 3)).astype(numpy.float32)
    numpy.save(tmp_path / "in.npy", points)
    found, _ = dumped(tmp_path, "-s", "bb", "-w", "edm3", "--input", tmp_path / "in.npy")
    expected = oracles.distances(points.astype(float), "packed")
    assert (abs(found.view(numpy.int32) - expected.view(numpy.int32)) <= 2).all()


@pytest.mark.parametrize("kernel", KERNELS)
def test_touching_spheres_and_their_number(tmp_path, kernel):
    strategies = cycle(FLAT if kernel == "cell" else BLOCK_MAPS)
    for n in [*sizes_of(kernel)[1:], 150]:
        words = ["-s", next(strategies), "-w", "collision", "-n", n, "--seed", n, "--kernel", kernel]
        found, record = dumped(tmp_path, *words)
        expected = oracles.touching(oracles.generated_spheres(n, n))
        assert_same(found, expected, words)
        assert record["result"] == {"pairs": int(expected.sum())}


def test_spheres_of_a_file(tmp_path):
    """Of many sizes, so that the sum of two radii is no difference and no single radius."""
    random = numpy.random.default_rng(2)
    spheres = numpy.hstack([random.uniform(0, 4, (60, 3)), random.uniform(0, 1, (60, 1))]).astype(numpy.float32)
    numpy.save(tmp_path / "in.npy", spheres)
    found, _ = dumped(tmp_path, "-s", "bb", "-w", "collision", "--input", tmp_path / "in.npy")
    expected = oracles.touching(spheres)
    assert_same(found, expected, "spheres of a file")
    assert 100 < expected.sum() < len(expected) - 100


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("strategy", SOLID)
def test_energy_of_triples(tmp_path, strategy, kernel):
    for n, block in [(1, 8), (7, 4), (9, 8), (33, 8)]:
        how = ["-b", block] if kernel == "cell" else ["--kernel", "tile"]
        if kernel == "tile" and strategy == "dp-tetra":
            pytest.skip("a tree has no kernel for tiles")
        record = tribench(tmp_path, "-s", strategy, "-w", "triplet", "-n", n, *how, "--seed", n)
        expected, scale = oracles.energy(oracles.generated_particles(n, n))
        assert abs(record["result"]["energy"] - expected) <= 1e-10 * scale, record["key"]


def automata():
    for workload, widths in [("life", ["u8", "u32", "bit"]), ("gol", ["u8", "bit"])]:
        for width in widths:
            for memory in ON_CELLS + STAGED:
                for domain in ["triangle", "square"] if workload == "life" else ["triangle"]:
                    if width != "bit" or memory in ["strip", "four-generation"]:
                        yield workload, width, memory, domain


@pytest.mark.parametrize(("workload", "width", "memory", "domain"), list(automata()))
def test_generations(tmp_path, workload, width, memory, domain):
    strategies = cycle(["bb"] if domain == "square" else FLAT if memory in ON_CELLS else BLOCK_MAPS)
    rules = cycle(RULES[workload])
    for n, steps in [(1, 1), (17, 5), (33, 0), (70, 6)]:
        rule, density = next(rules), 0.3 + n / 1000
        shape = ["--domain", domain] if workload == "life" else []
        words = ["-s", next(strategies), "-w", workload, "-n", n, "--steps", steps, "--rule", rule, *shape]
        words += ["--density", density, "--cell", width, "--memory", memory, "--seed", n]
        found, _ = dumped(tmp_path, *words)
        if workload == "life":
            expected = oracles.life(n, n, steps, rule, density, domain)
        else:
            expected = oracles.gol(n, n, steps, rule, density)
        assert_same(found, expected, words)
