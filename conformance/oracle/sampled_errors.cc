// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/oracle/sampled_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "conformance/oracle/sum_statistics.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/runtime/diagnostics/graph_oracle.h"

namespace npukit::conformance {
namespace {

using kernels::OracleTensor;

constexpr int kSamples = 2;

int64_t TermsOf(const Op& op) {
  if (op.code != kLiteRtOpCodeTflMean && op.code != kLiteRtOpCodeTflSum) return TermsOfSums(op);
  const int64_t written = kernels::ElemsOf(op.outputs[0]->shape);
  return written > 0 ? kernels::ElemsOf(op.inputs[0]->shape) / written : 0;
}

// Errors drawn evenly have a mean square of 1 / 3 of the largest one's; this makes it 0.17 / n.
double TypicalShare(const Op& op) {
  const int64_t terms = TermsOf(op);
  return terms == 0 ? 1 : std::min(1.0, std::sqrt(3 * 0.17 / static_cast<double>(terms)));
}

// From [-1, 1). The standard's distributions differ from library to library.
double DrawSigned(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() >> 11), -52) - 1;
}

}  // namespace

litert::Expected<SampledErrors> SampledErrors::Draw(const Model& model, const Subgraph& subgraph,
                                                    std::span<const std::vector<uint8_t>> inputs,
                                                    Size size) {
  Values given;
  for (size_t i = 0; i < inputs.size() && i < subgraph.inputs.size(); ++i) {
    const Tensor& tensor = *subgraph.inputs[i];
    given[&tensor] = OracleTensor::FromBytes(tensor.element_type, tensor.shape, inputs[i]);
  }
  SampledErrors errors;
  errors.size_ = size;
  LITERT_RETURN_IF_ERROR(errors.Run(model, subgraph, given, nullptr));
  std::mt19937_64 random(1);
  for (int sample = 0; sample < kSamples; ++sample)
    LITERT_RETURN_IF_ERROR(errors.Run(model, subgraph, given, &random));
  return errors;
}

litert::Expected<void> SampledErrors::Run(const Model& model, const Subgraph& subgraph,
                                          Values values, std::mt19937_64* random) {
  for (const auto& op : subgraph.ops()) {
    // Each op by itself: what it reads is certain, so that the bounds are its own.
    Values read;
    for (const Tensor* input : op->inputs) {
      if (const auto known = values.find(input); known != values.end()) read[input] = known->second;
    }
    const double share = size_ == Size::kTypical ? TypicalShare(*op) : 1;
    GraphOracle oracle(model, subgraph);
    const Op* const only[] = {op.get()};
    LITERT_RETURN_IF_ERROR(oracle.RunOps(only, std::move(read)));
    for (const Tensor* output : op->outputs) {
      OracleTensor value = *oracle.ValueOf(output);
      if (value.is_float() && random == nullptr) Measure(*output, value);
      if (value.is_float() && random != nullptr) AddSample(*output, share, value, *random);
      // What the next op reads is what it is, and not an estimate of something.
      std::fill(value.bounds.begin(), value.bounds.end(), 0.0);
      values[output] = std::move(value);
    }
  }
  return {};
}

void SampledErrors::Measure(const Tensor& tensor, const OracleTensor& exact) {
  for (const double bound : exact.bounds) {
    elems_ += bound != 0;
    may_overflow_ = may_overflow_ || !std::isfinite(bound);
  }
  outputs_[&tensor] = {exact.values, 0, elems_, may_overflow_};
}

void SampledErrors::AddSample(const Tensor& tensor, double share, OracleTensor& value,
                              std::mt19937_64& random) {
  Output& output = outputs_.at(&tensor);
  for (size_t i = 0; i < value.values.size(); ++i) {
    const double bound = i < value.bounds.size() ? value.bounds[i] : 0;
    if (bound > 0 && std::isfinite(bound)) value.values[i] += share * bound * DrawSigned(random);
    const double away = value.values[i] - output.values[i];
    if (std::isfinite(away)) output.squares += away * away;
  }
}

double SampledErrors::DrawnErrorOf(const Tensor& tensor) const {
  const auto found = outputs_.find(&tensor);
  if (found == outputs_.end()) return 0;
  const Output& output = found->second;
  if (output.may_overflow) return std::numeric_limits<double>::infinity();
  if (output.values.empty()) return 0;
  return std::sqrt(output.squares / (kSamples * static_cast<double>(output.values.size())));
}

double SampledErrors::LimitOf(const Tensor& tensor) const {
  const double drawn = DrawnErrorOf(tensor);
  if (drawn == 0 || !std::isfinite(drawn)) return drawn;
  // sqrt(3 M) s: the header says why. s is taken from the samples' mean square over all elements.
  return std::sqrt(3 * static_cast<double>(outputs_.at(&tensor).elems_before)) * drawn;
}

double SampledErrors::ErrorOf(const Tensor& tensor, std::span<const double> values) const {
  const auto found = outputs_.find(&tensor);
  if (found == outputs_.end() || found->second.values.size() != values.size() || values.empty())
    return std::numeric_limits<double>::infinity();
  double squares = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == found->second.values[i]) continue;  // also infinities
    const double away = values[i] - found->second.values[i];
    squares += away * away;
  }
  return std::sqrt(squares / static_cast<double>(values.size()));
}

}  // namespace npukit::conformance
