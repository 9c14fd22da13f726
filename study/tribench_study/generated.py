"""The random numbers of tribench's inputs: see "Generated input" in docs/workloads.md."""

import numpy
from numpy.typing import NDArray

Words = NDArray[numpy.uint64]


def mix(x: Words) -> Words:
    """The output function of splitmix64."""
    for shift, factor in (30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB):
        x = (x ^ x >> numpy.uint64(shift)) * numpy.uint64(factor)
    return x ^ x >> numpy.uint64(31)


def random_bits(seed: int, count: int) -> Words:
    """The first words of stream 0."""
    golden = numpy.array([0x9E3779B97F4A7C15], dtype="uint64")
    return mix(mix(golden + numpy.uint64(seed)) + golden * numpy.arange(1, count + 1, dtype="uint64"))
