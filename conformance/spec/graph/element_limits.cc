// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/graph/element_limits.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "conformance/spec/text/schema.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance {

bool IsFloat(LiteRtElementType type) {
  return type == kLiteRtElementTypeFloat32 || type == kLiteRtElementTypeFloat64 ||
         type == kLiteRtElementTypeFloat16 || type == kLiteRtElementTypeBFloat16;
}

std::pair<double, double> TypeLimits(LiteRtElementType type) {
  switch (type) {
    case kLiteRtElementTypeBool:
      return {0, 1};
    case kLiteRtElementTypeInt2:
    case kLiteRtElementTypeInt4:
    case kLiteRtElementTypeInt8:
    case kLiteRtElementTypeUInt8:
    case kLiteRtElementTypeInt16:
    case kLiteRtElementTypeInt32: {
      const kernels::IntegerRange range = kernels::RangeOf(type);
      return {range.min, range.max};
    }
    case kLiteRtElementTypeUInt16:
      return {0, 65535};
    case kLiteRtElementTypeUInt32:
      return {0, std::numeric_limits<uint32_t>::max()};
    case kLiteRtElementTypeUInt64:
      return {0, 0x1p53};
    default:
      return {-0x1p53, 0x1p53};
  }
}

litert::Expected<void> CheckElements(const Value& list, LiteRtElementType type) {
  if (IsFloat(type)) return {};
  const auto [low, high] = TypeLimits(type);
  for (const Value& item : list.items) {
    LITERT_ASSIGN_OR_RETURN(const double number, ReadNumber(item, /*allow_special=*/true));
    if (number >= low && number <= high && number == std::floor(number)) continue;
    return SpecError(item.at, fmt::format("expected a whole number from {} to {} for {}, found {}",
                                          low, high, ElementTypeName(type), number));
  }
  return {};
}

}  // namespace npukit::conformance
