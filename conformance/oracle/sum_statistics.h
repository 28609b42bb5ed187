// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sums of many products, judged together. The bound of one sum of n terms has to grow as n, since
// all roundings may err alike; those of many sums do not. Rounded to nearest, each of the n errors is
// as often up as down and has a mean square below 0.17 u^2 S^2, where S is the sum of the terms'
// magnitudes and u = 2^-24: as parts of the bound n u S, the errors' mean square is below 0.17 / n,
// and their mean nearly 0. Products in fewer bits, sums in fewer bits and roundings that always go
// towards zero stay within the bound for large n, and far outside of these.

#ifndef NPUKIT_CONFORMANCE_ORACLE_SUM_STATISTICS_H_
#define NPUKIT_CONFORMANCE_ORACLE_SUM_STATISTICS_H_

#include <cstdint>
#include <span>
#include <string>

#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/model/graph/op.h"

namespace npukit::conformance {

// The fewest products that go into an element of the op's result; 0 if the op is no sum of float32
// products, or the number differs much from element to element.
int64_t TermsOfSums(const Op& op);

// Whether products of two operands of float32 have roundings of their own: not where in both every
// eighth element, or more, is one number other than 0, as what was saturated before is.
bool ProductsVary(std::span<const uint8_t> a, std::span<const uint8_t> b);

class SumStatistics {
 public:
  explicit SumStatistics(int64_t terms) : terms_(terms) {}
  // The elements of one result, as the oracle has them for exact inputs and as they are. Equal ones count
  // once: the same products err alike.
  void Add(const kernels::OracleTensor& expected, std::span<const uint8_t> actual);
  // Why the errors are not those of numbers rounded to nearest; empty if they are, or are too few to
  // say.
  std::string Problem() const;

 private:
  int64_t terms_;
  int64_t elems_ = 0;
  double squares_ = 0;  // of errors as parts of their bounds
  double away_ = 0;     // errors away from zero less those towards it
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_ORACLE_SUM_STATISTICS_H_
