"""Shows finished records: HTML pages that need no network and no second file."""
