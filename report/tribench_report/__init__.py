"""Reads the JSON that tribench writes, and makes tables, figures and pages from it."""

# The public address, once there is one; then it is also for README.md, CITATION.cff (repository-code), pyproject.toml
# ([project.urls]) and the Spack package (git).
REPOSITORY = ""
