// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/graph/quant_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "conformance/spec/graph/element_limits.h"
#include "conformance/spec/text/schema.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance {
namespace {

// {scales_tensor, zero_points_tensor, block_size}.
litert::Expected<QuantSpec> ReadBlockwise(MapReader& map, const Value& scales) {
  QuantSpec quant;
  LITERT_ASSIGN_OR_RETURN(quant.scales_tensor, ReadString(scales));
  if (const Value* zero_points = map.Optional("zero_points_tensor"); zero_points != nullptr) {
    LITERT_ASSIGN_OR_RETURN(quant.zero_points_tensor, ReadString(*zero_points));
  }
  LITERT_ASSIGN_OR_RETURN(const Value* size, map.Required("block_size"));
  LITERT_ASSIGN_OR_RETURN(const int64_t elems, ReadInteger(*size, 1, kMaxDimension));
  quant.block_size_elems = static_cast<int32_t>(elems);
  LITERT_RETURN_IF_ERROR(map.Finish());
  return quant;
}

litert::Expected<std::vector<int64_t>> ReadZeroPoints(MapReader& map) {
  if (const Value* one = map.Optional("zero_point"); one != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const int64_t number, ReadInteger(*one));
    return std::vector<int64_t>{number};
  }
  const Value* list = map.Optional("zero_points");
  if (list == nullptr) return std::vector<int64_t>();
  return ReadIntegers(*list, std::numeric_limits<int64_t>::min(),
                      std::numeric_limits<int64_t>::max());
}

}  // namespace

litert::Expected<QuantSpec> ReadQuant(const Value& value) {
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "a quantisation"));
  if (const Value* tensor = map.Optional("scales_tensor"); tensor != nullptr)
    return ReadBlockwise(map, *tensor);
  QuantSpec quant;
  const Value* scale = map.Optional("scale");
  const Value* scales = map.Optional("scales");
  if ((scale == nullptr) == (scales == nullptr)) {
    return SpecError(value.at, "a quantisation needs one of 'scale', 'scales' and 'scales_tensor'");
  }
  std::vector<double> numbers;
  if (scale != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const double number, ReadNumber(*scale, /*allow_special=*/true));
    numbers.push_back(number);
  } else {
    LITERT_ASSIGN_OR_RETURN(numbers, ReadNumbers(*scales, /*allow_special=*/true));
    if (numbers.empty()) return SpecError(scales->at, "'scales' has none");
  }
  for (double number : numbers) quant.scales.push_back(static_cast<float>(number));
  LITERT_ASSIGN_OR_RETURN(quant.zero_points, ReadZeroPoints(map));
  if (const Value* axis = map.Optional("axis"); axis != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const int64_t number, ReadInteger(*axis, 0, kMaxRank - 1));
    quant.axis = static_cast<int32_t>(number);
  }
  LITERT_RETURN_IF_ERROR(map.Finish());
  if (scales != nullptr && !quant.axis) return SpecError(value.at, "'scales' need an 'axis'");
  return quant;
}

litert::Expected<void> CheckQuant(const QuantSpec& quant, LiteRtElementType type,
                                  const std::string& tensor) {
  for (const float scale : quant.scales) {
    if (std::isfinite(scale) && scale > 0) continue;
    return SpecError(quant.at,
                     fmt::format("tensor '{}': expected a scale above 0, found {}", tensor, scale));
  }
  if (IsFloat(type)) return {};
  const auto [low, high] = TypeLimits(type);
  for (const int64_t zero_point : quant.zero_points) {
    const auto number = static_cast<double>(zero_point);
    if (number >= low && number <= high) continue;
    return SpecError(
        quant.at, fmt::format("tensor '{}': expected a zero point from {} to {} for {}, found {}",
                              tensor, low, high, ElementTypeName(type), zero_point));
  }
  return {};
}

}  // namespace npukit::conformance
