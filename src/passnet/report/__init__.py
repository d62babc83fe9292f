"""Shows finished records: HTML pages that need no network, no script and no second file."""
