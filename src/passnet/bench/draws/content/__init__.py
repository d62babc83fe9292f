"""The table from which one input is drawn, and what a draw may put into it."""
