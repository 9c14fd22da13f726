"""`--frames`: the snapshots of automata on numbers, decoded, against the states that `--dump` writes."""

import numpy
import oracles
import pytest
from PIL import Image
from test_dump import dumped, tribench

MARGIN = 8
STEPS, EVERY = 7, 3


def packed_or_square(values, inside):
    """A packed or full output as an N x N array."""
    state = numpy.zeros(inside.shape)
    state[inside] = values.ravel()
    return state


def cells_of(path, n):
    """The colours of each cell, a few pixels from its corner and in its last pixel, and all pixels."""
    pixels = numpy.asarray(Image.open(path)).astype(int)
    assert pixels.shape[0] == pixels.shape[1]
    assert pixels.shape[2] == 3
    side = (len(pixels) - 2 * MARGIN) // n
    starts = MARGIN + side * numpy.arange(n)
    near, last = (pixels[numpy.ix_(starts + k, starts + k)] for k in (side // 4, side - 1))
    return near, last, pixels


def grey(values, scale):
    return numpy.clip((values - scale.min()) / (scale.max() - scale.min()), 0, 1)


def rounded(*channels):
    return numpy.floor(255 * numpy.stack(channels, axis=-1) + 0.5)


def assert_colours(path, n, inside, expected, has_lines=False):
    found, last, pixels = cells_of(path, n)
    assert abs(found[inside] - expected[inside]).max() <= 1, path
    assert abs(last[inside] - (255 if has_lines else expected[inside])).max() <= 1, path
    assert (found[~inside] == 255).all()
    assert (pixels[: MARGIN - 1] == 255).all()


def inside_of(domain, n):
    return numpy.ones((n, n), bool) if domain == "square" else numpy.tril(numpy.ones((n, n), bool))


def frames_of(folder, *words):
    tribench(folder, "--steps", STEPS, "--every", EVERY, "--frames", folder / "frames", *words)
    files = sorted((folder / "frames").iterdir())
    assert [file.name for file in files] == ["0000000.png", "0000003.png", "0000006.png"]
    return list(zip(files, [0, 3, 6], strict=True))


TRIANGLES = [("conditional", 20, "triangle"), ("two-generation", 300, "triangle")]


@pytest.mark.parametrize(("memory", "n", "domain"), [*TRIANGLES, ("halo", 70, "square"), ("strip", 33, "square")])
def test_blur_is_grey(tmp_path, domain, memory, n):
    """Black is the smallest number of the image and white the largest, however flat it has become."""
    inside = inside_of(domain, n)
    image = numpy.random.default_rng(n).uniform(-3, 5, (n, n)).astype(numpy.float32)
    numpy.save(tmp_path / "in.npy", image)
    words = ["-s", "bb", "-w", "blur", "--domain", domain, "--memory", memory, "--input", tmp_path / "in.npy"]
    for file, step in frames_of(tmp_path, *words):
        found, _ = dumped(tmp_path, *words, "--steps", step)
        share = grey(packed_or_square(found, inside), image[inside])
        assert_colours(file, n, inside, rounded(share, share, share))


@pytest.mark.parametrize(("memory", "n", "domain"), [*TRIANGLES, ("halo", 70, "square"), ("rect", 33, "square")])
def test_water_is_blue_over_grey_land(tmp_path, domain, memory, n):
    """A cell is half blue if its water is as deep as all the rain of the run."""
    inside = inside_of(domain, n)
    land = numpy.random.default_rng(n).integers(0, 255, (n, n), numpy.uint8)
    numpy.save(tmp_path / "in.npy", land)
    words = ["-s", "bb", "-w", "water", "--domain", domain, "--memory", memory, "--input", tmp_path / "in.npy"]
    words += ["--rain", "0.5", "--infiltration", "0.125"]
    deepest = 0
    for file, step in frames_of(tmp_path, *words):
        found, _ = dumped(tmp_path, *words, "--steps", step)
        depth = packed_or_square(found, inside)
        share, blue = grey(land, land[inside]), depth / (depth + 0.5 * STEPS)
        below = share * (1 - blue)
        assert_colours(file, n, inside, rounded(below, below, below + blue))
        deepest = max(deepest, blue.max())
    assert deepest > 0.5


@pytest.mark.parametrize("workload", ["blur", "water"])
def test_flat_ground_is_white(tmp_path, workload):
    """If all numbers are the same, black and white coincide, and cells of that brightness are white."""
    numpy.save(tmp_path / "in.npy", numpy.full((20, 20), 5, numpy.uint8))
    words = ["-s", "bb", "-w", workload, "--domain", "square", "--input", tmp_path / "in.npy"]
    words += ["--rain", "0"] if workload == "water" else []
    for file, step in frames_of(tmp_path, *words):
        border = step if workload == "blur" else 0
        found, _, _ = cells_of(file, 20)
        assert (found[border : 20 - border, border : 20 - border] == 255).all()
        assert border == 0 or (found[0] == 0).all()


def test_life_is_drawn_on_the_square(tmp_path):
    words = ["-s", "bb", "-w", "life", "--domain", "square", "-n", 40]
    for file, step in frames_of(tmp_path, *words):
        found, _ = dumped(tmp_path, *words, "--steps", step)
        expected = numpy.where(found[..., None] != 0, [20, 70, 140], [226, 230, 235])
        assert_colours(file, 40, inside_of("square", 40), expected, has_lines=True)


@pytest.mark.parametrize("workload", ["life", "gol"])
def test_states_in_tiles_are_drawn_alike(tmp_path, workload):
    words = ["-s", "rb-b", "-w", workload, "-n", 45, "--memory", "conditional", "--block", 8]
    drawn = []
    for layout in ["packed", "blocked"]:
        (tmp_path / layout).mkdir()
        drawn.append([file.read_bytes() for file, _ in frames_of(tmp_path / layout, *words, "--layout", layout)])
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 3


def layers_of(n):
    """Eight layers, or all of them if there are fewer."""
    return range(n) if n < 8 else [(k + 1) * n // 8 - 1 for k in range(8)]


@pytest.mark.parametrize(
    ("n", "stored"), [(1, "--layout full"), (5, "--layout packed"), (43, "--cell bit"), (21, "--layout blocked")]
)
def test_life_in_3d_is_drawn_layer_by_layer(tmp_path, n, stored):
    strategy = "rb-tetra" if "blocked" in stored else "ltm-rows"
    words = ["-s", strategy, "-w", "life", "-n", n, "--rule", "5766", "--density", "0.35", *stored.split()]
    tribench(tmp_path, "--steps", 3, "--every", 2, "--frames", tmp_path / "frames", *words)
    x, y, z = oracles.tetrahedron(n)
    names = []
    for step in [0, 2]:
        found, _ = dumped(tmp_path, *words, "--steps", step)
        solid = numpy.zeros((n, n, n), int)
        solid[z, y, x] = found
        for layer in layers_of(n):
            names.append(f"{step:07}-z{layer:05}.png")
            inside = numpy.add.outer(numpy.arange(n), numpy.arange(n)) <= layer
            expected = numpy.where(solid[layer][..., None] != 0, [20, 70, 140], [226, 230, 235])
            assert_colours(tmp_path / "frames" / names[-1], n, inside, expected, has_lines=True)
    assert sorted(file.name for file in (tmp_path / "frames").iterdir()) == names
