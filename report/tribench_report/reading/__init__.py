"""From files to their runs, whatever the format; nothing here knows what a run means."""
