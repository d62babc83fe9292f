"""mcp: the tools of an episode for coding assistants, over the Model Context Protocol on standard input and output."""
