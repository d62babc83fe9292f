"""Writing and reading of runs: settings, records, scores. Imports no torch."""
