"""Run with TRITON_INTERPRET=1: checks each Triton pass on its small float32 and float16 variants, prints its task.

bfloat16 is left out because Triton's interpreter rounds it differently.
"""

import sys

import torch

from passnet.graph import Task
from tests.dataset.bundled_passes import DATA, TASKS, check_pass, is_small


def main() -> None:
    torch.set_num_threads(1)
    for name in TASKS:
        graphs = [graph for graph in Task.read(DATA / name).graphs if is_small(graph)]
        check_pass(name, [graph for graph in graphs if not graph.name.startswith("bfloat16")], rules="cuda")
        sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
