"""The tables from which the inputs of calls are drawn, and the secret keys that decide them.

Each distribution has a table per input. It holds sorted values between which floats are drawn, or values of which
one is picked. The graph's own input policy makes all of them. A key decides each element. There is one key per
call, drawn when the call is due.

So no call's inputs are another call's inputs, moved or patched. No inputs exist before their call is due.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.beside import Beside
from passnet.bench.draws.content.input_source import SAMPLES, InputSource
from passnet.bench.draws.content.row_content import rows_of, uneven_rows
from passnet.bench.draws.content.stored_content import altered_content, between_stored, is_drawn
from passnet.bench.draws.usual.met_numbers import leaving_out, meeting_them, met_numbers
from passnet.bench.draws.usual.ordered_bounds import in_order
from passnet.bench.draws.usual.searched_order import in_search_order
from passnet.bench.draws.usual.told_apart import told_apart
from passnet.bench.wire.generator import Draw, DrawnRow, draw_some, drawer
from passnet.bench.wire.shared_buffers import SharedBuffers, SourceLayout, TensorLayout
from passnet.graph import Graph, TensorSpec
from passnet.graph.tensors.measure import dtype_name
from passnet.graph.values.inputs import even_integers, hardened, row_structures
from passnet.graph.values.left_out import labels_left_out, with_classes_alone
from passnet.graph.values.open_marks import with_open_marks
from passnet.graph.values.roles import roles_of

if TYPE_CHECKING:
    from passnet.bench.compare.well_slices import Judged
    from passnet.graph import Distribution

# An input that is never drawn is written once if it is larger than this. A smaller one is written before every call.
_HELD_BYTES = 1 << 20
_ALIGN = 64
# An order of timed draws holds each so often, so that every block has about as many of each.
_TURNS = 2


@dataclass(frozen=True)
class Key:
    """The source of one call's inputs: which draw's tables, and two secret words."""

    draw: int
    words: tuple[int, int]


@dataclass(frozen=True)
class OwnInputs:
    """The values of one real call, for judging on those. `rollable`: the inputs that may change between calls."""

    tensors: tuple[torch.Tensor, ...]
    rollable: tuple[bool, ...]


@dataclass
class SecretInputs:
    """The controller's draws for one graph on one device, and the secret from which its keys follow.

    `timed`: the draws whose values are drawn anew in every call. Timed calls use these. Where numbers are stored, the
    first draw is not one of them: it has these numbers as they are.
    `hard`: the draws that are compared by other criteria.
    `altered`: one of the hard draws, in which all stored content is drawn too, from its own values.
    `siblings`: for a hard draw the ones in which one place is hard, and all others are ordinary.
    `careful`: draws that become siblings where eager survives them, see `careful`.
    `judged`: for each of those that did, the outputs that are compared. `unclear`: outputs that are not.
    `maker`: makes siblings and careful draws. None where there are none.
    """

    like: list[torch.Tensor]
    draws: list[list[InputSource]]
    device: str
    rng: random.Random
    timed: tuple[int, ...]
    hard: frozenset[int] = frozenset()
    altered: int | None = None
    siblings: dict[int, tuple[int, ...]] = field(default_factory=dict)
    careful: tuple[int, ...] = ()
    judged: dict[int, Judged] = field(default_factory=dict)
    unclear: dict[int, frozenset[int]] = field(default_factory=dict)
    maker: Beside | None = None
    _secret: bytes = field(repr=False, default=b"")
    _keys: int = 0
    _due: list[int] = field(default_factory=list, repr=False)
    _drawers: dict[int, Draw] = field(default_factory=dict, repr=False)
    _out: list[torch.Tensor] = field(default_factory=list, repr=False)

    @classmethod
    def draw(
        cls, graph: Graph, device: str, seed: int, distributions: Sequence[Distribution], *, hard: int = 0
    ) -> SecretInputs:
        """One draw per distribution. The last `hard` of them are only compared, because rows of a mask may hide all or
        nothing in them. In the others each input has these distributions in an order of its own: one input says nothing
        of the distribution of the next. What must have no equal numbers, see `distinct`, has none there.

        Stored floats are drawn from between their own values, because what follows from them would be the same in every
        call. One draw more has them as they are. Integers meet the numbers with which the graph compares them in every
        draw. Other stored content keeps its place. If anything is stored and `hard` is not 0, one more draw alters it,
        what is constant too. After these come the siblings of hard draws.
        """
        left_out = labels_left_out(graph)
        rng, graph = random.Random(seed), with_open_marks(with_classes_alone(graph))
        structures = row_structures(graph)
        rows, roles = rows_of(graph, structures), roles_of(graph.program, graph.specs)
        names = list(distributions)
        met = met_numbers(graph, random.Random(seed))
        drawn = [each.literal and is_drawn(spec) for each, spec in zip(structures, graph.specs, strict=True)]
        if any(drawn):
            names.insert(0, names[0])
        draws = []
        for number, name in enumerate(names):
            samples = _samples(graph, rng, name)
            if number >= len(names) - hard:
                structured = uneven_rows(graph, name, samples)
            else:
                structured = rows_of(graph, row_structures(graph, name))
            made: list[InputSource] = []
            even = even_integers(graph, name)
            known = zip(graph.specs, structures, drawn, samples, structured, strict=True)
            for spec, each, draws_own, values, row in known:
                if draws_own and number:
                    made.append(between_stored(values, roles[len(made)]))
                elif each.literal:
                    made.append(InputSource.of_content(values, held=False))
                else:
                    own = _drawn(spec, values, row, even.get(len(made)))
                    own = meeting_them(own, met.get(len(made)))
                    made.append(leaving_out(own, spec, left_out.get(len(made))))
            draws.append(made)
        like = [torch.empty(spec.shape, dtype=getattr(torch, spec.dtype), device="meta") for spec in graph.specs]
        easy, altered = len(draws) - hard, None
        if hard and any(each.literal for each in structures):
            altered = len(draws)
            draws.append(altered_content(graph, structures, _samples(graph, rng), rows))
        compared = frozenset(range(easy, len(draws)))
        timed = tuple(range(1 if any(drawn) else 0, easy))
        plain = in_search_order(graph, in_order(graph, draws[timed[0]]))
        for index in sorted(hardened(graph))[1:] if len(timed) > 1 else ():
            column = [draws[number][index] for number in timed]
            for number, source in zip(timed, rng.sample(column, len(column)), strict=True):
                draws[number][index] = source
        draws = [told_apart(graph, each) if number in timed else each for number, each in enumerate(draws)]
        draws = [in_search_order(graph, in_order(graph, each)) for each in draws]
        given = cls(like, draws, device, rng, timed, compared, altered, _secret=_secret(rng))
        if hard:
            given.maker = Beside(graph, structures, names[easy:], draws[easy : easy + hard], plain, rng.getrandbits(48))
            given.rest_on(timed)
        return given

    @classmethod
    def own(cls, inputs: OwnInputs, seed: int, device: str, mutated: frozenset[int]) -> SecretInputs:
        """Two draws of the same values: one as they are, and one drawn from them where they may change."""
        exact, drawn = [], []
        for index, (tensor, rolls) in enumerate(zip(inputs.tensors, inputs.rollable, strict=True)):
            held = not rolls and tensor.nbytes > _HELD_BYTES and index not in mutated
            exact.append(InputSource.of_content(tensor, held=held))
            drawn.append(InputSource.of_values(tensor) if rolls and tensor.numel() > 1 else exact[-1])
        rng = random.Random(seed)
        like = [torch.empty(tensor.shape, dtype=tensor.dtype, device="meta") for tensor in inputs.tensors]
        return cls(like, [exact, drawn], device, rng, (1,), _secret=_secret(rng))

    @property
    def same(self) -> tuple[int, ...]:
        """The inputs that are the same in every timed call."""
        return tuple(i for i in range(len(self.like)) if all(self.draws[draw][i].same for draw in self.timed))

    @property
    def beside(self) -> frozenset[int]:
        """The draws that are siblings of a hard one."""
        return frozenset(draw for draws in self.siblings.values() for draw in draws)

    @property
    def alone(self) -> tuple[int, ...]:
        """All other draws."""
        return tuple(draw for draw in range(len(self.draws)) if draw not in self.beside and draw not in self.careful)

    def is_hard(self, draw: int) -> bool:
        """Whether calls of this draw are compared by other criteria."""
        return draw in self.hard or draw in self.beside or draw in self.careful

    def is_rough(self, draw: int) -> bool:
        """Whether it is enough that eager knows the first digits on a draw. Where rows have sizes of their own, logits
        of hundreds differ by what eager rounds. So does what is left of bytes beside their mean.
        """
        return any(source.sizes or source.roughly for source in self.draws[draw])

    def rest_on(self, backgrounds: Sequence[int], telling: Sequence[int] | None = None) -> None:
        """Make siblings and careful draws whose ordinary elements are those of these timed draws, in turn. `telling`:
        the hard draws on which eager says something.
        """
        if self.maker is None:
            return
        del self.draws[1 + max((*self.timed, *self.hard)) :]
        self._drawers.clear()
        usual = [self.draws[draw] for draw in backgrounds]
        parents = sorted(self.hard - {self.altered})
        numbers = None if telling is None else [parents.index(draw) for draw in telling if draw in parents]
        for parent, beside in zip(parents, self.maker.siblings(usual, numbers), strict=True):
            self.siblings[parent] = tuple(range(len(self.draws), len(self.draws) + len(beside)))
            self.draws += beside
        made, unclear = self.maker.careful(usual)
        self.careful = tuple(range(len(self.draws), len(self.draws) + len(made)))
        self.unclear = {self.careful[number]: outputs for number, outputs in unclear.items()}
        self.draws += made

    def make_plain(self, careful: Sequence[int]) -> Sequence[int]:
        """Give these careful draws a background that is normal in all inputs. Returns those that have it now."""
        if self.maker is None or not careful:
            return ()
        made, unclear = self.maker.careful([self.maker.plain], ordinary=True)
        if len(made) != len(self.careful):  # a scale decides whether there is such a draw at all
            return ()
        for draw in careful:
            number = self.careful.index(draw)
            self.draws[draw] = made[number]
            self.unclear[draw] = unclear.get(number, frozenset())
            self._drawers.pop(draw, None)
        return careful

    def survived(self, careful: Sequence[int], hosts: Sequence[int]) -> None:
        """These draws become siblings, of some draws in turn. Careful ones that do not go with `keep`, and so do the
        siblings of draws that go.
        """
        for number, draw in enumerate(careful):
            host = hosts[number % len(hosts)]
            beside = list(self.siblings.get(host, ()))
            beside.insert(self.rng.randint(0, len(beside)), draw)
            self.siblings[host] = tuple(beside)
        self.careful = tuple(draw for draw in self.careful if draw not in careful)

    def leave_out(self, beside: Collection[int]) -> None:
        """Go on without these siblings."""
        for parent, draws in self.siblings.items():
            self.siblings[parent] = tuple(draw for draw in draws if draw not in beside)

    def keep(self, useful: Sequence[int]) -> None:
        """Go on with some of the draws only, and with the siblings of these. If none of them is timed, all become
        timed.
        """
        useful = [*useful, *(draw for parent in useful for draw in self.siblings.get(parent, ()))]
        new = {old: number for number, old in enumerate(useful)}
        self.siblings = {
            new[old]: tuple(map(new.__getitem__, self.siblings[old])) for old in self.siblings if old in new
        }
        timed = tuple(new for new, old in enumerate(useful) if old in self.timed)
        self.careful = ()
        self.judged = {new[old]: outputs for old, outputs in self.judged.items() if old in new}
        self.draws = [self.draws[index] for index in useful]
        self.timed = timed or self.alone
        self.hard = frozenset(new for new, old in enumerate(useful) if old in self.hard)
        self.altered = next((new for new, old in enumerate(useful) if old == self.altered), None)
        self._drawers.clear()
        self._due.clear()

    def key(self, draw: int | None = None) -> Key:
        """A key that nobody could have known. It is of the given draw, or of a timed one."""
        self._keys += 1
        digest = hashlib.blake2b(self._keys.to_bytes(8, "little"), key=self._secret, digest_size=16).digest()
        words = (int.from_bytes(digest[:8], "little") >> 1, int.from_bytes(digest[8:], "little") >> 1)
        return Key(self._next_timed() if draw is None else draw, words)

    def _next_timed(self) -> int:
        """A timed draw. All come as often, in an order that nobody knows: who knew which is next would see at once that
        a call is none of the timed ones.
        """
        if not self._due:
            self._due = self.rng.sample([*self.timed] * _TURNS, len(self.timed) * _TURNS)
        return self._due.pop()

    def values(self, key: Key) -> list[torch.Tensor]:
        """The inputs that a call with this key reads, from the controller's own tables. The tensors are reused each
        time.
        """
        if key.draw not in self._drawers:
            filled = []
            for number, (out, source) in enumerate(zip(self._tensors(), self.draws[key.draw], strict=True)):
                if not source.held:
                    filled.append(source.filled(out, source.table.to(self.device), number))
            self._drawers[key.draw] = drawer(filled, self.device)
        self._drawers[key.draw](*key.words)
        return list(self._tensors())

    def some(self, key: Key, places: Sequence[Sequence[int]]) -> list[torch.Tensor]:
        """Of each input that a call with this key reads, the elements at these places. No others are drawn, so it takes
        no longer for a large input.
        """
        draw = list(zip(self.like, self.draws[key.draw], places, strict=True))
        outs = [each.table if each.held else torch.empty(like.shape, dtype=like.dtype) for like, each, _ in draw]
        drawn = [
            (each.filled(out, each.table.cpu(), number), at)
            for number, (out, (_, each, at)) in enumerate(zip(outs, draw, strict=True))
            if not each.held
        ]
        draw_some(drawn, key.words)
        return [out.reshape(-1)[list(at)].cpu() for out, (_, _, at) in zip(outs, draw, strict=True)]

    def _tensors(self) -> list[torch.Tensor]:
        if not self._out:
            self._out = [
                source.table.to(self.device).reshape(like.shape)
                if source.held
                else torch.empty_like(like, device=self.device)
                for like, source in zip(self.like, self.draws[0], strict=True)
            ]
        return self._out

    # --- what a worker gets of it ----------------------------------------------------------------------------

    def layout(self) -> tuple[tuple[tuple[SourceLayout, ...], ...], int]:
        """The place of each draw's tables, in bytes from their start, and how many bytes they take. Equal tables lie
        there once.
        """
        places: dict[int, TensorLayout] = {}
        end = 0
        rows = []
        draws = self._with_odd_sources()
        for draw in draws:
            row = []
            for number, source in enumerate(draw):
                table = source.table[:0] if source.held else source.table
                known = places.get(id(source.table))
                if known is None:
                    known = TensorLayout(tuple(table.shape), dtype_name(table.dtype), end, table.nbytes)
                    end += -(-max(table.nbytes, 1) // _ALIGN) * _ALIGN
                    places[id(source.table)] = known
                structure = astuple(source.row)
                odd = next((n for n, each in enumerate(draws) if each[number] is source.odd), None)
                at = (source.at.inner, source.at.size, source.at.most) if source.at else None
                sizes = (source.sizes.inner, source.sizes.least, source.sizes.span) if source.sizes else None
                lines = dataclasses.astuple(source.lines) if source.lines else None
                related = dataclasses.astuple(source.related) if source.related else None
                runs = dataclasses.astuple(source.runs) if source.runs else None
                names = dataclasses.astuple(source.names) if source.names else None
                how = (structure, source.held, odd, at, sizes, lines, related, runs, names)
                row.append(SourceLayout(int(source.kind), known, source.entries, *how))
            rows.append(tuple(row))
        return tuple(rows), end

    def _with_odd_sources(self) -> list[list[InputSource]]:
        """The draws, and behind them sources of odd elements that are in none of them. No call reads these alone."""
        rows = list(self.draws)
        for draw in self.draws:
            if any(s.odd and all(each[n] is not s.odd for each in rows) for n, s in enumerate(draw)):
                rows.append([source.odd or source for source in draw])
        return rows

    def write(self, buffers: SharedBuffers) -> None:
        """Write the tables, and the inputs that are held, into memory that has room for them."""
        if buffers.tables:
            for tables, draw in zip(buffers.tables, self._with_odd_sources(), strict=True):
                for target, source in zip(tables, draw, strict=True):
                    if not source.held:
                        target.copy_(source.table)
        for place in buffers.places:
            for target, source in zip(place, self.draws[0], strict=True):
                if source.held:
                    target.copy_(source.table.reshape(target.shape))


def _samples(graph: Graph, rng: random.Random, name: Distribution = "normal") -> list[torch.Tensor]:
    """As many values of each input as a table needs."""
    return graph.samples(rng.getrandbits(48), SAMPLES, distribution=name)


def _drawn(spec: TensorSpec, values: torch.Tensor, row: DrawnRow | None, ends: tuple[int, int] | None) -> InputSource:
    """An input that is drawn like these values. `ends`: those of integers of which one is as likely as another."""
    if ends is not None and ends[1] <= torch.iinfo(torch.int64).max:
        return InputSource.of_range(*ends, values.dtype, row)
    return InputSource.of_integers(values, row) if spec.is_integer else InputSource.of_values(values, row)


def _secret(rng: random.Random) -> bytes:
    return rng.getrandbits(256).to_bytes(32, "little")
