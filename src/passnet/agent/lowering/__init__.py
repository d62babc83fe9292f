"""The parts that the workbench and the embedded author take from Inductor: pieces of graphs, and generated text."""
