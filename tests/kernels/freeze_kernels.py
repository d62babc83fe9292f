"""Wrappers for the tests of frozen calls: some that can be replayed, and one for each reason why a wrapper cannot."""

from __future__ import annotations

import functools
import math
import random
import time

import torch

from passnet.kernels import cpp

SOURCE = """
#include <cstdint>
extern "C" void scale(const float* x, const float* w, float* out, int64_t count, float factor) {
  for (int64_t i = 0; i < count; ++i) out[i] = x[i] * w[i] * factor;
}
extern "C" void add_to(const float* x, float* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] += x[i];
}
extern "C" void gather(const float* table, const int64_t* rows, float* out, int64_t count, int64_t width) {
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < width; ++j) out[i * width + j] = table[rows[i] * width + j];
}
extern "C" void half(const float* x, float* out, int64_t count) {
  for (int64_t i = 0; i < count; i += 2) out[i] = x[i];
}
extern "C" void maybe_added(const float* x, const float* more, float* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = x[i] + (more ? more[i] : 1.0f);
}
extern "C" float first(const float* x) { return x[0]; }
"""


@functools.cache
def library():
    return cpp(SOURCE)


COUNTS, LOG, PLANS, KEPT = [0], [], {}, torch.zeros(8, 8)
TOTAL = 0


def scaled(x, w, factor=2.0):
    out = torch.empty_like(x)
    library().scale(x, w, out, x.numel(), factor)
    return out


# --- wrappers that can be replayed: (x, w) -> tensors --------------------------------------------------------


def one_kernel(x, w):
    return scaled(x, w)


def two_kernels(x, w):
    out = scaled(x, w)
    library().add_to(x, out, x.numel())
    return out


def tuple_of_one(x, w):
    return (scaled(x, w),)


def list_of_two(x, w):
    return [scaled(x, w), scaled(w, x, 3.0)]


def halves_of_one_room(x, w):
    both = torch.empty((2, *x.shape))
    library().scale(x, w, both[0], x.numel(), 1.0)
    library().scale(x, x, both[1], x.numel(), 1.0)
    return both.unbind(0)


def reshaped(x, w):
    out = torch.empty(x.numel())
    library().scale(x.reshape(-1), w.view(-1), out, x.numel(), math.sqrt(4.0))
    return out.view(x.shape)


def transposed_result(x, w):
    return scaled(x, w).t()


def from_zeros(x, w):
    out = torch.zeros(x.shape, dtype=x.dtype, device=x.device)
    library().add_to(x, out, x.numel())
    library().add_to(torch.full_like(w, 0.5), out, x.numel())
    return out


def cleared_part(x, w):
    out = torch.ones_like(x)
    out[0].zero_()
    out[1].fill_(0.25)
    library().add_to(w, out, x.numel())
    return out


def laid_out_anew(x, w):
    return scaled(x.t().contiguous(), w)


def part_of_an_input(x, w):
    out = torch.empty(x.shape[1])
    library().scale(x[2], w[3], out, out.numel(), 1.0)
    return out


def plans_by_shape(x, w):
    plan = PLANS.get(x.shape)
    if plan is None:
        plan = PLANS[x.shape] = (x.numel(), 2.0)
    out = torch.empty_like(x)
    library().scale(x, w, out, *plan)
    return out


def changes_its_input(x, w):
    library().add_to(w, x, x.numel())
    return scaled(x, w)


def only_a_view(x, w):
    return x.view(-1)[4:]


def gives_its_input_back(x, w):
    return x, scaled(x, w)


def local_containers(x, w):
    sizes = []
    for size in x.shape:
        sizes.append(size)
    out = torch.empty(tuple(sizes))
    library().scale(x, w, out, math.prod(sizes), 2.0)
    return out


def without_gradient(x, w):
    with torch.no_grad():
        return scaled(x, w)


def null_pointer(x, w):
    out = torch.empty_like(x)
    library().maybe_added(x, None, out, x.numel())
    return out


REPLAYED = (
    one_kernel, null_pointer, two_kernels, tuple_of_one, list_of_two, halves_of_one_room, reshaped, transposed_result,
    from_zeros, cleared_part, laid_out_anew, part_of_an_input, plans_by_shape, changes_its_input, only_a_view,
    gives_its_input_back, local_containers, without_gradient,
)  # fmt: skip


# --- wrappers that cannot, each for its own reason -----------------------------------------------------------


def reads_item(x, w):
    return scaled(x, w, x[0, 0].item())


def decides_by_value(x, w):
    return scaled(x, w) if x[0, 0] > 0 else scaled(w, x)


def catches_everything(x, w):
    try:
        factor = float(x[0, 0])
    except Exception:  # noqa: BLE001 - which hides the refusal, too
        factor = 1.0
    return scaled(x, w, factor)


def reads_list(x, w):
    return scaled(x, w, x.tolist()[0][0])


def reads_numpy(x, w):
    return scaled(x, w, float(x.numpy()[0, 0]))


def reads_address(x, w):
    return scaled(x, w, 2.0 if x.data_ptr() % 16 else 1.0)


def reads_storage(x, w):
    return scaled(x, w, float(x.untyped_storage().nbytes()))


def reads_returned_number(x, w):
    return scaled(x, w, library().first(x))


def computes_with_torch(x, w):
    return torch.relu(scaled(x, w))


def copies_with_torch(x, w):
    return torch.empty_like(x).copy_(x)


def reads_where_it_begins(x, w):
    return scaled(x, w), x.as_strided((1,), (1,), x.storage_offset() + 1)


def fills_its_input(x, w):
    x.zero_()
    return scaled(x, w)


def uses_a_kept_tensor(x, w):
    library().scale(x, w, KEPT, x.numel(), 1.0)
    return KEPT


def counts_calls(x, w):
    COUNTS[0] += 1
    return scaled(x, w)


def keeps_a_log(x, w):
    LOG.append(x.shape)
    return scaled(x, w)


def sets_a_global(x, w):
    global TOTAL
    TOTAL += 1
    return scaled(x, w)


def asks_the_clock(x, w):
    return scaled(x, w, time.time())


def draws_a_number(x, w):
    return scaled(x, w, random.random())


def prints(x, w):
    print(end="")  # noqa: T201
    return scaled(x, w)


def sets_the_seed(x, w):
    torch.manual_seed(0)
    return scaled(x, w)


def sets_threads(x, w):
    torch.set_num_threads(1)
    return scaled(x, w)


def draws_random_tensors(x, w):
    return scaled(x, torch.rand_like(x))


def returns_a_number(x, w):
    return 3


def raises(x, w):
    raise ValueError("no such shape")


def leaves_elements_unwritten(x, w):
    out = torch.empty_like(x)
    library().half(x, out, x.numel())
    return out


REFUSED = {
    reads_item: "reads a value of a tensor",
    decides_by_value: "calls aten.gt",
    catches_everything: "reads a value of a tensor",
    reads_list: "reads tolist",
    reads_numpy: "reads numpy",
    reads_address: "reads data_ptr",
    reads_storage: "reads untyped_storage",
    reads_where_it_begins: "reads storage_offset",
    reads_returned_number: "first returns a number",
    computes_with_torch: "calls aten.relu",
    copies_with_torch: "calls aten.copy_",
    fills_its_input: "fills an argument",
    uses_a_kept_tensor: "neither an argument nor allocated",
    counts_calls: "changes COUNTS[0]",
    keeps_a_log: "changes LOG",
    sets_a_global: "changes TOTAL",
    asks_the_clock: "calls time.time",
    draws_a_number: "calls Random.random",
    prints: "calls print",
    sets_the_seed: "calls torch",
    sets_threads: "calls torch.set_num_threads",
    draws_random_tensors: "calls aten.rand_like",
    returns_a_number: "returns a int",
    raises: "raises ValueError: no such shape",
}
