// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/compare_output.h"

#include <algorithm>
#include <utility>

#include "conformance/spec/claims/claim_match.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {

bool AnyRoundsOnce(const Claims& claims, const Subgraph& body) {
  return std::any_of(body.ops().begin(), body.ops().end(),
                     [&](const auto& op) { return RoundsOnce(claims, *op); });
}

bool HandsOnRoundedOnce(const Claims& claims, const Subgraph& body) {
  return body.ops().size() > 1 && AnyRoundsOnce(claims, body);
}

litert::Expected<kernels::RoundedOnce> CompareOutput(const Workbench& bench,
                                                     const GraphOracle& oracle,
                                                     const Subgraph& body, size_t index,
                                                     std::span<const uint8_t> actual) {
  if (!bench.spec().exact && AnyRoundsOnce(bench.claims(), body))
    return oracle.CompareRoundedOnce(index, actual);
  LITERT_ASSIGN_OR_RETURN(kernels::Comparison comparison,
                          oracle.Compare(index, actual, bench.spec().exact));
  return kernels::RoundedOnce{.comparison = std::move(comparison), .elems = 0};
}

}  // namespace npukit::conformance
