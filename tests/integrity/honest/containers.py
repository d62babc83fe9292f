"""The kernel looks rows up in maps, by number and by name, and shares them by counted pointers.

Graph: scale_gelu
Variant: large_scale_gelu
Unseen: right
Level: strict
"""

import textwrap
from collections import namedtuple

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

SOURCE = textwrap.dedent(r"""
    #include "passnet.h"
    #include <cinttypes>
    #include <list>
    #include <map>
    #include <memory>
    #include <optional>
    #include <set>
    #include <stdbool.h>
    #include <string_view>
    #include <unordered_map>
    #include <unordered_set>
    #include <variant>
    #include <vector>
    static std::optional<float> number(std::string_view name) {
      static constexpr std::string_view kKnown = "half one";
      if (name.empty() || kKnown.find(name) == std::string_view::npos) return std::nullopt;
      return name == "half" ? 0.5f : 1.0f;
    }
    struct Line { float weight, bias; };
    extern "C" void memory_bound_rows(const float* x, const float* w, const float* b, float* out, int64_t n,
                                      int64_t width) {
      std::unordered_map<std::string_view, float> named;
      for (std::string_view name : {"half", "one"}) named.emplace(name, number(name).value_or(0.0f));
      std::unordered_map<int64_t, std::shared_ptr<const Line>> lines;
      std::map<int64_t, int64_t> seen;
      std::unordered_set<int64_t> different;
      std::set<int64_t> even;
      std::list<int64_t> order;
      for (int64_t i = 0; i < width; ++i) {
        lines[i] = std::make_shared<Line>(Line{w[i], b[i]});
        ++seen[i & 7];
        different.insert(i & 15);
        if (i % 2 == 0) even.insert(i);
        order.push_back(i);
      }
      for (auto& [key, count] : seen) count -= key;
      seen.erase(3);
      even.erase(even.begin());
      order.sort();
      std::variant<float, Line> half = named["half"];
      const float h = std::get<float>(half), one = named.at("one");
      std::vector<std::shared_ptr<const Line>> flat;
      for (int64_t i : order) flat.push_back(lines.at(i));
      const bool whole = bool(different.size()) && seen.count(3) == 0;
      for (int64_t row = 0; whole && row < n; row += width)
        for (int64_t i = 0; i < width; ++i) {
          const float v = x[row + i] * flat[i]->weight + flat[i]->bias;
          out[row + i] = h * v * (one + std::erf(v * 0.70710678f));
        }
    }
""")
library = cpp(SOURCE)
Size = namedtuple("Size", "elements columns")


@torch.fx.wrap
def wrapper(x, w, b):
    size = Size(x.numel(), x.shape[-1])
    out = torch.empty_like(x)
    library.memory_bound_rows(x, w, b, out, size.elements, size.columns)
    return out


def replacement_func():
    return wrapper
