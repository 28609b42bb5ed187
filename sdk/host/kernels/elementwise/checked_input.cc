// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/checked_input.h"

#include <fmt/format.h>

namespace npukit::kernels {

std::string NodeFault(const Node& node, size_t input, std::string_view fault) {
  return fmt::format("{}: {} {}", NodeName(node), OperandName(node.inputs[input]), fault);
}

litert::Unexpected ElementError(std::string_view fault, size_t elem) {
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                            fmt::format("{} at element {}", fault, elem));
}

}  // namespace npukit::kernels
