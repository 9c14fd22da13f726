"""Maps as functions of numba, as cuda.jit(device=True): `from tribench.maps.numba import rb_b, rb_b_grid`."""

from . import _attributes

__getattr__ = _attributes("numba")
