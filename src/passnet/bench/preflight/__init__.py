"""What can be said of a pass set in seconds, without timing."""
