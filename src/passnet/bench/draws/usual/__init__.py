"""What holds in every draw: order where a graph needs it, and no ties where these leave a choice."""
