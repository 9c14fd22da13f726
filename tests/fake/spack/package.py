"""The part of spack.package that contrib/spack uses: keeps directives in a list."""

import contextlib

__all__ = [
    "CudaPackage", "MakefilePackage", "conflicts", "depends_on", "license", "variant", "version", "when",
]

directives = []


def _directive(name):
    def keep(*words, **options):
        directives.append((name, words, options))

    return keep


conflicts, depends_on, license, variant, version = map(
    _directive, ("conflicts", "depends_on", "license", "variant", "version")
)


@contextlib.contextmanager
def when(condition):
    directives.append(("when", (condition,), {}))
    yield


class MakefilePackage:
    """A package; the test sets spec and prefix."""


class CudaPackage:
    pass
