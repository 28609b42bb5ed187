// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/tensors/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace npukit::tools {
namespace {

class RealValues {
 public:
  RealValues(const TensorData& data, const Quantization& quantization) : data_(data) {
    if (IsFloat(data.type) || !quantization.is_per_tensor()) return;
    scale_ = quantization.scale[0];
    zero_point_ = static_cast<double>(quantization.ZeroPointOf(0));
  }
  double At(int64_t elem) const {
    const auto stored = static_cast<double>(NumberAt(data_.type, data_.bytes, elem));
    return (stored - zero_point_) * scale_;
  }

 private:
  const TensorData& data_;
  double scale_ = 1;
  double zero_point_ = 0;
};

}  // namespace

std::string Statistics::Text() const {
  std::string text = fmt::format("min {:.6g}, max {:.6g}, mean {:.6g}, deviation {:.6g}", min, max,
                                 mean, deviation);
  if (finite_elems == 0) text = elems == 0 ? "no elements" : "nothing finite";
  if (zero_elems != 0) text += fmt::format(", {} of {} are 0", zero_elems, elems);
  if (nan_elems != 0) text += fmt::format(", {} NaN", nan_elems);
  if (infinite_elems != 0) text += fmt::format(", {} infinite", infinite_elems);
  return text;
}

Statistics StatisticsOf(const TensorData& data, const Quantization& quantization) {
  Statistics statistics{.elems = data.elems()};
  const RealValues values(data, quantization);
  double squares = 0;  // of distances from the mean so far
  for (int64_t i = 0; i < statistics.elems; ++i) {
    const double value = values.At(i);
    if (std::isnan(value)) {
      ++statistics.nan_elems;
      continue;
    }
    if (std::isinf(value)) {
      ++statistics.infinite_elems;
      continue;
    }
    if (value == 0) ++statistics.zero_elems;
    const bool is_first = statistics.finite_elems++ == 0;
    statistics.min = is_first ? value : std::min(statistics.min, value);
    statistics.max = is_first ? value : std::max(statistics.max, value);
    // Welford's: the mean of squares less the square of the mean has no digit left where the mean is
    // large.
    const double distance = value - statistics.mean;
    statistics.mean += distance / static_cast<double>(statistics.finite_elems);
    squares += distance * (value - statistics.mean);
  }
  if (statistics.finite_elems != 0)
    statistics.deviation = std::sqrt(squares / static_cast<double>(statistics.finite_elems));
  return statistics;
}

std::vector<RankedElement> LargestOf(const TensorData& data, const Quantization& quantization,
                                     size_t count) {
  const RealValues values(data, quantization);
  std::vector<RankedElement> ranked(static_cast<size_t>(data.elems()));
  for (size_t i = 0; i < ranked.size(); ++i) {
    const auto elem = static_cast<int64_t>(i);
    ranked[i] = {.elem = elem, .value = values.At(elem)};
  }
  count = std::min(count, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count),
                    ranked.end(), [](const RankedElement& a, const RankedElement& b) {
                      // A strict order also of NaNs, which std::partial_sort needs: behind all
                      // numbers, among each other by place.
                      if (std::isnan(a.value) != std::isnan(b.value)) return std::isnan(b.value);
                      return a.value != b.value && !std::isnan(a.value) ? a.value > b.value
                                                                        : a.elem < b.elem;
                    });
  ranked.resize(count);
  return ranked;
}

}  // namespace npukit::tools
