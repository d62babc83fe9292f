"""What the workbench and the embedded author both take from Inductor: pieces of graphs, and their generated text."""
