"""Facts about a pass set that are known in seconds, without timing."""
