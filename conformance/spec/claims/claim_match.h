// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whether a vendor claims an op of a graph.

#ifndef NPUKIT_CONFORMANCE_SPEC_CLAIMS_CLAIM_MATCH_H_
#define NPUKIT_CONFORMANCE_SPEC_CLAIMS_CLAIM_MATCH_H_

#include <cstddef>
#include <string>

#include "conformance/spec/claims/claims.h"
#include "litert/c/litert_op_code.h"
#include "sdk/host/model/graph/op.h"

namespace npukit::conformance {

struct ClaimAnswer {
  bool claimed = false;
  std::string reason;                // why not: "no claim names ABS", "rank 5 is above max_rank 4"
  const OpClaim* claim = nullptr;    // the claim that holds
  const TypeClaim* types = nullptr;  // and the types under which it does
};

// The name that suites and claims use for an op: "ADD", "odml.rms_norm", "custom:FOO".
std::string ClaimName(const Op& op);

// The input whose type an op's claim names as its type: the first, but for operators that take
// their data later.
size_t TypedInput(LiteRtOpCode code);

// Types that an operator may fix for its own purposes (bias, axes, shapes, indices), whatever its
// activations are.
bool IsIncidental(LiteRtElementType type);

// Ops with a dynamic shape are never claimed. odml.npu_call is always claimed and odml.cpu_call
// never: so the host treats them.
ClaimAnswer MatchClaim(const Claims& claims, const Op& op);

// Whether the op falls under a claim with `rounding: once`.
bool RoundsOnce(const Claims& claims, const Op& op);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_CLAIMS_CLAIM_MATCH_H_
