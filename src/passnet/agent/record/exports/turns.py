"""An episode as turns: what was said, the calls that belong to it, their answers. Exports are made of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from passnet.agent.record.records import EpisodeRecord, EpisodeStep, Message, Start

# What an author that is no model was told, in words that train one.
SYSTEM = (
    "You write compiler passes for PyTorch graphs. A pass is a Python file with three functions: pattern(...) is the "
    "computation to find, replacement_args(...) returns the arguments for your kernel wrapper, replacement_func() "
    "returns the wrapper, which carries @torch.fx.wrap and calls kernels of your own. The file "
    "sorted_output_pass_rule_names.json lists the passes in order. One pass set serves all variants of the task. Work "
    "through the tools: look, write, check, evaluate, improve, submit."
)


@dataclass
class Turn:
    """A message and the calls that followed from it; no message for an author that only acts."""

    message: Message | None
    steps: list[EpisodeStep] = field(default_factory=list)


def start_of(records: Sequence[EpisodeRecord]) -> Start:
    first = records[0]
    assert isinstance(first, Start), "an episode starts with its start"
    return first


def turns(records: Sequence[EpisodeRecord]) -> list[Turn]:
    """Turns in order. Calls that no message asked for are turns of their own."""
    found: list[Turn] = []
    for record in records:
        if isinstance(record, Message):
            found.append(Turn(record))
        elif isinstance(record, EpisodeStep) and record.said and found:
            found[-1].steps.append(record)
        elif isinstance(record, EpisodeStep):
            found.append(Turn(None, [record]))
    return found
