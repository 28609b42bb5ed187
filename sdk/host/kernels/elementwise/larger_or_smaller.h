// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What MAXIMUM and MINIMUM share. A Compare is std::greater<> or std::less<>: whether the first of
// two is the result.

#ifndef NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_LARGER_OR_SMALLER_H_
#define NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_LARGER_OR_SMALLER_H_

#include <functional>
#include <type_traits>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

inline litert::Expected<Inferred> InferLargerOrSmaller(const Node& node) {
  return InferBinarySameType(
      node, {kLiteRtElementTypeFloat32, kLiteRtElementTypeInt8, kLiteRtElementTypeUInt8,
             kLiteRtElementTypeInt16, kLiteRtElementTypeInt32, kLiteRtElementTypeInt64});
}

template <typename Compare>
litert::Expected<std::unique_ptr<Kernel>> PrepareLargerOrSmaller(
    const Node& node, const PrepareOptions& /*options*/) {
  const auto choose = [](auto a, decltype(a) b) { return Compare()(a, b) ? a : b; };
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return MakeBinary<int8_t>(node, choose);
    case kLiteRtElementTypeUInt8:
      return MakeBinary<uint8_t>(node, choose);
    case kLiteRtElementTypeInt16:
      return MakeBinary<int16_t>(node, choose);
    case kLiteRtElementTypeInt32:
      return MakeBinary<int32_t>(node, choose);
    case kLiteRtElementTypeInt64:
      return MakeBinary<int64_t>(node, choose);
    default:
      return MakeBinary<float>(node, choose);
  }
}

template <typename Compare>
litert::Expected<void> LargerOrSmallerOracle(const Node& node,
                                             std::span<const OracleTensor* const> inputs,
                                             std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return BinaryOracle(node, inputs, outputs, [](Bounded a, Bounded b) {
    return std::is_same_v<Compare, std::greater<>> ? Max(a, b) : Min(a, b);
  });
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_LARGER_OR_SMALLER_H_
