// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/tensors/comparison.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "sdk/host/model/graph/tensor.h"

namespace npukit::tools {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// In the numbers' own precision: integers of 64 bits too.
double DistanceOf(long double a, long double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const long double distance = std::fabs(a - b);
  return std::isnan(distance) ? kInfinity : static_cast<double>(distance);
}

}  // namespace

litert::Expected<Comparison> CompareTensors(const TensorData& a, const TensorData& b,
                                            const Bounds& bounds, size_t max_listed) {
  const auto wrong = [](std::string message) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, std::move(message));
  };
  for (const TensorData* data : {&a, &b}) {
    if (!IsNumber(data->type))
      return wrong(fmt::format("{} can't be compared as numbers", ElementTypeName(data->type)));
  }
  if (a.shape != b.shape)
    return wrong(fmt::format("{} and {} have other shapes", a.TypeText(), b.TypeText()));
  Comparison result{.elems = a.elems()};
  double squares = 0;
  for (int64_t i = 0; i < result.elems; ++i) {
    const long double x = NumberAt(a.type, a.bytes, i);
    const long double y = NumberAt(b.type, b.bytes, i);
    const double distance = DistanceOf(x, y);
    if (distance == 0) continue;
    ++result.differing_elems;
    squares += distance * distance;
    const auto size = static_cast<double>(std::fabs(x));
    const double relative = std::isfinite(distance) && size > 0 ? distance / size : kInfinity;
    if (distance > result.max_abs) {
      result.max_abs = distance;
      result.max_abs_elem = i;
    }
    if (relative > result.max_rel) {
      result.max_rel = relative;
      result.max_rel_elem = i;
    }
    if (distance <= bounds.max_abs + bounds.max_rel * size && std::isfinite(distance)) continue;
    ++result.outside_elems;
    if (result.outside.size() < max_listed) {
      result.outside.push_back(
          {.elem = i, .a = static_cast<double>(x), .b = static_cast<double>(y)});
    }
  }
  if (result.elems != 0) result.mse = squares / static_cast<double>(result.elems);
  return result;
}

std::vector<int64_t> PositionOf(int64_t elem, const std::vector<int64_t>& shape) {
  std::vector<int64_t> position(shape.size());
  for (size_t i = shape.size(); i-- > 0; elem /= shape[i]) position[i] = elem % shape[i];
  return position;
}

}  // namespace npukit::tools
