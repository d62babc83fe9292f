"""Mamba's discretisation on the CPU: exp(dt A) and dt B u in one walk over [batch, channel, time, state]."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
#include <vector>
using namespace passnet;

// decay: [channels, states]; step and u: [batch, channels, time] by their strides; gain: [batch, time, states].
template <class T>
void run(const float* decay, const T* step, const T* u, const T* gain, float* kept, float* added, int64_t batch,
         int64_t channels, int64_t time, int64_t states, int64_t step_b, int64_t step_c, int64_t step_t, int64_t u_b,
         int64_t u_c, int64_t u_t) {
  std::vector<float> rooms(time * states);
  for (int64_t b = 0; b < batch; ++b) {
    const float* gains = row_of(gain + b * time * states, rooms.data(), time * states);
    for (int64_t c = 0; c < channels; ++c) {
      const float* __restrict a = decay + c * states;
      for (int64_t t = 0; t < time; ++t, kept += states, added += states) {
        const float* __restrict g = gains + t * states;
        float* __restrict one = kept;
        float* __restrict two = added;
        float dt = float(step[b * step_b + c * step_c + t * step_t]);
        float drive = dt * float(u[b * u_b + c * u_c + t * u_t]);
        for (int64_t n = 0; n < states; ++n) {
          one[n] = passnet::exp(a[n] * dt);
          two[n] = drive * g[n];
        }
      }
    }
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const float* decay, const T* step, const T* u, const T* gain, float* kept, float* added,      \
                       int64_t batch, int64_t channels, int64_t time, int64_t states, int64_t step_b,                \
                       int64_t step_c, int64_t step_t, int64_t u_b, int64_t u_c, int64_t u_t) {                      \
    run(decay, step, u, gain, kept, added, batch, channels, time, states, step_b, step_c, step_t, u_b, u_c, u_t);    \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(decay, step, gain, u):
    kept = torch.exp(decay[None, :, None, :] * step[:, :, :, None])
    added = step[:, :, :, None] * gain[:, None, :, :].float()
    return kept, added * u[:, :, :, None].float()


def replacement_args(decay, step, gain, u):
    return (decay, step, gain, u)


@torch.fx.wrap
def discretise(decay, step, gain, u):
    b, c, t = step.shape
    states = decay.shape[1]
    if u.shape != (b, c, t) or gain.shape != (b, t, states):
        raise ValueError("step, u and gain must agree in batch, channels, time and states")
    if not (decay.is_contiguous() and gain.is_contiguous()):
        raise ValueError("decay and gain must be contiguous")
    kept = torch.empty((b, c, t, states), dtype=torch.float32, device=step.device)
    added = torch.empty_like(kept)
    KERNELS[step.dtype](decay, step, u, gain, kept, added, b, c, t, states, *step.stride(), *u.stride())
    return kept, added


def replacement_func():
    return discretise
