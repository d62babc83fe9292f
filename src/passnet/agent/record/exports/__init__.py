"""Finished episodes in the forms that others read: ATIF trajectories, OpenAI chat messages."""
