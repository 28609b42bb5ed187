// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Steps that make a model smaller, for finding the smallest one that still shows a failure.

#ifndef NPUKIT_CONFORMANCE_ORACLE_MODEL_SHRINK_H_
#define NPUKIT_CONFORMANCE_ORACLE_MODEL_SHRINK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::conformance {

struct Reduction {
  enum class Kind {
    kDropSignatures,  // all of them, and with them the names of inputs and outputs
    kDropSubgraph,
    kDropOps,  // `first` .. `last`; what they made becomes an input, what only they read an output
    kDropOutput,  // the subgraph's output number `first`
    kSetDims,     // every dimension of `from` elements to `to`, in inputs and constants
    kSetAxis,     // dimension `last` of the subgraph's input `first` from `from` to `to`
  };
  Kind kind = Kind::kDropOps;
  size_t subgraph = 0;
  size_t first = 0;
  size_t last = 0;
  int32_t from = 0;
  int32_t to = 0;
  std::string ToString() const;
};

// What could be tried, the largest steps first. With `ops` also steps that take ops away.
std::vector<Reduction> PossibleReductions(const Model& model, bool ops);

// Changes the model. Constants are cut to their new shape, scales per channel with them, and the
// shapes that ops give are inferred anew. An error if that is not possible; the model is then of no
// use.
litert::Expected<void> Reduce(const Reduction& reduction, Model& model);

// The part [0, new_shape) of a dense tensor; no dimension is larger than it was.
std::vector<uint8_t> CutElements(std::span<const uint8_t> bytes,
                                 const std::vector<int32_t>& old_shape,
                                 const std::vector<int32_t>& new_shape, size_t elem_bytes);

// Elements of all inputs and constants, and ops: what shrinking makes smaller.
uint64_t ModelWeight(const Model& model);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_ORACLE_MODEL_SHRINK_H_
