"""tribench-report, or python -m tribench_report: the commands."""

from __future__ import annotations

import sys
from importlib import import_module, metadata

from . import cli
from .errors import UsageError

# The subcommand, its module, and what it does.
COMMANDS = {
    "advice": ("advice", "says which map, block, tile and kernel to use"),
    "compare": ("compare", "tells what became faster or slower between two results"),
    "emit": ("emit", "prints a map as a function in CUDA, Triton, numba, CuTe DSL or Python"),
    "frames": ("frames", "draws the states that tribench --dump FILE.npy:K writes, or animates them"),
    "history": ("history", "keeps results by commit, and says since which one something is slower"),
    "html": ("page", "makes one self-contained page from result files"),
    "import": ("import_", "makes .npy input of patterns (.rle) and images"),
    "maps": ("maps", "draws what maps do, from tribench --show"),
    "merge": ("merge", "joins result files into one document: json, jsonl or csv"),
    "plot": ("plot", "draws figures from result files"),
    "table": ("table", "makes Markdown tables from result files"),
}


def _about(name: str) -> int:
    """What is said without a command. Errors: the first word is none"""
    if name in ("-h", "--help"):
        lines = [f"  {name:10}{summary}" for name, (_, summary) in COMMANDS.items()]
        lines = [f"usage: {cli.COMMAND} COMMAND [ARGUMENT...]", "", *lines, "", "COMMAND --help says more."]
        print("\n".join(lines))
    elif name in ("-V", "--version"):
        print(cli.COMMAND, metadata.version(cli.COMMAND))
    else:
        what = f"unknown command '{name}'" if name else "expected a command"
        raise UsageError(f"{what}: {', '.join(COMMANDS)}")
    return 0


def main() -> int:
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in COMMANDS:
        return cli.main(cli.COMMAND, lambda _: _about(name))
    sys.argv[:2] = [cli.COMMAND]
    # Imported here, because merge and table need none of the packages that the others need.
    return cli.main(name, lambda arguments: import_module(f".{COMMANDS[name][0]}", __package__).run(arguments))


if __name__ == "__main__":
    sys.exit(main())
