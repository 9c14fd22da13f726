#!/usr/bin/env python3
"""Fisher's iris flowers: tribench's distances equal those of scipy, up to float32 rounding.

Usage: iris_check.py FILE.npy (dumped by tribench, packed)
Exit status: 0 they agree, 1 they differ, 77 there is no numpy or scipy.
"""

import sys
from pathlib import Path

try:
    import numpy
    from scipy.spatial.distance import pdist, squareform
except ImportError as missing:
    print(f"there is no {missing.name}")
    sys.exit(77)

DATA = Path(__file__).resolve().parent / "data" / "iris.csv"
# Two units in the last place: float32 input, four squares and a root against the same in double.
TOLERANCE = 2 * float(numpy.finfo(numpy.float32).eps)


def expected():
    """The lower triangle with its diagonal, row by row, in double."""
    points = numpy.genfromtxt(DATA, delimiter=",", skip_header=1, usecols=range(4))
    assert points.shape == (150, 4) and numpy.isfinite(points).all(), "the data are not iris.csv"
    # tribench reads float32 numbers, so scipy gets the same ones.
    square = squareform(pdist(points.astype(numpy.float32).astype(numpy.float64)))
    return square[numpy.tril_indices(len(points))]


def difference(packed, triangle):
    """The error in a packed triangle, in words; None if there is none."""
    if packed.dtype != numpy.float32 or packed.shape != triangle.shape:
        return f"{packed.shape} of {packed.dtype}, not {triangle.shape} of float32"
    if not numpy.allclose(packed, triangle, rtol=TOLERANCE, atol=0.0):
        return f"off by {numpy.abs(packed - triangle).max():.3g}"
    return None


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    wrong = difference(numpy.load(sys.argv[1], allow_pickle=False), expected())
    print(wrong or f"{DATA.name}: 11325 distances agree with scipy within {TOLERANCE:.2g}, relatively")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
