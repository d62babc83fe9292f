"""Worker processes: started, held in, bounded, ended."""
