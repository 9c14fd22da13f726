"""Maps as functions of CuTe DSL, as cute.jit: `from tribench.maps.cute import rb_b, rb_b_grid`."""

from . import _attributes

__getattr__ = _attributes("cute")
