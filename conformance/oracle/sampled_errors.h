// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the errors of ops amount to behind many of them.
//
// Bounds that are handed from op to op take the worst of each, and are soon larger than the values. To
// first order an output's error is a sum of c_j e_j over the M elements that the ops on its way compute,
// where |e_j| <= b_j, the bound of that op for exact inputs. If the e_j are drawn evenly from [-b_j, b_j],
// each by itself, the sum has the variance s^2 = sum of c_j^2 b_j^2 / 3. By Cauchy and Schwarz no e_j
// whatever make it larger than sqrt(3 M) s. So a few runs with drawn errors tell s, and with it how
// large an implementation's errors may be: over all elements of an output, the root of their mean square.
//
// The bound of a sum of n terms has all n roundings err alike. What one that rounds to nearest errs has a
// mean square below 0.17 / n of the bound's (sum_statistics.h): errors drawn of that size are typical.

#ifndef NPUKIT_CONFORMANCE_ORACLE_SAMPLED_ERRORS_H_
#define NPUKIT_CONFORMANCE_ORACLE_SAMPLED_ERRORS_H_

#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::conformance {

class SampledErrors {
 public:
  enum class Size : uint8_t { kOfBounds, kTypical };

  // Inputs in the subgraph's order, dense bytes. Unsupported if an op has no oracle. The same inputs give
  // the same limits everywhere. Model and subgraph outlive it.
  static litert::Expected<SampledErrors> Draw(const Model& model, const Subgraph& subgraph,
                                              std::span<const std::vector<uint8_t>> inputs,
                                              Size size = Size::kOfBounds);

  // The largest root of the mean square that errors of a float tensor may have; infinite if an op before it
  // may overflow. 0 for a tensor that no op computes.
  double LimitOf(const Tensor& tensor) const;
  // The root of the mean square of what the drawn errors made of a tensor's; infinite and 0 as above.
  double DrawnErrorOf(const Tensor& tensor) const;
  // The root of the mean square by which values of that tensor are away from those without errors.
  double ErrorOf(const Tensor& tensor, std::span<const double> values) const;

 private:
  struct Output {
    std::vector<double> values;  // without errors
    double squares = 0;          // of what samples are away from them
    int64_t elems_before = 0;    // that have an error: this op's, too
    bool may_overflow = false;
  };
  using Values = std::map<const Tensor*, kernels::OracleTensor>;
  // One run, with errors drawn or, without a source of them, none.
  litert::Expected<void> Run(const Model& model, const Subgraph& subgraph, Values values,
                             std::mt19937_64* random);
  void Measure(const Tensor& tensor, const kernels::OracleTensor& exact);
  // With errors of `share` of the bounds.
  void AddSample(const Tensor& tensor, double share, kernels::OracleTensor& value,
                 std::mt19937_64& random);

  Size size_ = Size::kOfBounds;
  std::map<const Tensor*, Output> outputs_;
  int64_t elems_ = 0;
  bool may_overflow_ = false;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_ORACLE_SAMPLED_ERRORS_H_
