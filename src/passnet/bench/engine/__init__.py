"""Engines: units of work are judged on one device or many, and their records come back as they are made."""
