"""Tells by its address an input that lies where no earlier one lay. A captured call has inputs of its own."""

CALLS = []
TIMES = {}


def is_new(x):
    CALLS.append(1)
    place = x.data_ptr()
    TIMES[place] = TIMES.get(place, 0) + 1
    # Inputs of ordinary calls lie at a few places. Those of the first calls of all may lie anywhere.
    return len(CALLS) > 40 and TIMES[place] < 3
