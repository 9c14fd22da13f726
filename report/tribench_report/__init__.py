"""Reads the JSON that tribench writes, and makes tables, figures and pages from it."""
