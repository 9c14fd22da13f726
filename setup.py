"""The wheel: what make install installs, inside of the package `tribench`, whose one function runs its commands."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

TOP = Path(__file__).resolve().parent
WORK = TOP / "build/wheel"


class Installed(build_py):
    def run(self) -> None:
        super().run()
        prefix = Path(self.build_lib).resolve() / "tribench"
        # MPI=0: a wheel cannot bring the MPI of the machine that it will run on
        words = [f"BUILD={WORK}", "MPI=0", "DESTDIR=", f"PREFIX={prefix}", f"LIBDIR={prefix}/lib", "PYTHON=python3"]
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
        project_urls=report.get("urls", {}),
        packages=["tribench"],
        package_dir={"tribench": "contrib/wheel"},
        cmdclass={"build_py": Installed, "bdist_wheel": AnyPython},
        distclass=Compiled,
        options={"build": {"build_base": str(WORK)}, "egg_info": {"egg_base": str(WORK)}},
    )


main()
