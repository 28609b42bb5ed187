// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Steps of a conversation beside those of the CPU, each with the caches that it really had: an error of
// one step is not counted again in the next.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_LANGUAGE_STEP_JUDGE_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_LANGUAGE_STEP_JUDGE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/oracle/sampled_errors.h"
#include "conformance/runner/checks/language/conversation.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/diagnostics/graph_oracle.h"
#include "sdk/host/session/session.h"

namespace npukit::conformance {

// How much of what was judged had bounds to be judged by.
struct StepTally {
  // That differ from the CPU's: of floats, or, where values are not judged, of all types.
  int64_t elems = 0;
  // Of these: neither bound nor limit is smaller than the values, or values are not judged.
  int64_t unjudged_elems = 0;
  double worst_bound_use = 0;  // 1 is the limit
};

// Integers must be the CPU's. Floats must lie within the bounds that the oracle derives from the
// step's inputs, so that what a step leaves as it was has to be the same bits. Behind several layers
// bounds say nothing: there a tensor's mean square error has a limit (sampled_errors.h).
class StepJudge {
 public:
  struct Options {
    std::vector<std::string> caches;
    int32_t context = 0;  // positions
    int32_t fill = 0;     // what caches hold at first
    bool values = true;   // else only errors and sizes are judged
  };
  // The source model outlives it.
  static litert::Expected<StepJudge> Open(const Model& model, Options options);

  // Says what is wrong with what the next step gave; "" if nothing is. A position outside the context may
  // be refused, and must be where the CPU does.
  litert::Expected<std::string> Judge(const TokenStep& step, const StepValues& found);

  const StepTally& tally() const { return tally_; }

 private:
  // What derives from a step's inputs, when it is first asked for.
  struct Derived {
    std::unique_ptr<GraphOracle> oracle;
    std::unique_ptr<SampledErrors> errors;
  };

  StepJudge(const Model& model, Options options) : model_(&model), options_(std::move(options)) {}
  bool IsInContext(const TokenStep& step) const;
  litert::Expected<std::vector<std::vector<uint8_t>>> InputsOf(const TokenStep& step) const;
  litert::Expected<std::string> JudgeFloats(const TokenStep& step, const Tensor& tensor,
                                            std::span<const uint8_t> found, Derived& derived);
  litert::Expected<std::string> JudgeMeanSquare(const TokenStep& step, const Tensor& tensor,
                                                std::span<const double> found, int64_t unbounded,
                                                Derived& derived);

  const Model* model_;
  Options options_;
  std::unique_ptr<Session> cpu_;
  std::unique_ptr<Conversation> conversation_;
  StepTally tally_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_LANGUAGE_STEP_JUDGE_H_
