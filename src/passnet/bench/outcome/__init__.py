"""From failures and findings to outcomes, each with its owner."""
