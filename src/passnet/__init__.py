"""PassNet: compiler passes written by authors, proved right, measured honestly, scored.

Importing this package imports no torch; the rooms that compute do so when they are used.
"""

__version__ = "0.1.0"
