"""The wheel: `commands` has what its commands are, and beside it is what make install installs."""
