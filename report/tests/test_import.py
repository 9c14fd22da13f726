"""tribench-report import: patterns and images as .npy."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tribench_report import import_
from tribench_report.errors import ReportError, UsageError

Imported = Callable[..., np.ndarray]
GLIDER = "x = 3, y = 3\nbob$2bo$3o!\n"
SHAPE = np.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]], np.uint8)


@pytest.fixture
def imported(tmp_path: Path) -> Imported:
    def call(name: str, content: str | bytes, *words: str) -> np.ndarray:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        assert import_.run([str(path), "-o", str(tmp_path / "out.npy"), *words]) == 0
        return np.asarray(np.load(tmp_path / "out.npy"))

    return call


def image(path: Path, pixels: np.ndarray, **options: object) -> bytes:
    Image.fromarray(pixels).save(path, **options)
    return path.read_bytes()


# ---- patterns ----


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (5, GLIDER),
        (6, "#N Glider\n#C a comment\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!text"),
        (7, "x=3,y=3\r\n  b o b $\r\n2\r\nbo$3\no!"),
        (8, "X = 3, Y = 3\nbo$bbo$ooo$!"),
        (40, GLIDER),
    ],
)
def test_a_pattern_lies_in_the_middle_of_the_triangle(imported: Imported, n: int, text: str) -> None:
    found = imported("glider.rle", text, "--n", str(n))
    state = np.zeros((n, n), np.uint8)
    state[np.tril_indices(n)] = found
    margin = (n - 5) // 3
    top = n - 3 - margin
    assert (state[top : top + 3, margin : margin + 3] == SHAPE).all()
    assert found.dtype == np.uint8 and found.sum() == 5


def test_the_least_domain_is_the_default(imported: Imported) -> None:
    assert imported("glider.rle", GLIDER).shape == (15,)
    with pytest.raises(UsageError, match="needs 5 or more, got 4"):
        imported("glider.rle", GLIDER, "--n", "4")


RULES = {"B3/S23": "2333", "S23/B3": "2333", "b3s23": "2333", "23/3": "2333", "34/3": "3433", "B2/S": "9922"}


def test_rules_are_survival_and_birth() -> None:
    assert {words: import_.rule_digits(words) for words in RULES} == RULES
    for words in ("B36/S23", "B3/S135", "B33/S23", "B9/S23", "Life", "B3/S23:T20,20", "B0/S0", ""):
        with pytest.raises(ReportError, match="rule"):
            import_.rule_digits(words)


def test_the_rule_is_said(imported: Imported, capsys: pytest.CaptureFixture[str]) -> None:
    for text, digits in (
        (GLIDER, "2333"),
        ("#r 34/3\n" + GLIDER, "3433"),
        ("#r 34/3\nx = 3, y = 3, rule = B3/S12\nbob$2bo$3o!\n", "1233"),
    ):
        imported("glider.rle", text)
        assert f"--set rule={digits}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected a header"),
        ("bob$2bo$3o!", "expected a header"),
        ("x = 0, y = 3\n!", "expected sides"),
        ("x = 1048576, y = 1048576\n!", "2\\^30"),
        ("x = 3, y = 3\nbob$2bo$3o", "expected '!'"),
        ("x = 3, y = 3\n4o!", "row 1: '4o' is beyond"),
        ("x = 3, y = 3\n4$!", "row 5: '4\\$' is beyond"),
        ("x = 3, y = 3\n3$o!", "row 4: 'o' is beyond"),
        ("x = 3, y = 3\nbxo!", "got 'xo!'"),
        ("x = 3, y = 3\n0o!", "got '0o!'"),
        ("x = 3, y = 3\n2!", "got '2!'"),
        ("x = 3, y = 3\n99999999999o!", "10\\^10"),
        ("x = 3, y = 3, rule = B36/S23\no!", "interval"),
    ],
)
def test_what_is_no_pattern(imported: Imported, text: str, words: str) -> None:
    with pytest.raises(ReportError, match=words):
        imported("bad.rle", text)


# ---- images ----


def test_grey_becomes_0_to_1_without_a_curve(imported: Imported, tmp_path: Path) -> None:
    grey = np.arange(256, dtype=np.uint8).reshape(16, 16)
    fine = (np.arange(256, dtype=np.uint32) * 257 + 1).clip(max=65535).astype(np.uint16).reshape(16, 16)
    for pixels, white in ((grey, 255), (fine, 65535)):
        data = image(tmp_path / "b.png", pixels)
        found = imported("a.png", data)
        assert found.dtype == np.float32 and (found == (pixels / white).astype(np.float32)).all()
        chunk = b"gAMA" + (100000).to_bytes(4, "big")
        chunk = (4).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big")
        assert (imported("a.png", data[:33] + chunk + data[33:]) == found).all()


@pytest.mark.parametrize(("head", "kind", "white"), [("P5 2 2 65535\n", ">u2", 65535), ("P5 2 2 255\n", "u1", 255)])
def test_a_grey_map_is_numbers(imported: Imported, head: str, kind: str, white: int) -> None:
    pixels = np.array([0, 1, white // 2, white])
    found = imported("a.pgm", head.encode() + pixels.astype(kind).tobytes())
    assert (found.ravel() == (pixels / white).astype(np.float32)).all()


@pytest.mark.parametrize(
    ("pixels", "options", "words"),
    [
        (np.zeros((4, 4, 2), np.uint8), {}, "without transparency"),
        (np.zeros((4, 4, 4), np.uint8), {}, "without transparency"),
        (np.zeros((4, 4), np.uint8), {"transparency": 7}, "without transparency"),
        (np.zeros((4, 4, 3), np.uint8), {}, "grey image"),
        (np.zeros((4, 4), np.int32), {"format": "TIFF"}, "8 or 16 bits"),
        (np.zeros((4, 5), np.uint8), {}, "5 x 4 pixels"),
    ],
)
def test_images_that_are_rejected(
    imported: Imported, tmp_path: Path, pixels: np.ndarray, options: dict[str, object], words: str
) -> None:
    with pytest.raises(ReportError, match=words):
        imported("a.png", image(tmp_path / "b.png", pixels, **options))


def test_what_is_no_image(imported: Imported, tmp_path: Path) -> None:
    data = image(tmp_path / "b.png", np.arange(256, dtype=np.uint8).reshape(16, 16))
    for bad in [b"", b"text", data[:40], data[:-30]]:
        with pytest.raises(ReportError, match="cannot be read"):
            imported("a.png", bad)
    with pytest.raises(UsageError, match="about patterns"):
        imported("a.png", data, "--n", "16")
