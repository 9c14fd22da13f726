"""tribench for Spack, from the tarball of make dist in the current folder:

make dist && cd build && spack repo add ../contrib/spack
spack install --no-checksum tribench +cuda cuda_arch=80,90
spack test run tribench
"""

import json
import os

from spack.package import *

try:
    from spack_repo.builtin.build_systems.cuda import CudaPackage
    from spack_repo.builtin.build_systems.makefile import MakefilePackage
except ImportError:
    pass  # before Spack 1.0 they come from spack.package


class Tribench(MakefilePackage, CudaPackage):
    """Benchmark of maps from a GPU grid to triangles and tetrahedra."""

    homepage = "https://arxiv.org/abs/1308.1419"
    url = f"file://{os.getcwd()}/tribench-0.1.0.tar.gz"
    manual_download = True

    license("MIT")

    version("0.1.0")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("pkgconfig", type="build")
    depends_on("cjson")
    depends_on("libpng")
    depends_on("cuda@12.4:", when="+cuda")
    conflicts("cuda_arch=none", when="+cuda", msg="Name the GPUs: cuda_arch=80,90")

    @property
    def make_variables(self):
        words = [f"PREFIX={self.prefix}"]
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

    def test_every_map(self):
        """every map, on the host's cores"""
        tribench = Executable(self.prefix.bin.tribench)
        words = "--quiet --engine cpu --strategy all --workload cover --n 100 --samples 2 --warmup 0"
        runs = json.loads(tribench(*words.split(), output=str))["runs"]
        wrong = [run["key"] for run in runs if run["verified"]["status"] != "pass"]
        assert runs and not wrong, wrong
