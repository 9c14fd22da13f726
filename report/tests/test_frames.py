"""tribench-report frames: pictures of states, decoded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence
from tribench_report import frames
from tribench_report.errors import ReportError, UsageError

M, ALIVE, DEAD = frames.MARGIN, list(frames.ALIVE), list(frames.DEAD)


def drawn(folder: Path, stack: np.ndarray, *words: str) -> list[np.ndarray]:
    """Every picture of a stack."""
    folder.mkdir(exist_ok=True)
    np.save(folder / "stack.npy", stack)
    assert frames.run([str(folder / "stack.npy"), "-o", str(folder / "out"), *words]) == 0
    files = sorted((folder / "out").iterdir())
    assert [file.name for file in files] == [f"{k:04}.png" for k in range(len(stack))]
    return [np.asarray(Image.open(file).convert("RGB")).astype(int) for file in files]


def cells(picture: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The colours of each cell, near its corner and in its last pixel."""
    side = (picture.shape[1] - 2 * M) // n
    starts = M + side * np.arange(n)
    near, last = (picture[np.ix_(starts + k, starts + k)] for k in (side // 4, side - 1))
    return near, last


def random_states(count: int, cell_count: int, most: int = 1) -> np.ndarray:
    return np.random.default_rng(1).integers(0, most + 1, (count, cell_count)).astype(np.uint8)


@pytest.mark.parametrize("n", [1, 9, 40])
def test_life_on_the_triangle_and_on_the_square(tmp_path: Path, n: int) -> None:
    stack = random_states(3, n * (n + 1) // 2)
    for state, picture in zip(stack, drawn(tmp_path, stack, "--dimension", "2"), strict=True):
        square = np.zeros((n, n), int)
        square[np.tril_indices(n)] = state
        near, last = cells(picture, n)
        inside = np.tri(n, dtype=bool)
        assert (near[inside] == np.where(square[inside][:, None] != 0, ALIVE, DEAD)).all()
        assert (near[~inside] == 255).all()
        assert (last == 255).all()  # the lines between cells
        assert (picture[: M - 1] == 255).all()
    stack = random_states(2, n * n).reshape(2, n, n)
    for state, picture in zip(stack, drawn(tmp_path / "square", stack, "--dimension", "2"), strict=True):
        assert (cells(picture, n)[0] == np.where(state[..., None] != 0, ALIVE, DEAD)).all()


def test_a_cell_of_gol_is_as_dark_as_its_triangles_live(tmp_path: Path) -> None:
    near, _ = cells(drawn(tmp_path, np.array([[1, 2, 0, 3, 0, 1]], np.uint8))[0], 3)
    half = list(np.add(ALIVE, DEAD) // 2 + np.add(ALIVE, DEAD) % 2)
    for (row, column), colour in zip(zip(*np.tril_indices(3)), (half, half, DEAD, ALIVE, DEAD, half)):
        assert list(near[row, column]) == colour


@pytest.mark.parametrize("square", [False, True])
def test_numbers_are_grey_from_the_smallest_to_the_largest(tmp_path: Path, square: bool) -> None:
    n = 20
    values = np.random.default_rng(2).uniform(-3, 5, (2, n, n)).astype(np.float32)
    stack = values if square else values[:, *np.tril_indices(n)]
    for state, picture in zip(stack, drawn(tmp_path, stack), strict=True):
        share = (state.astype(float) - stack.min()) / (float(stack.max()) - float(stack.min()))
        near, last = cells(picture, n)
        near, last = (c.reshape(-1, 3) if square else c[np.tril_indices(n)] for c in (near, last))
        assert abs(near - np.floor(255 * share.reshape(-1, 1) + 0.5)).max() <= 1
        assert (near == last).all()  # no lines
    assert (drawn(tmp_path / "flat", np.full((1, 6), 5, np.float32))[0] == 255).all()


@pytest.mark.parametrize("n", [1, 5, 11])
def test_a_tetrahedron_is_drawn_layer_by_layer(tmp_path: Path, n: int) -> None:
    stack = random_states(1, n * (n + 1) * (n + 2) // 6)
    picture = drawn(tmp_path, stack, "--dimension", "3")[0]
    solid = np.zeros((n, n, n), int)
    place = 0
    for z in range(n):
        for y in range(z + 1):
            for x in range(z - y + 1):
                solid[z, y, x] = stack[0, place]
                place += 1
    count = min(n, 8)
    columns = min(count, 4)
    side = picture.shape[1] // columns
    for k in range(count):
        z = (k + 1) * n // count - 1
        part = picture[k // columns * side :, k % columns * side :][:side, :side]
        near, _ = cells(part, n)
        inside = np.add.outer(np.arange(n), np.arange(n)) <= z
        assert (near[inside] == np.where(solid[z][inside][:, None] != 0, ALIVE, DEAD)).all()
        assert (near[~inside] == 255).all()


def test_cells_smaller_than_a_pixel_are_averaged(tmp_path: Path) -> None:
    n = 2100
    picture = drawn(tmp_path, np.ones((1, n, n), np.uint8))[0]
    assert picture.shape == (2048, 2048, 3)
    assert (picture[M + 1 : -M - 1, M + 1 : -M - 1] == ALIVE).all()


@pytest.mark.parametrize("name", ["a.gif", "a.png", "a.GIF"])
def test_an_animation_has_every_state(tmp_path: Path, name: str) -> None:
    np.save(tmp_path / "stack.npy", np.eye(6, dtype=np.uint8))
    assert frames.run([str(tmp_path / "stack.npy"), "-o", str(tmp_path / name), "--dimension", "2"]) == 0
    with Image.open(tmp_path / name) as image:
        assert sum(1 for _ in ImageSequence.Iterator(image)) == 6
        assert image.info["duration"] == frames.FRAME_MS


@pytest.mark.parametrize(
    ("stack", "words", "error", "sentence"),
    [
        (np.zeros((2, 7), np.uint8), [], UsageError, "got the shape"),
        (np.zeros((2, 3, 4), np.uint8), [], UsageError, "got the shape"),
        (np.zeros((2, 6), np.uint8), ["--dimension", "3"], UsageError, "got the shape"),
        (np.zeros((0, 6), np.uint8), [], ReportError, "got uint8"),
        (np.zeros((2, 6)), [], ReportError, "float64"),
        (np.full((2, 6), np.nan, np.float32), [], ReportError, "finite"),
    ],
)
def test_what_is_no_stack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stack: np.ndarray, words: list[str], error: type, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("stack.npy", stack)
    with pytest.raises(error, match=sentence):
        frames.run(["stack.npy", "-o", "a.gif", *words])
    Path("text.npy").write_text("text")
    with pytest.raises(ReportError, match="expected a .npy file"):
        frames.run(["text.npy", "-o", "a.gif"])
