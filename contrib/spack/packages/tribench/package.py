"""tribench for Spack, from the tarball of make dist in the current folder:

make dist && cd build && spack repo add ../contrib/spack
spack install --no-checksum tribench +cuda cuda_arch=80,90
"""

import os

from spack.package import *

try:
    from spack_repo.builtin.build_systems.cuda import CudaPackage
    from spack_repo.builtin.build_systems.makefile import MakefilePackage
except ImportError:
    pass  # before Spack 1.0, both come from spack.package


class Tribench(MakefilePackage, CudaPackage):
    """Benchmark of maps from a GPU grid to triangles and tetrahedra."""

    homepage = "https://arxiv.org/abs/1308.1419"
    url = f"file://{os.getcwd()}/tribench-0.2.0.tar.gz"
    manual_download = True

    license("MIT")

    version("0.2.0")

    variant("mpi", default=False, description="--ranks, one domain on many GPUs or cores")
    variant("report", default=False, description="What the report tools need")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("pkgconfig", type="build")
    depends_on("cjson")
    depends_on("xxhash@0.8:", type="build")
    depends_on("cuda@12.4:", when="+cuda")
    depends_on("mpi", when="+mpi")
    with when("+report"):
        depends_on("python@3.11:", type="run")
        depends_on("py-altair@5.5:", type="run")
        depends_on("py-jinja2@3.1:", type="run")
        depends_on("py-markupsafe@2.1:", type="run")
        depends_on("py-pandas@3:", type="run")
        depends_on("py-pcpp@1.30:", type="run")
        depends_on("py-pycparser@2.22:", type="run")
        depends_on("py-vl-convert-python@1.7:", type="run")
        depends_on("py-numpy@1.26:", type="run")
        depends_on("py-pillow@10:", type="run")
        depends_on("py-scipy@1.11:", type="run")
    conflicts("cuda_arch=none", when="+cuda", msg="Name the GPUs: cuda_arch=80,90")

    @property
    def make_variables(self):
        # MPI=0, too: otherwise make uses any mpicc of the host
        words = [f"PREFIX={self.prefix}", f"MPI={int(self.spec.satisfies('+mpi'))}"]
        if self.spec.satisfies("+report"):
            words.append(f"PYTHON={self.spec['python'].prefix.bin.python3}")
        if not self.spec.satisfies("+cuda"):
            return [*words, "CUDA=0"]
        architectures = " ".join(self.spec.variants["cuda_arch"].value)
        return [*words, "CUDA=1", f"CUDA_HOME={self.spec['cuda'].prefix}", f"CUDA_ARCH={architectures}"]

    @property
    def build_targets(self):
        return ["all", *self.make_variables]

    @property
    def install_targets(self):
        return ["install", *self.make_variables]
