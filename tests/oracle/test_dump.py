"""`--dump` against oracles that share nothing with the program: every workload, layout, cell width and domain.

TRIBENCH is the program; TRIBENCH_ENGINE=cuda runs the same on a GPU, tile kernels included.
"""

import json
import math
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
SOLID = ["bb-tetra", "ltm-tetra", "rb-tetra", "ltm-rows", "rec-tetra", "hmap-tetra", "dp-tetra"]
ROWS = ["rows", "rows-lpt", "rows-fold", "rows-list"]
BLOCK_MAPS = ["ltm-i", "bb", "rec", "hmap", "rb-b", "utm-b"]
ON_CELLS = ["conditional", "halo"]
STAGED = ["shared", "aligned", "rect", "two-cell", "two-generation", "strip", "four-generation"]
KERNELS = ["cell", "tile"] if ENGINE == "cuda" else ["cell"]
RULES = {"life": ["2333", "1246", "0022"], "gol": ["4644", "2712", "3366"]}


def little_memory():
    """Too little memory to measure bandwidth, which would take longer than the run."""
    if ENGINE == "cpu" and "-sanitize" not in os.environ["TRIBENCH"]:  # a sanitizer's shadow memory is larger
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
@pytest.mark.parametrize("workload", ["cover", "write", "accumulate"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_every_cell_once_and_nothing_else(tmp_path, workload, layout, dimension):
    strategies = cycle(ROWS + FLAT if dimension == 2 else SOLID)
    dtype = "<u4" if workload == "cover" else "<i4"
    poison = 0xA5 if workload == "write" else 0
    value = 2 if workload == "accumulate" else 1  # launches of a verification
    for n in SIZES if dimension == 2 else SIZES[:6]:
        words = ["-s", next(strategies), "-w", workload, "-n", n, "--layout", layout]
        found, _ = dumped(tmp_path, *words)
        assert_same(found, oracles.constant(n, dimension, layout, dtype, poison, value), words)


def sizes_of(kernel):
    return SIZES if kernel == "cell" else [*SIZES, 128, 300]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("layout", ["packed", "full"])
@pytest.mark.parametrize("features", [1, 2, 3, 4])
def test_distances(tmp_path, features, layout, kernel):
    strategies = cycle(ROWS + FLAT if kernel == "cell" else BLOCK_MAPS)
    for n in sizes_of(kernel):
        words = ["-s", next(strategies), "-w", f"edm{features}", "-n", n, "--layout", layout, "--seed", n]
        words += ["--kernel", kernel]
        found, _ = dumped(tmp_path, *words)
        assert_same(found, oracles.distances(oracles.generated_points(n, n, features), layout), words)


def save(path, points, form):
    """A table as numpy writes it: "VERSION DTYPE ORDER", or with nine digits, which are enough for any float32."""
    if form == "csv":
        numpy.savetxt(path, points, delimiter=",", fmt="%.9g", header="x,y,z")
        return
    version, dtype, order = form.split()
    with open(path, "wb") as stream:
        array = numpy.array(points, dtype=dtype, order=order)
        numpy.lib.format.write_array(stream, array, version=(int(version), 0), allow_pickle=False)


@pytest.mark.parametrize("form", ["1 f4 C", "2 f4 F", "3 f8 C", "1 f8 F", "1 u1 C", "csv"])
def test_distances_of_a_file_are_within_two_ulp(tmp_path, form):
    points = numpy.random.default_rng(1).normal(size=(50, 3)) * 10
    points = abs(points).astype("u1" if "u1" in form else "f4")
    path = tmp_path / ("in.csv" if form == "csv" else "in.npy")
    save(path, points, form)
    found, _ = dumped(tmp_path, "-s", "bb", "-w", "edm3", "--input", path)
    expected = oracles.distances(points.astype(float), "packed")
    assert (abs(found.view(numpy.int32) - expected.view(numpy.int32)) <= 2).all()


@pytest.mark.parametrize("kernel", KERNELS)
def test_touching_spheres_and_their_number(tmp_path, kernel):
    strategies = cycle(ROWS + FLAT if kernel == "cell" else BLOCK_MAPS)
    for n in [*sizes_of(kernel)[1:], 150]:
        words = ["-s", next(strategies), "-w", "collision", "-n", n, "--seed", n, "--kernel", kernel]
        found, record = dumped(tmp_path, *words)
        expected = oracles.touching(oracles.generated_spheres(n, n))
        assert_same(found, expected, words)
        assert record["result"] == {"pairs": int(expected.sum())}


def test_spheres_of_a_file(tmp_path):
    """Spheres of many sizes, so that no sum of two radii equals a difference or a single radius."""
    random = numpy.random.default_rng(2)
    spheres = numpy.hstack([random.uniform(0, 4, (60, 3)), random.uniform(0, 1, (60, 1))]).astype(numpy.float32)
    numpy.save(tmp_path / "in.npy", spheres)
    found, _ = dumped(tmp_path, "-s", "bb", "-w", "collision", "--input", tmp_path / "in.npy")
    expected = oracles.touching(spheres)
    assert_same(found, expected, "spheres of a file")
    assert 100 < expected.sum() < len(expected) - 100


@pytest.mark.parametrize("strategy", ROWS)
@pytest.mark.parametrize("batch", [1, 3])
def test_sums_along_rows(tmp_path, strategy, batch):
    for n, section in [(1, 1), (33, 2), (150, 1), (300, 3)]:
        words = ["-s", strategy, "-w", "rowsum", "-n", n, "--seed", n, "--tile", 32]
        words += ["--set", f"batch={batch},group={section}"]
        found, record = dumped(tmp_path, *words)
        expected = oracles.log_sums(oracles.generated_rows(n, n, batch)).ravel()
        assert found.dtype == numpy.float32
        assert found.shape == expected.shape
        assert abs(found - expected).max() < 2e-5, words
        assert record["launch"]["cells"] == n * batch


def test_sums_along_rows_of_a_file(tmp_path):
    rows = numpy.random.default_rng(3).uniform(-1, 1, (70, 64)).astype(numpy.float32)
    numpy.save(tmp_path / "in.npy", rows)
    words = ["-s", "rows-lpt", "-w", "rowsum", "--set", "batch=2", "--input", tmp_path / "in.npy"]
    found, _ = dumped(tmp_path, *words)
    assert abs(found - numpy.tile(oracles.log_sums(rows[None].astype(float))[0], 2)).max() < 2e-5


@pytest.mark.parametrize("strategy", ROWS)
@pytest.mark.parametrize("columns", [64, 128])
def test_attention(tmp_path, strategy, columns):
    for n, window, section in [(1, 0, 1), (33, 0, 3), (150, 40, 4)]:
        words = ["-s", strategy, "-w", "attention", "-n", n, "--seed", n]
        words += ["--set", f"batch=2,heads=2,kv-heads=1,dim={columns},window={window},group={section}"]
        found, record = dumped(tmp_path, *words)
        heads = oracles.generated_heads(n, 4 + 2 + 2, n, columns)
        keys, values = (numpy.repeat(heads[first : first + 2], 2, axis=0) for first in (4, 6))
        expected, logs = oracles.attention(heads[:4], keys, values, window or n)
        rows = (found[: expected.size].astype(numpy.uint32) << 16).view(numpy.float32)
        assert abs(rows.reshape(expected.shape) - expected).max() < 0.03, words
        assert abs(found[expected.size :].view(numpy.float32).reshape(logs.shape) - logs).max() < 1e-5, words
        assert record["launch"]["cells"] == 4 * n


@pytest.mark.parametrize("dtype", ["<f2", "<f4", "<u2"])
def test_attention_of_a_file(tmp_path, dtype):
    heads = numpy.random.default_rng(4).normal(0, 1, (2 + 1 + 1, 40, 64)).astype("<f4")
    bits = (heads.view("<u4") + 0x8000 >> 16).astype("<u2")  # the nearest bf16
    heads = (bits.astype("<u4") << 16).view("<f4") if dtype != "<f2" else heads.astype("<f2").astype("<f4")
    numpy.save(tmp_path / "in.npy", (bits if dtype == "<u2" else heads.astype(dtype)).reshape(-1, 64))
    words = ["-s", "rows", "-w", "attention", "--input", tmp_path / "in.npy"]
    words += ["--set", f"heads=2,kv-heads=1,dim=64,operand={'f16' if dtype == '<f2' else 'bf16'}"]
    found, record = dumped(tmp_path, *words)
    keys, values = (numpy.repeat(heads[first : first + 1], 2, axis=0) for first in (2, 3))
    _, logs = oracles.attention(heads[:2], keys, values, 40)
    assert abs(found[2 * 40 * 64 :].view(numpy.float32).reshape(logs.shape) - logs).max() < 1e-5
    assert record["n"] == 40


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
    for n, steps, density in [(1, 1, 0.301), (17, 5, 0.317), (33, 0, 0.333), (70, 6, 0.37), (9, 0, 0), (9, 0, 1)]:
        rule = next(rules)
        shape = ["--set", f"domain={domain}"] if workload == "life" else []
        words = ["-s", next(strategies), "-w", workload, "-n", n, "--steps", steps, "--set", f"rule={rule}", *shape]
        words += ["--set", f"density={density}", "--cell", width, "--memory", memory, "--seed", n]
        found, _ = dumped(tmp_path, *words)
        if workload == "life":
            expected = oracles.life(n, n, steps, rule, density, domain)
        else:
            expected = oracles.gol(n, n, steps, rule, density)
        assert_same(found, expected, words)


# The storages of life's state on a tetrahedron.
BARE = ["--layout packed", "--layout full", "--memory strip"]


@pytest.mark.parametrize("stored", [*BARE, "--layout packed --kernel loop --tile 16"])
def test_generations_of_a_tetrahedron(tmp_path, stored):
    strategies = cycle(["ltm-rows", "bb-tetra", "hmap-tetra"] if "strip" in stored else SOLID)
    rules = cycle(["4555", "5766", "2204", "0099"])
    for n, steps in [(1, 1), (2, 3), (9, 0), (17, 5), (33, 4), (40, 3), (70, 2)]:
        rule, density = next(rules), 0.2 + n / 100
        words = ["-s", next(strategies), "-w", "life", "-n", n, "--steps", steps, "--set", f"rule={rule}"]
        words += ["--set", f"density={density}", *stored.split(), "--seed", n]
        found, _ = dumped(tmp_path, *words)
        assert_same(found, oracles.life_3d(oracles.start_3d(n, n, density), n, steps, rule), words)


@pytest.mark.parametrize("stored", BARE)
def test_tetrahedron_of_a_file(tmp_path, stored):
    n = 23
    start = numpy.random.default_rng(n).integers(0, 2, n * (n + 1) * (n + 2) // 6, numpy.uint8)
    numpy.save(tmp_path / "in.npy", start)
    last = "rec-tetra" if "strip" in stored else "dp-tetra"
    for strategy, steps in [("bb-tetra", 0), ("ltm-rows", 3), (last, 4)]:
        words = ["-s", strategy, "-w", "life", "--steps", steps, *stored.split(), "--input", tmp_path / "in.npy"]
        words += ["--set", "rule=9999"] if steps == 4 else []
        found, _ = dumped(tmp_path, *words)
        assert_same(found, oracles.life_3d(start, n, steps, "9999" if steps == 4 else "4555"), words)


# ---- automata on floats

FLOATS = {
    "blur": ["shared", "aligned", "rect", "two-cell", "two-generation", "strip"],
    "dog": ["shared", "aligned", "rect", "two-cell", "strip"],
    "extrema": ["shared", "aligned", "rect", "two-cell", "strip"],
    "water": ["shared", "aligned", "rect", "two-cell", "two-generation", "strip"],
}


def automata_on_floats():
    for workload, staged in FLOATS.items():
        for width in ["f32", "f32x2"] if workload == "dog" else ["f32"]:
            for memory in ON_CELLS + staged:
                for domain in ["triangle", "square"]:
                    yield workload, width, memory, domain


def float_oracle(workload, image, domain, steps, seed, n):
    """The output from an image or, without one, from the seed."""
    if workload == "water":
        elevation = oracles.land(seed, n) if image is None else image
        return oracles.water(elevation, steps, 0.25, 0.125, domain)
    count = {"blur": 1, "dog": 2, "extrema": 3}[workload]
    planes = oracles.generated_planes(seed, n, count, domain)
    if workload == "extrema":
        return oracles.extrema(planes if image is None else oracles.scale_space(image, domain), domain)
    if image is not None:
        planes = numpy.stack([oracles.blurred(image, k, domain) for k in range(count)])
    return planes[0] - planes[1] if workload == "dog" else oracles.blurred(planes[0], steps, domain)


def words_of(workload, width, memory, domain, steps):
    words = ["-w", workload, "--cell", width, "--memory", memory, "--set", f"domain={domain}"]
    words += ["--steps", steps] if workload in ["blur", "water"] else []
    return words + (["--set", "rain=0.25", "--set", "infiltration=0.125"] if workload == "water" else [])


@pytest.mark.parametrize(("workload", "width", "memory", "domain"), list(automata_on_floats()))
def test_floats(tmp_path, workload, width, memory, domain):
    strategies = cycle(["bb"] if domain == "square" else FLAT if memory in ON_CELLS else BLOCK_MAPS)
    for n, steps in [(1, 1), (17, 5), (33, 2), (70, 6)]:
        words = ["-s", next(strategies), "-n", n, "--seed", n, *words_of(workload, width, memory, domain, steps)]
        found, _ = dumped(tmp_path, *words)
        expected = float_oracle(workload, None, domain, steps, n, n)
        assert_same(found, oracles.saved(expected, oracles.cells_of(n, domain), domain), words)


@pytest.mark.parametrize("memory", [*ON_CELLS, *FLOATS["water"]])
def test_soil_that_takes_all_rain_stays_dry(tmp_path, memory):
    soil = ["--set", "rain=0.125,infiltration=0.25"]
    found, _ = dumped(tmp_path, "-s", "bb", "-w", "water", "-n", 40, "--steps", 5, "--memory", memory, *soil)
    assert not found.any()


@pytest.mark.parametrize("domain", ["triangle", "square"])
@pytest.mark.parametrize("workload", list(FLOATS))
def test_floats_of_an_image(tmp_path, workload, domain):
    image = numpy.random.default_rng(3).integers(0, 256, (40, 40)).astype(numpy.float32)
    numpy.save(tmp_path / "in.npy", image)
    words = ["-s", "bb", "--input", tmp_path / "in.npy", *words_of(workload, "f32", "halo", domain, 3)]
    found, _ = dumped(tmp_path, *words)
    expected = float_oracle(workload, image, domain, 3, 0, 0)
    assert set(found.ravel()) == {0, 1, 2} or workload != "extrema"
    assert_same(found, oracles.saved(expected, oracles.cells_of(40, domain), domain), words)


# ---- models

N, G = 33, 3
T, TE, PAIRS = N * (N + 1) // 2, N * (N + 1) * (N + 2) // 6, N * (N - 1) // 2
STEPS = f"--steps {G}"
MODELS = {  # words: bytes and operations of a run, by the table of docs/workloads.md
    "-s bb -w dummy": (4, T),
    "-s bb-tetra -w dummy": (4, 2 * TE),
    "-s bb -w cover": (8 * T, T),
    "-s bb-tetra -w cover": (8 * TE, TE),
    "-s bb -w write": (4 * T, 0),
    "-s bb-tetra -w write": (4 * TE, 0),
    "-s bb -w accumulate": (8 * T, T),
    "-s bb-tetra -w accumulate": (8 * TE, TE),
    "-s bb -w edm1": (4 * T + 4 * N, 4 * T),
    "-s bb -w edm4": (4 * T + 16 * N, 13 * T),
    "-s bb -w collision": (PAIRS + 16 * N, 10 * PAIRS),
    "-s rows -w rowsum --set batch=5": (5 * (256 * N + 4 * N), 5 * 131 * T),
    "-s rows -w attention --set heads=2,dim=64": (2 * N * (4 * 128 + 4), 2 * 4 * 64 * T),
    "-s rows -w attention --set heads=2,mask=full": (2 * N * (4 * 256 + 4), 2 * 4 * 128 * N * N),
    f"-s bb -w gol {STEPS}": (2 * T * G, math.ceil(18 * T * G / 4)),
    f"-s bb -w life --cell u8 {STEPS}": (2 * T * G, math.ceil(6 * T * G / 4)),
    f"-s bb -w life --cell u32 {STEPS}": (8 * T * G, 6 * T * G),
    f"-s bb -w life --cell bit {STEPS}": (math.ceil(2 * T / 8) * G, math.ceil(24 * T * G / 32)),
    f"-s bb -w life --set domain=square {STEPS}": (2 * N * N * G, math.ceil(6 * N * N * G / 4)),
    f"-s bb-tetra -w life {STEPS}": (2 * TE * G, math.ceil(8 * TE * G / 4)),
    f"-s bb -w blur {STEPS}": (8 * T * G, 7 * T * G),
    f"-s bb -w blur --set domain=square {STEPS}": (8 * N * N * G, 7 * N * N * G),
    "-s bb -w dog": (12 * T, T),
    "-s bb -w extrema": (13 * T, 24 * T),
    f"-s bb -w water {STEPS}": (12 * T * G, 65 * T * G),
    "-s bb-tetra -w triplet": (12 * (N + 2) + 8, 15 * TE),
}


@pytest.mark.parametrize("words", list(MODELS))
def test_models(tmp_path, words):
    record = tribench(tmp_path, "-n", N, *words.split())
    roofline = record["roofline"]
    assert (record["throughput"]["bytes"], roofline["operations"] or 0) == MODELS[words], roofline
