"""What a build is made of: its settings, the units that forked processes do, their files, the stages."""
