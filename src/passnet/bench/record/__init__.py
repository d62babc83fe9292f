"""What a run writes and how it is read again: settings, records, scores. Imports no torch."""
