"""Which known passes make one model faster: tried one by one, judged by the bench."""
