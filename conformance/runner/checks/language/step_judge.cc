// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/language/step_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/runner/checks/host_run.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/model/graph/find_signature.h"

namespace npukit::conformance {
namespace {

using kernels::OracleTensor;

double RootMeanSquare(std::span<const double> values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return values.empty() ? 0 : std::sqrt(squares / static_cast<double>(values.size()));
}

// The signature is known to be there: a session has run it.
const Signature& SignatureOf(const Model& model, const std::string& key) {
  return *FindSignature(model, key);
}

const Tensor& OutputOf(const Signature& signature, const std::string& name) {
  return *std::find_if(signature.outputs.begin(), signature.outputs.end(), [&](const auto& output) {
            return output.name == name;
          })->tensor;
}

}  // namespace

litert::Expected<StepJudge> StepJudge::Open(const Model& model, Options options) {
  StepJudge judge(model, std::move(options));
  LITERT_ASSIGN_OR_RETURN(auto copy, CopyThroughFile(model));
  LITERT_ASSIGN_OR_RETURN(judge.cpu_, Session::Create(std::move(copy), {}));
  judge.conversation_ = std::make_unique<Conversation>(*judge.cpu_, judge.options_.caches);
  LITERT_RETURN_IF_ERROR(judge.conversation_->FillCaches(judge.options_.fill));
  return judge;
}

bool StepJudge::IsInContext(const TokenStep& step) const {
  return step.position >= 0 &&
         step.position + static_cast<int32_t>(step.tokens.size()) <= options_.context;
}

litert::Expected<std::vector<std::vector<uint8_t>>> StepJudge::InputsOf(
    const TokenStep& step) const {
  LITERT_ASSIGN_OR_RETURN(const auto by_name, conversation_->Inputs(step));
  const Signature& signature = SignatureOf(*model_, step.signature);
  std::vector<std::vector<uint8_t>> inputs;
  for (const Tensor* tensor : signature.subgraph->inputs) {
    std::vector<uint8_t>& bytes = inputs.emplace_back();
    for (const auto& input : signature.inputs) {
      if (input.tensor == tensor) bytes = by_name.at(input.name);
    }
    bytes.resize(DenseBytes(tensor->element_type, tensor->shape).value_or(0));
  }
  return inputs;
}

litert::Expected<std::string> StepJudge::JudgeMeanSquare(const TokenStep& step,
                                                         const Tensor& tensor,
                                                         std::span<const double> found,
                                                         int64_t unbounded, Derived& derived) {
  if (derived.errors == nullptr) {
    LITERT_ASSIGN_OR_RETURN(const auto inputs, InputsOf(step));
    LITERT_ASSIGN_OR_RETURN(
        SampledErrors drawn,
        SampledErrors::Draw(*model_, *SignatureOf(*model_, step.signature).subgraph, inputs));
    derived.errors = std::make_unique<SampledErrors>(std::move(drawn));
  }
  const double limit = derived.errors->LimitOf(tensor);
  const double error = derived.errors->ErrorOf(tensor, found);
  if (!(error <= limit)) {
    return fmt::format("it is {:.3g} off, in the root of the mean square; the limit is {:.3g}",
                       error, limit);
  }
  if (limit > RootMeanSquare(derived.oracle->ValueOf(&tensor)->values))
    tally_.unjudged_elems += unbounded;
  return std::string();
}

litert::Expected<std::string> StepJudge::JudgeFloats(const TokenStep& step, const Tensor& tensor,
                                                     std::span<const uint8_t> found,
                                                     Derived& derived) {
  if (derived.oracle == nullptr) {
    LITERT_ASSIGN_OR_RETURN(const auto inputs, InputsOf(step));
    derived.oracle =
        std::make_unique<GraphOracle>(*model_, *SignatureOf(*model_, step.signature).subgraph);
    LITERT_RETURN_IF_ERROR(derived.oracle->Run(inputs));
  }
  const OracleTensor& expected = *derived.oracle->ValueOf(&tensor);
  const OracleTensor actual = OracleTensor::FromBytes(expected.type, expected.shape, found);
  const double largest = expected.largest_finite();
  int64_t unbounded = 0;
  for (size_t i = 0; i < expected.values.size(); ++i) {
    const double bound = expected.bounds.empty() ? 0 : expected.bounds[i];
    if (!std::isfinite(bound) || bound > largest) {
      ++unbounded;
      continue;
    }
    const double difference = std::fabs(expected.values[i] - actual.values[i]);
    if (difference > 0 && bound > 0)
      tally_.worst_bound_use = std::max(tally_.worst_bound_use, difference / bound);
    if (difference <= bound) continue;
    return fmt::format("element {} is {:.9g}, expected {:.9g} +- {:.3g}", i, actual.values[i],
                       expected.values[i], bound);
  }
  tally_.elems += static_cast<int64_t>(expected.values.size());
  if (unbounded == 0) return std::string();
  return JudgeMeanSquare(step, tensor, actual.values, unbounded, derived);
}

litert::Expected<std::string> StepJudge::Judge(const TokenStep& step, const StepValues& found) {
  LITERT_ASSIGN_OR_RETURN(const StepValues expected, conversation_->Run(step));
  // Refused: the caches stay as they were.
  if (!found.error.empty() && !IsInContext(step)) return std::string();
  std::string problem = ErrorDifference(expected, found);
  if (!problem.empty() || !expected.error.empty()) return problem;
  const Signature& signature = SignatureOf(*model_, step.signature);
  Derived derived;
  for (const NamedValue& value : expected.outputs) {
    problem = ByteDifference(value, found);
    if (problem.empty()) continue;
    const NamedValue* other = found.Find(value.name);
    if (other == nullptr || other->bytes.size() != value.bytes.size()) return problem;
    if (!options_.values) {
      constexpr int32_t kOneElem[] = {1};
      const auto elems =
          static_cast<int64_t>(value.bytes.size() / DenseBytes(value.type, kOneElem).value_or(1));
      tally_.elems += elems;
      tally_.unjudged_elems += elems;
      continue;
    }
    if (value.type != kLiteRtElementTypeFloat32) return problem;
    LITERT_ASSIGN_OR_RETURN(
        problem, JudgeFloats(step, OutputOf(signature, value.name), other->bytes, derived));
    if (!problem.empty()) return fmt::format("'{}': {}", value.name, problem);
  }
  // On with the NPU's caches: each step is judged by what it makes of its inputs, and not by what
  // those before it erred.
  conversation_->Keep(found);
  return std::string();
}

}  // namespace npukit::conformance
