// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The oracle: slow, simple, and the value that everything else is judged by.
//
// Integers come out as TFLite's reference kernels compute them, byte for byte.
// Floats come out as a float64 value and a bound: an implementation that rounds
// each operation to float32, in any order of summation, with or without fused
// multiply-add, with or without subnormals, differs from the value by no more
// than the bound.
//
// Bounds propagate. Given inputs that are exact (bound 0, as they are when an
// op is judged with the inputs that its implementation really had), the bound
// is that of the op alone. Given the outputs of other oracle runs, it covers
// the errors of the whole graph so far: soundly, because each operator takes
// the worst over its inputs' intervals, and therefore loosely after many
// layers. Where a float decides an integer (QUANTIZE, CAST, comparisons,
// ARG_MAX), the integer output gets bounds in steps; an operator that reads
// such an integer and cannot bound the effect says so with an error
// (kLiteRtStatusErrorUnsupported) instead of giving a false bound.

#ifndef NPUKIT_SDK_HOST_KERNELS_ORACLE_ORACLE_H_
#define NPUKIT_SDK_HOST_KERNELS_ORACLE_ORACLE_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/node.h"
#include "sdk/host/kernels/oracle/bounded.h"

namespace npukit::kernels {

struct OracleTensor {
  LiteRtElementType type = kLiteRtElementTypeNone;
  Shape shape;
  // Floats of any width: values and their bounds, one per element; `bytes` is then empty.
  std::vector<double> values;
  // Also of integers that depend on a bounded float: steps. Empty: all 0.
  std::vector<double> bounds;
  // Everything else: the dense bytes.
  std::vector<uint8_t> bytes;

  bool is_float() const;
  int64_t elems() const;
  // The largest magnitude of a finite value; 0 if there is none.
  double largest_finite() const;
  // Whether some bound is not 0.
  bool is_uncertain() const;

  // Float types are widened, with bound 0. `bytes` must have the size of type
  // and shape.
  static OracleTensor FromBytes(LiteRtElementType type, Shape shape,
                                std::span<const uint8_t> bytes);
  // The values rounded to the tensor's type.
  std::vector<uint8_t> ToBytes() const;
};

// A float input's element as the oracle's arithmetic takes it.
inline Bounded At(const OracleTensor& tensor, int64_t elem) {
  return Operand32(tensor.values[elem], tensor.bounds[elem]);
}
// A float32 result as a float of that type.
inline Bounded RoundTo(LiteRtElementType type, Bounded x) {
  if (type == kLiteRtElementTypeFloat16) return RoundTo(kHalfFloat, x);
  if (type == kLiteRtElementTypeBFloat16) return RoundTo(kBrainFloat, x);
  return x;
}
// A bound that is NaN comes of infinite errors that were set against each other: nothing is known of a
// number then, and of a NaN it takes nothing away.
inline void Put(OracleTensor& tensor, int64_t elem, Bounded value) {
  if (std::isnan(value.bound))
    value.bound = std::isnan(value.value) ? 0 : std::numeric_limits<double>::infinity();
  tensor.values[elem] = value.value;
  tensor.bounds[elem] = value.bound;
}

// Runs the node's oracle. `inputs` stand as in the node, null where omitted;
// constants may be null too: they are then taken from the operand. The node's
// output shapes must be set.
litert::Expected<std::vector<OracleTensor>> RunOracle(const Node& node,
                                                      std::span<const OracleTensor* const> inputs);

// The same from dense bytes (empty where omitted, or to take the operand's
// constant).
litert::Expected<std::vector<OracleTensor>> RunOracle(
    const Node& node, std::span<const std::span<const uint8_t>> inputs);

// Where `actual` lies outside what the operator allows.
struct Mismatch {
  int64_t elem = 0;
  double expected = 0;
  double actual = 0;
  double allowed = 0;  // largest permitted |actual - expected|
};
// So many of them a comparison keeps.
inline constexpr size_t kMaxMismatches = 8;
struct Comparison {
  int64_t differing_elems = 0;  // outside the tolerance
  double max_difference = 0;    // over all elements; steps for integers
  double max_bound_use = 0;     // largest difference / allowed; floats only
  std::vector<Mismatch> worst;  // up to kMaxMismatches, worst first
  bool ok() const { return differing_elems == 0; }
};
// Holds an implementation's output (dense bytes) against the oracle's, by the
// operator's tolerance for the node.
litert::Expected<Comparison> CompareWithOracle(const Node& node, const OracleTensor& expected,
                                               std::span<const uint8_t> actual);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ORACLE_ORACLE_H_
