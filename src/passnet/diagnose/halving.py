"""Finds a small range of operators that still shows a trouble, by halving and then by moving its borders. No torch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Range = tuple[int, int]
# Whether a range shows the trouble: the range that was really tried, which may be a little wider. None: it does not.
Probe = Callable[[Range], Range | None]


@dataclass
class Halving:
    """A search over half-open ranges. `best` is the smallest known range that shows the trouble, at any time.

    At the end neither half of `best` shows it. Where the trouble only grows with the range, no border can be moved.
    """

    probe: Probe
    best: Range
    _tried: set[Range] = field(default_factory=set)

    def run(self) -> Range:
        """Search to the end. Whatever the probe raises goes on, and `best` is valid then too."""
        while _width(self.best) > 1 and (self._halve() or self._move_end() or self._move_start()):
            pass
        return self.best

    def _tries(self, start: int, end: int) -> bool:
        if (start, end) in self._tried:
            return False
        self._tried.add((start, end))
        found = self.probe((start, end))
        if found is None or _width(found) >= _width(self.best):
            return False
        self.best = found
        return True

    def _halve(self) -> bool:
        start, end = self.best
        middle = (start + end) // 2
        return self._tries(start, middle) or self._tries(middle, end)

    def _move_end(self) -> bool:
        """The first end at which the range from the present start shows it, where that is monotone."""
        before = self.best
        without, shown = self.best[0], self.best[1]
        while shown - without > 1:
            middle = (without + shown) // 2
            if self._tries(self.best[0], middle):
                shown = min(middle, self.best[1])
            else:
                without = middle
        return self.best != before

    def _move_start(self) -> bool:
        before = self.best
        shown, without = self.best
        while without - shown > 1:
            middle = (without + shown) // 2
            if self._tries(middle, self.best[1]):
                shown = max(middle, self.best[0])
            else:
                without = middle
        return self.best != before


def _width(found: Range) -> int:
    return found[1] - found[0]
