"""The two ways in which a report script can end badly."""


class ReportError(Exception):
    """Something is wrong with the data or the machine; the sentence is shown, the exit status is 1."""


class UsageError(Exception):
    """The command line asks for something that does not exist; the exit status is 2."""
