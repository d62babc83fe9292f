"""Turns pass files into rules. Only a process that may run untrusted code imports `load`."""
