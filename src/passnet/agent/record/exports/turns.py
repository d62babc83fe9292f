"""An episode as turns: the messages, the calls that belong to them, their answers. Exports are made of turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from passnet.agent.record.records import EpisodeRecord, EpisodeStep, Message, Start

# The instruction for an author that is no model, in words that can train a model.
SYSTEM = (
    "You write compiler passes for PyTorch graphs. A pass is a Python file with three functions: pattern(...) is the "
    "computation to find, replacement_args(...) returns the arguments for your kernel wrapper, replacement_func() "
    "returns the wrapper, which carries @torch.fx.wrap and calls kernels of your own. The file "
    "sorted_output_pass_rule_names.json lists the passes in order. One pass set serves all variants of the task. Work "
    "through the tools: look, write, check, evaluate, improve, submit."
)


@dataclass
class Turn:
    """A message and the calls that followed from it. There is no message for an author that only acts."""

    message: Message | None
    steps: list[EpisodeStep] = field(default_factory=list)


def start_of(records: Sequence[EpisodeRecord]) -> Start:
    first = records[0]
    assert isinstance(first, Start), "an episode starts with its start"
    return first


def turns(records: Sequence[EpisodeRecord]) -> list[Turn]:
    """Turns in order. Calls without a message are turns of their own."""
    found: list[Turn] = []
    for record in records:
        if isinstance(record, Message):
            found.append(Turn(record))
        elif isinstance(record, EpisodeStep) and record.said and found:
            found[-1].steps.append(record)
        elif isinstance(record, EpisodeStep):
            found.append(Turn(None, [record]))
    return found
