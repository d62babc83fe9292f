"""Pass files and pass sets as data. Runs nothing."""
