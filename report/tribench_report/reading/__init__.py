"""Reads files of any format into runs; nothing here knows what a run means."""
