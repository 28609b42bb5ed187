// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whether what a partition computes is right: its outputs against the bounds that the oracles of its
// ops derive from the values that it had.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_PARTITION_BOUNDS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_PARTITION_BOUNDS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "sdk/host/runtime/diagnostics/graph_oracle.h"
#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit {

struct BoundVerdict {
  enum class Kind {
    kWithin,
    kBeyond,
    kNotKnown,  // no oracle for an op, or the partition holds what the model does not have
  };
  Kind kind = Kind::kNotKnown;
  std::string detail;  // the worst element; or why nothing is known
};
// Names for reports, in the order of the enumerators.
inline constexpr const char* kBoundVerdictNames[] = {"within", "beyond", "not_known"};

// Keeps references to the model and to its runner on the CPU, which has run and keeps its
// intermediates. Not thread-safe.
class PartitionBounds {
 public:
  PartitionBounds(const Model& given, const SignatureRunner& cpu) : given_(given), cpu_(cpu) {}

  // `actual`: what the step gave for `output`, from the CPU's values at its inputs.
  BoundVerdict Judge(const StepInfo& step, const PortInfo& output, std::span<const uint8_t> actual);

 private:
  struct Oracle {
    std::unique_ptr<GraphOracle> graph;
    std::map<std::string, const Tensor*> computed;  // by name
  };
  litert::Expected<Oracle> RunOracle(const StepInfo& step) const;

  const Model& given_;
  const SignatureRunner& cpu_;
  // Of the step judged last: its outputs come one after the other.
  const StepInfo* step_ = nullptr;
  litert::Expected<Oracle> oracle_ = litert::Unexpected(kLiteRtStatusErrorNotFound);
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_PARTITION_BOUNDS_H_
