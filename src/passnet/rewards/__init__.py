"""Rewards for trainers: a task and the text of passes in, one trusted number out; or no number, never a false one."""
