# Sourced by scripts that read the documents of scripts/measure.

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
