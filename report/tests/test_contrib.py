"""contrib/ and the packaging files: they run the binary and read its JSON, and agree on what they name."""

from __future__ import annotations

import json
import os
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

TOP = Path(__file__).resolve().parents[2]
PACKAGE = TOP / "contrib/spack/packages/tribench/package.py"
RECIPES = sorted((TOP / "contrib/easybuild").glob("*.eb"))


def text(name: str) -> str:
    return (TOP / name).read_text(encoding="utf-8")


def said(*command: object, **options: Any) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, **options)


def make_would(*words: str) -> str:
    """What make would do."""
    done = said("make", "--dry-run", *words, cwd=TOP)
    assert done.returncode == 0, done.stderr
    return done.stdout


def makefile(variable: str) -> str:
    found = re.search(rf"^{variable} :?= *(.*)$", text("Makefile"), re.MULTILINE)
    assert found
    return found[1]


# ---- one version


def test_everything_has_the_version_and_the_day_of_the_makefile() -> None:
    version, day = makefile("VERSION"), makefile("RELEASED")
    citation = yaml.safe_load(text("CITATION.cff"))
    assert citation["version"] == version
    assert str(citation["date-released"]) == day
    assert json.loads(text("codemeta.json"))["version"] == version
    assert tomllib.loads(text("report/pyproject.toml"))["project"]["version"] == version
    released = [name for name in re.findall(r"^## (.*)$", text("CHANGELOG.md"), re.MULTILINE) if name != "Unreleased"]
    assert released[0] == f"{version} - {day}"
    assert f'version("{version}")' in PACKAGE.read_text(encoding="utf-8")
    assert f"/tribench-{version}.tar.gz" in PACKAGE.read_text(encoding="utf-8")
    assert [path.name for path in RECIPES if path.name.startswith(f"tribench-{version}-")]
    assert f"Version {version}\n" in text("contrib/apptainer.def")
    assert text("contrib/debian/changelog").startswith(f"tribench ({version}-1) ")


def test_the_citation_has_an_author_a_year_and_an_address() -> None:
    citation = yaml.safe_load(text("CITATION.cff"))
    assert citation["cff-version"] == "1.2.0"
    assert [author["name"] for author in citation["authors"]] == ["The tribench authors"]
    assert citation["date-released"].year >= 2026
    assert citation["url"].startswith("https://")


# ---- containers and the workflow


def test_both_containers_are_built_from_the_same() -> None:
    files = ("Containerfile", "contrib/apptainer.def")
    container, apptainer = (text(name).replace("\\\n", " ") for name in files)
    cuda = re.search(r"^ARG CUDA=(.*)$", container, re.MULTILINE)
    assert cuda
    images = [name.replace("${CUDA}", cuda[1]) for name in re.findall(r"^FROM (\S+)", container, re.MULTILINE)]
    assert images == re.findall(r"^From: (\S+)", apptainer, re.MULTILINE)
    assert [image for image in images if "." in image.partition("/")[0]] == []  # no registry's host
    install = r"apt-get install -y --no-install-recommends ([a-z0-9. -]+\b)"
    packages = [name.split() for name in re.findall(install, container)]
    assert packages == [name.split() for name in re.findall(install, apptainer)]
    for needed in ("libcjson-dev", "libxxhash-dev", "pkg-config", "build-essential"):
        assert needed in packages[0]


def test_the_workflow_does_what_ci_run_does() -> None:
    workflow = yaml.safe_load(text(".github/workflows/check.yml"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    assert steps[-1] == {"run": "bash .ci/run"}
    assert (TOP / ".ci/run").is_file()


def test_a_tag_becomes_a_release_of_what_make_makes() -> None:
    workflow = yaml.safe_load(text(".github/workflows/release.yml"))
    steps = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    assert 'grep -qx "VERSION := ${GITHUB_REF_NAME#v}" Makefile' in steps  # the tag is the version's
    targets = [step.split()[1] for step in steps if step.startswith("make ")]
    assert targets == ["setup", "dist", "wheel"]
    for target in targets:
        assert re.search(rf"^{target}:", text("Makefile"), re.MULTILINE)


# ---- Spack: with a few words of Spack's, not Spack itself


class Spec(dict[str, Any]):
    def __init__(self, variants: str) -> None:
        python = SimpleNamespace(prefix=SimpleNamespace(bin=SimpleNamespace(python3="/opt/python/bin/python3")))
        super().__init__(cuda=SimpleNamespace(prefix="/opt/cuda"), python=python)
        self.has, self.variants = variants.split(), {"cuda_arch": SimpleNamespace(value=("80", "90"))}

    def satisfies(self, word: str) -> bool:
        return word in self.has


def test_spack_gives_make_variables_that_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    directives = dict.fromkeys(("conflicts", "depends_on", "license", "variant", "version"), lambda *_, **__: None)
    bases = {name: type(name, (), {}) for name in ("CudaPackage", "MakefilePackage")}
    words = SimpleNamespace(**directives, **bases, when=lambda _: nullcontext())
    monkeypatch.setitem(sys.modules, "spack", SimpleNamespace(package=words))
    monkeypatch.setitem(sys.modules, "spack.package", words)
    made = runpy.run_path(str(PACKAGE))["Tribench"]()
    made.prefix = "/opt/x"
    for variants, variables in {
        "": ["MPI=0", "CUDA=0"],
        "+mpi": ["MPI=1", "CUDA=0"],
        "+report": ["MPI=0", "PYTHON=/opt/python/bin/python3", "CUDA=0"],
        "+cuda": ["MPI=0", "CUDA=1", "CUDA_HOME=/opt/cuda", "CUDA_ARCH=80 90"],
    }.items():
        made.spec = Spec(variants)
        assert made.build_targets == ["all", "PREFIX=/opt/x", *variables]
        assert made.install_targets == ["install", "PREFIX=/opt/x", *variables]
        for word in variables:
            assert re.search(rf"^{word.partition('=')[0]} \?=", text("Makefile"), re.MULTILINE)


# ---- EasyBuild, the real one, but for its modules; alone, since it changes the process that it runs in

READ_RECIPE = """
import json, sys
from unittest import mock
from easybuild.framework.easyconfig import easyconfig, style
from easybuild.tools.options import set_up_configuration
set_up_configuration(["--allow-use-as-root-and-accept-consequences", "--prefix", sys.argv[2]], silent=True)
easyconfig.modules_tool = lambda: mock.Mock(available=lambda: [])
recipe = easyconfig.EasyConfig(sys.argv[1])
recipe.template_values["installdir"] = "/opt/x"
keys = ("name", "version", "dependencies", "sources", "buildopts", "installopts", "sanity_check_paths")
print(json.dumps({key: recipe[key] for key in keys}))
sys.exit(style.check_easyconfigs_style([sys.argv[1]]))
"""


def recipe(path: Path, prefix: Path) -> dict[str, Any]:
    environment = {**os.environ, "HOME": str(prefix), "TMPDIR": str(prefix)}
    read = said(sys.executable, "-c", READ_RECIPE, path, prefix, env=environment)
    assert read.returncode == 0, read.stdout + read.stderr
    found: dict[str, Any] = json.loads(read.stdout.splitlines()[0])
    assert path.name.startswith(f"{found['name']}-{found['version']}-")  # or --robot does not find it
    return found


def test_easybuild_reads_each_recipe_and_gives_make_variables_that_it_knows(tmp_path: Path) -> None:
    found = {read["name"]: read for read in (recipe(path, tmp_path) for path in RECIPES)}
    made, cjson = found["tribench"], found["cJSON"]
    assert made["sources"] == [f"tribench-{makefile('VERSION')}.tar.gz"]
    assert {"name": "cJSON", "version": cjson["version"]}.items() <= made["dependencies"][1].items()
    words = shlex.split(made["installopts"])
    assert shlex.split(made["buildopts"]) == ["all", *words]
    assert {"CUDA_ARCH=80 90", "PREFIX=/opt/x", "MPI=1"} <= set(words)
    for word in words:
        variable = word.partition("=")[0]
        assert variable == "CFLAGS" or re.search(rf"^{variable} \?=", text("Makefile"), re.MULTILINE)
    installed = make_would("install", "CUDA=0", "MPI=0", "PREFIX=/opt/x")
    for file in ("bin/tribench", "bin/tribench-sweep"):
        assert file in made["sanity_check_paths"]["files"] and f"/opt/x/{file}" in installed
