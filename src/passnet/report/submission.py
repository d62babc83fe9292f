"""Whether a run may stand on the leaderboard: one row for each condition, with what is against it.

Settings of the protocol that prove less than today's are against it. Other settings that are not today's are said: such
a run is ranked only beside runs of the same protocol.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from passnet import authored
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.record.run import place_of
from passnet.errors import UsageError, counted
from passnet.report.recorded import RecordedRun, text_of
from passnet.report.run_tasks import RunTasks
from passnet.rewrite import read_pass_set
from passnet.score import OUTCOME_RULES, Outcome, Owner

SCHEMA = 1
WIDEST_PRECISION = 0.05
_SUMMARY = "summary.json"
_PASSES = "passes"
_NAMED = 3
# What a user may choose of the protocol `direct`, and what has a condition of its own.
_CHOSEN: Final = ("policy", "threads", "precision", "question", "threshold")
# What proves less where it is smaller, and where it is larger, than today's. Other settings only say how to measure.
LESS_IS_WEAKER: Final = frozenset(
    {"least_pairs", "process_sd", "input_bytes", "device_bytes", "verify_seeds", "unseen_draws", "spot_checks",
     "freeze", "guard_blocks", "guard_share", "ghost_draws", "idle_s", "confidence", "resamples", "sandbox"}
)  # fmt: skip
MORE_IS_WEAKER: Final = frozenset({"process_sd_dof", "fp64_factor", "scale_cap", "max_half_width", "control_band"})
_PROFILED: Final = ("one", "each")
_BE, _HAVE, _WERE = ("is", "are"), ("has", "have"), ("was", "were")
_NEEDED: Final = ("passnet", "torch", "python", "system", "cpu")


@dataclass(frozen=True)
class Submission:
    """What the conditions look at. `tasks` is None where only the run itself is looked at."""

    run: RecordedRun
    tasks: RunTasks | None

    @property
    def agent(self) -> bool:
        return self.run.settings.get("kind") == "agent"


@dataclass(frozen=True)
class SubmissionRule:
    """A row: its name, its reason, and the function that finds what is against it."""

    name: str
    reason: str
    find: Callable[[Submission], list[str]]
    needs_tasks: bool = False


@dataclass(frozen=True)
class OtherSetting:
    """A setting of a run's protocol that is not today's default and that no command line offers."""

    name: str
    value: object
    today: object

    @property
    def weaker(self) -> bool:
        """Whether it proves less than today's."""
        if self.name == "profiled":
            return _PROFILED.index(str(self.value)) < _PROFILED.index(str(self.today))
        mine, due = (value if isinstance(value, int | float) else 0 for value in (self.value, self.today))
        return mine < due if self.name in LESS_IS_WEAKER else mine > due and self.name in MORE_IS_WEAKER

    def __str__(self) -> str:
        mine, due = (f"{value:.10g}" if type(value) is float else value for value in (self.value, self.today))
        return f"{self.name} {mine}, today {due}"


def protocol_of(run: RecordedRun) -> Protocol | None:
    """The protocol of a run, with today's defaults for what was no setting then. None where it is none of today's."""
    try:
        return Protocol.model_validate(dict(run.protocol))
    except ValidationError:
        return None


def other_settings(run: RecordedRun) -> list[OtherSetting]:
    """What is not today's `direct` in the protocol of a run. What a user may choose has a condition of its own."""
    protocol = protocol_of(run)
    if protocol is None or protocol.preset != "direct":
        return []
    chosen = {name: getattr(protocol, name) for name in _CHOSEN}
    due = make("direct", device="cuda" if run.settings.get("device") == "cuda" else "cpu", **chosen)
    pairs = ((name, getattr(protocol, name), getattr(due, name)) for name in Protocol.model_fields)
    return [OtherSetting(name, mine, today) for name, mine, today in pairs if mine != today]


def limit_in_words(settings: Mapping[str, Any]) -> str | None:
    """That only so many graphs of each task were judged. None where all were."""
    limit = settings.get("graphs")
    words = "graph was judged" if limit == 1 else f"{limit} graphs were judged"
    return f"of each task only the first {words}" if limit is not None else None


def submission_warnings(submission: Submission) -> list[str]:
    """What a reader must know of a run that may stand, as `CONDITION: sentence`."""
    other = [str(setting) for setting in other_settings(submission.run) if not setting.weaker]
    words = "protocol: settings are not those of today's 'direct', so it is ranked only beside runs of the same"
    return [f"{words}: {'; '.join(other)}"] if other else []


def submission_problems(submission: Submission) -> list[str]:
    """Everything that is against the run, as `CONDITION: sentence`. Empty: it may stand."""
    rules = [rule for rule in RULES if submission.tasks is not None or not rule.needs_tasks]
    return [f"{rule.name}: {problem}" for rule in rules for problem in rule.find(submission)]


def submission_document(submission: Submission) -> dict[str, Any]:
    """The machine contract of `passnet submit check`."""
    found = submission_problems(submission)
    run = submission.run
    return {
        "schema": SCHEMA,
        "ok": not found,
        "problems": found,
        "warnings": submission_warnings(submission),
        "run": str(run.path),
        "graphs": len(run.graphs),
        "tasks": len({graph.task for graph in run.graphs}),
        "conditions": {rule.name: rule.reason for rule in RULES},
    }


def _complete(submission: Submission) -> list[str]:
    run, tasks = submission.run, submission.tasks
    assert tasks is not None
    limited = limit_in_words(run.settings)
    found = [limited] if limited is not None else []
    recorded: dict[str, set[str]] = {}
    for graph in run.graphs:
        recorded.setdefault(graph.task, set()).add(graph.graph)
    unknown = [task for task in recorded if task not in tasks.found and task not in tasks.unreadable]
    if unknown:
        found.append(
            f"{_some(unknown)}: the task is not where the run was made, so nobody can tell whether all of its graphs "
            "are recorded; run this there, or give --tasks"
        )
    found += [f"{task}: the task cannot be read: {why}" for task, why in tasks.unreadable.items()]
    for task, target in tasks.found.items():
        left = [name for name, _, _ in target.graphs if name not in recorded.get(task, set())]
        if left and limited is None:
            found.append(f"{task}: {len(left)} of {len(target.graphs)} graphs have no record, {_some(left)}")
    if run.settings.get("tasks") is None:
        absent = [name for name in tasks.here if name not in recorded and name not in tasks.found]
        found += _named(absent, "task", _HAVE, "no record")
    return found


def _finished(submission: Submission) -> list[str]:
    """Episodes of an author that are open."""
    if not submission.agent:
        return []
    path = submission.run.path / _SUMMARY
    try:
        summary = authored.parse_json(authored.read_bytes(path))
    except (OSError, ValueError) as error:
        return [f"{_SUMMARY} cannot be read: {error}; the same command writes it again"]
    summary = summary if isinstance(summary, dict) else {}
    done, total, left = summary.get("tasks_done"), summary.get("tasks_total"), summary.get("open")
    found = [f"{done} of {total} tasks are done"] if done is None or done != total else []
    return found + ([f"{counted(len(left), 'episode', _BE)} open"] if isinstance(left, list) and left else [])


def _once(submission: Submission) -> list[str]:
    """One verdict for each graph. An author's run may measure its best passes again; an evaluation never does."""
    found = _named(submission.run.repeated(), "graph", _HAVE, "several records")
    if submission.agent:
        return found
    return found + _named(submission.run.judged_again, "graph", _WERE, "judged again after a verdict")


def _tamper_proof(submission: Submission) -> list[str]:
    run = submission.run
    open_ones = [graph.name for graph in run.graphs if not graph.tamper_proof]
    # A record without a sandbox that says it is tamper-proof contradicts itself, and was refused.
    return _named(open_ones, "record", _BE, "not tamper-proof")


def _environment(submission: Submission) -> list[str]:
    run, machine = submission.run, submission.run.environment
    if machine is None:
        return ["environment.json is missing or unreadable"]
    needed = (*_NEEDED, "gpu") if run.settings.get("device") == "cuda" else _NEEDED
    found = [f"environment.json does not say {name!r}" for name in needed if text_of(machine.get(name)) is None]
    revision = text_of(machine.get("revision"))
    if revision is not None and revision.endswith("+dirty"):
        found.append(f"revision {revision}: measured by code with changes that are not committed")
    same = run.settings.get("machine")
    different = [key for key in same if same[key] != machine.get(key)] if isinstance(same, dict) else []
    return found + ([f"settings.json and environment.json differ in {', '.join(different)}"] if different else [])


def _protocol(submission: Submission) -> list[str]:
    run = submission.run
    try:
        protocol = Protocol.model_validate(dict(run.protocol))
    except ValidationError as error:
        return [f"settings.json holds no protocol of this version: {error.errors()[0]['msg']}"]
    found = [f"the protocol is {protocol.preset!r}, expected 'direct'"] if protocol.preset != "direct" else []
    found += _weaker_settings(run)
    # What was written had fewer settings where the protocol has got more since.
    written = hashlib.sha256(json.dumps(run.protocol, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()
    known = (protocol.content_hash, written[: len(protocol.content_hash)])
    others = Counter(graph.protocol_hash for graph in run.graphs if graph.protocol_hash not in known)
    if others:
        found.append(f"{counted(others.total(), 'record', _BE)} of another protocol than settings.json")
    for name in ("compiler", "device"):
        strange = [graph.name for graph in run.graphs if getattr(graph, name) != run.settings.get(name)]
        found += _named(strange, "record", _BE, f"of another {name} than settings.json")
    return found


def _weaker_settings(run: RecordedRun) -> list[str]:
    other = [str(setting) for setting in other_settings(run) if setting.weaker]
    more = f"; and {len(other) - _NAMED} more" if len(other) > _NAMED else ""
    return [f"settings prove less than those of today's 'direct': {'; '.join(other[:_NAMED])}{more}"] if other else []


def _precision(submission: Submission) -> list[str]:
    protocol = submission.run.protocol
    precision = protocol.get("precision")
    if not isinstance(precision, float | int) or isinstance(precision, bool):
        return ["the protocol does not say its precision"]
    found = []
    if precision > WIDEST_PRECISION:
        found.append(f"precision {precision:g}, expected at most {WIDEST_PRECISION:g}")
    if protocol.get("question", "width") != "width":
        found.append("measured until a question was decided, not until the interval was narrow")
    graphs = submission.run.graphs
    looks = [graph.name for graph in graphs if graph.ended == "decided"]
    found += _named(looks, "graph", _WERE, "measured only until a question was decided")
    other = [graph.name for graph in graphs if graph.precision not in (None, precision)]
    return found + _named(other, "graph", _WERE, "measured at another precision")


def _verdicts(submission: Submission) -> list[str]:
    """Outcomes of the machine. Failures of eager are the graph's, and no row is without them."""
    counts: Counter[Outcome] = Counter()
    for graph in submission.run.graphs:
        if OUTCOME_RULES[graph.outcome].owner is Owner.HARNESS:
            counts[graph.outcome] += 1
    return [f"{counted(n, 'graph', _BE)} {outcome}: the same command tries again" for outcome, n in counts.items()]


def _hashes(submission: Submission) -> list[str]:
    """One pass set for each task, and passes and graphs as they lie here are those that were judged."""
    run, tasks = submission.run, submission.tasks
    by_task: dict[str, set[str | None]] = {}
    for graph in run.graphs:
        by_task.setdefault(graph.task, set()).add(graph.pass_set_hash)
    several = [task for task, hashes in by_task.items() if len(hashes) > 1]
    found = _named(several, "task", _HAVE, "records of several pass sets")
    if tasks is None:
        return found
    found += _other_graphs(run, tasks)
    one = {task: next(iter(hashes)) for task, hashes in by_task.items() if len(hashes) == 1}
    changed = [task for task in tasks.found if one.get(task) is not None and _passes_of(run, tasks, task) != one[task]]
    return found + _named(changed, "task", _HAVE, "other passes now than were judged")


def _other_graphs(run: RecordedRun, tasks: RunTasks) -> list[str]:
    now = {(task, name): graph for task, target in tasks.found.items() for name, _, graph in target.graphs}
    known = [graph for graph in run.graphs if graph.task in tasks.found]
    strange = [graph.name for graph in known if (graph.task, graph.graph) not in now]
    other = [
        graph.name
        for graph in known
        if (graph.task, graph.graph) in now and now[graph.task, graph.graph].content_hash != graph.graph_hash
    ]
    found = _named(strange, "record", _BE, "of graphs that their task does not have")
    return found + _named(other, "graph", _HAVE, "other content now")


def _passes_of(run: RecordedRun, tasks: RunTasks, task: str) -> str | None:
    """The hash of the passes as they lie here. None when there are none that can be read."""
    target = tasks.found[task]
    authored_ones = run.path / "tasks" / place_of(task) / _PASSES
    directory = authored_ones if authored_ones.is_dir() else target.pass_dir
    if directory is None:
        return None
    try:
        return read_pass_set(directory, target.const_pass_dir).content_hash
    except UsageError:
        return None


def _named(names: Sequence[str], word: str, verb: tuple[str, str], what: str) -> list[str]:
    """A sentence with the number of names and the first ones. None of no names."""
    return [f"{counted(len(names), word, verb)} {what}, {_some(names)}"] if names else []


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(map(authored.one_line, names[:_NAMED]))
    return shown + (", ..." if len(names) > _NAMED else "")


RULES: Final = (
    SubmissionRule("complete", "every graph of every task of the run has a record", _complete, needs_tasks=True),
    SubmissionRule("finished", "no episode of an author is open", _finished),
    SubmissionRule("once", "each graph has one record, and was judged once", _once),
    SubmissionRule(
        "tamper-proof", "clock and verdict were outside the candidate, which ran in a sandbox", _tamper_proof
    ),
    SubmissionRule("environment", "the run says on what machine and by what code it was made", _environment),
    SubmissionRule(
        "protocol",
        "all records are of `direct` that proves no less than today's, and of the compiler and device of the settings",
        _protocol,
    ),
    SubmissionRule(
        "precision", f"intervals of {WIDEST_PRECISION:.0%} or less were asked for, and nothing ended sooner", _precision
    ),
    SubmissionRule("verdicts", "the machine failed at no graph", _verdicts),
    SubmissionRule("hashes", "passes and graphs are those that were judged", _hashes),
)
