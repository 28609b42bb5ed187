// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/indexing/index_reader.h"

#include <fmt/format.h>

namespace npukit::kernels {

IndexReader::IndexReader(const Node& node, size_t input)
    : input_(input),
      bytes_(static_cast<size_t>(ElementBits(node.inputs[input]->type())) / 8),
      owner_(fmt::format("{}: {}", NodeName(node), OperandName(node.inputs[input]))) {}

litert::Unexpected IndexReader::OutOfRange(int64_t index, int64_t elem, int64_t limit) const {
  return litert::Unexpected(
      kLiteRtStatusErrorRuntimeFailure,
      fmt::format("{} holds index {} at element {}, outside [0,{})", owner_, index, elem, limit));
}

}  // namespace npukit::kernels
