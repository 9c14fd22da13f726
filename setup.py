"""The wheel: what make install installs, inside of the package `tribench`, which runs its commands."""

import importlib.util
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

TOP = Path(__file__).resolve().parent
WORK = TOP / "build/wheel"
OLDEST_GLIBC = "2.28"


def library(name: str) -> str:
    return subprocess.run(["cc", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()


def linked_for_others() -> list[str]:
    """Make's words for a program that runs with an older glibc than this machine's, against which zig links.

    Libraries that need a newer one are linked statically. libgcc.a comes before zig's own, whose __cpu_model says that
    the processor can do nothing.
    """
    zig = f"{sys.executable} -m ziglang cc -target {platform.machine()}-linux-gnu.{OLDEST_GLIBC}"
    return [
        f"LINK={zig} {library('libgomp.a')} {library('libgcc.a')}",
        f"CJSON_LIBS={library('libcjson.so')}",
    ]


class Installed(build_py):
    def run(self) -> None:
        super().run()
        prefix = Path(self.build_lib).resolve() / "tribench"
        # MPI=0: a wheel cannot bring the MPI of the machine that it will run on
        words = [f"BUILD={WORK}", "MPI=0", "DESTDIR=", f"PREFIX={prefix}", f"LIBDIR={prefix}/lib", "PYTHON=python3"]
        if importlib.util.find_spec("ziglang"):  # as in make wheel; pip install . is for the machine that runs it
            words += linked_for_others()
        subprocess.run(["make", "-C", TOP, *words, "install"], check=True)
        shutil.rmtree(prefix / "lib/pkgconfig")  # it names the folder of this build


class Compiled(Distribution):
    def has_ext_modules(self) -> bool:
        return True


class AnyPython(bdist_wheel):
    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


def main() -> None:
    WORK.mkdir(parents=True, exist_ok=True)
    version = re.search(r"^VERSION := (.*)$", (TOP / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    report = tomllib.loads((TOP / "report/pyproject.toml").read_text(encoding="utf-8"))["project"]
    setup(
        version=version[1],
        install_requires=report["dependencies"],
        extras_require=report["optional-dependencies"],
        project_urls=report.get("urls", {}),
        packages=["tribench", "tribench.maps"],
        package_dir={"tribench": "python/tribench"},
        package_data={"tribench": ["py.typed"]},
        cmdclass={"build_py": Installed, "bdist_wheel": AnyPython},
        distclass=Compiled,
        options={"build": {"build_base": str(WORK)}, "egg_info": {"egg_base": str(WORK)}},
    )


main()
