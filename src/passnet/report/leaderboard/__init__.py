"""The leaderboard: rows made from run directories, boards of rows that may be ranked, the static site."""
