#!/usr/bin/env python3
"""The npy test program reads numpy's files, and numpy reads those of the program.

Usage: npy_roundtrip.py path/to/npy_test
Exit status: 0 all agree, 1 something differs, 77 there is no numpy.
"""

import pathlib
import subprocess
import sys
import tempfile

if sys.argv[1:] in (["-h"], ["--help"]):
    print(__doc__)
    sys.exit(0)
try:
    import numpy
except ImportError:
    print("skipped: there is no numpy", file=sys.stderr)
    sys.exit(77)


def copy(program, source, columns, target):
    """Makes the C code read `source` and write `target`; columns 0 means a state."""
    command = [program, "copy", str(source), str(columns), str(target)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def tables():
    """Arrays that must be read, each with the number of columns to ask for."""
    random = numpy.random.default_rng(1)
    for rows, columns in [(1, 1), (1, 4), (5, 1), (150, 4), (1000, 3)]:
        wide = random.normal(size=(rows, columns)) * 10.0 ** random.integers(-30, 30, (rows, columns))
        yield wide, columns
        yield wide.astype(numpy.float32), columns
        yield numpy.asfortranarray(wide), columns
        yield numpy.asfortranarray(wide.astype(numpy.float32)), columns
    yield random.normal(size=77), 1


def rejections():
    """Arrays that must be rejected, and a part of the reason."""
    good = numpy.ones((4, 2))
    yield good.astype(">f4"), "big-endian"
    yield good.astype("<i8"), "dtype"
    yield good.astype("<f2"), "dtype"
    yield good.astype("<c8"), "dtype"
    yield good.reshape(2, 4), "shape"
    yield good[:0], "rows"
    yield numpy.array([[1.0, numpy.nan]]), "row 0, column 1"
    yield numpy.zeros(3, dtype=[("x", "<f4")]), "plain dtype"


def save(path, array, version=None):
    with open(path, "wb") as stream:
        numpy.lib.format.write_array(stream, array, version=version, allow_pickle=False)


def check_tables(program, folder):
    failures = 0
    for array, columns in tables():
        for version in [(1, 0), (2, 0), (3, 0)]:
            save(folder / "in.npy", array, version)
            done = copy(program, folder / "in.npy", columns, folder / "out.npy")
            wanted = array.reshape(len(array), columns).astype(numpy.float32)
            if done.returncode == 0:
                found = numpy.load(folder / "out.npy", allow_pickle=False)
                if found.dtype == numpy.dtype("<f4") and numpy.array_equal(found, wanted):
                    continue
            print(f"table {array.shape} {array.dtype} {version}: {done.stderr.strip() or 'differs'}")
            failures += 1
    return failures


def check_rejections(program, folder):
    failures = 0
    for array, reason in rejections():
        save(folder / "in.npy", array)
        (folder / "out.npy").unlink(missing_ok=True)
        done = copy(program, folder / "in.npy", 2, folder / "out.npy")
        if done.returncode != 2 or reason not in done.stderr or (folder / "out.npy").exists():
            print(f"rejection {array.shape} {array.dtype}: {done.returncode} {done.stderr.strip()}")
            failures += 1
    return failures


def check_states(program, folder):
    failures = 0
    for n in [1, 2, 3, 100, 1023]:
        state = numpy.random.default_rng(n).integers(0, 4, n * (n + 1) // 2, dtype=numpy.uint8)
        numpy.save(folder / "in.npy", state)
        done = copy(program, folder / "in.npy", 0, folder / "out.npy")
        if done.returncode != 0 or not numpy.array_equal(numpy.load(folder / "out.npy"), state):
            print(f"state {n}: {done.stderr.strip() or 'differs'}")
            failures += 1
    return failures


def check_csv(program, folder):
    """Every float32 written with nine digits comes back as itself."""
    bits = numpy.random.default_rng(2).integers(0, 0x7F7FFFFF, (500, 3), dtype=numpy.uint32)
    values = bits.view(numpy.float32)
    numpy.savetxt(folder / "in.csv", values, delimiter=",", fmt="%.9g", header="x,y,z")
    done = copy(program, folder / "in.csv", 3, folder / "out.npy")
    if done.returncode == 0 and numpy.array_equal(numpy.load(folder / "out.npy"), values):
        return 0
    print(f"csv: {done.stderr.strip() or 'differs'}")
    return 1


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        checks = [check_tables, check_rejections, check_states, check_csv]
        failures = sum(check(sys.argv[1], pathlib.Path(name)) for check in checks)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
