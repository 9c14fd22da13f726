"""Maps as functions of numpy, for arrays of blocks: `from tribench.maps.python import rb_b, rb_b_grid`."""

from . import _attributes

__getattr__ = _attributes("python")
