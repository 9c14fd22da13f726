"""Maps as functions of Triton, as triton.jit: `from tribench.maps.triton import rb_b, rb_b_grid`."""

from . import _attributes

__getattr__ = _attributes("triton")
