# Sourced by scripts that write texts, most of them from the documents of study/measure.

# FILE: prints the names of its parts, one per line; nothing if there is no such file.
parts_of() {
    [ ! -e "$1" ] || PYTHONPATH=report python3 - "$1" <<'EOF'
import sys
from pathlib import Path

from tribench_report.reading.load import read_parts

for source in read_parts(Path(sys.argv[1]), ["*"]):
    print(source.name.rpartition(":")[2])
EOF
}

put() { # TEXT MARKER FILE: FILE replaces what stands between the two comments in TEXT
    PYTHONPATH=report python3 - "$@" <<'EOF'
import sys
from pathlib import Path

from tribench_report import cli, into

text, marker, path = sys.argv[1:]
sys.exit(cli.main("put", lambda _: into.insert(Path(text), marker, Path(path).read_text(encoding="utf-8")) or 0))
EOF
}
