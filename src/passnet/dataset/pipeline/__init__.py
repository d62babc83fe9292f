"""The parts of a build: its settings, the units that forked processes do, their files, the stages."""
