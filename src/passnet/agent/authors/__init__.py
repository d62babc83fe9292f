"""Authors: what proposes passes. All act through the tools of the environment only, so all are recorded alike."""
