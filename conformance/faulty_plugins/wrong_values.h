// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The numeric faults: right values in, wrong ones out.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_WRONG_VALUES_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_WRONG_VALUES_H_

#include <cstdint>
#include <vector>

#include "litert/c/litert_model_types.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/graph/subgraph.h"

namespace npukit::conformance::mimic {

struct OutputFacts {
  LiteRtElementType type = kLiteRtElementTypeNone;
  std::vector<int32_t> shape;
  uint64_t runs = 0;          // invocations of the context, this one included
  bool crowded = false;       // more than two contexts are alive
  bool same_process = false;  // the bytecode was compiled by this process
  bool second_entry = false;  // of its module
  bool upset = false;         // something before this run went wrong
  const Subgraph* subgraph = nullptr;
};

// Applies the planted fault, if it is one of values.
void SpoilValues(const OutputFacts& facts, std::vector<uint8_t>& values);

// The result of a MUL of int8 without activation and broadcasting as the real product is rounded.
void RoundProductOnce(const Op& mul, const std::vector<std::vector<uint8_t>>& factors,
                      std::vector<uint8_t>& product);

// How many of an output's bytes are written.
size_t WrittenBytes(LiteRtElementType type, size_t size_bytes);

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_WRONG_VALUES_H_
