"""The report of runs: from run directories to one HTML file. What a record says is shown as text, never as markup."""
