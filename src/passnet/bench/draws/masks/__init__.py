"""Where odd elements lie amid ordinary ones, and which parts of masks are shown."""
