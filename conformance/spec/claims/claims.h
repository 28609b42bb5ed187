// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a vendor claims: MANUFACTURER.claims.yaml. docs/conformance.md describes the format;
// claim_match.h asks of an op whether it is claimed.

#ifndef NPUKIT_CONFORMANCE_SPEC_CLAIMS_CLAIMS_H_
#define NPUKIT_CONFORMANCE_SPEC_CLAIMS_CLAIMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/spec/claims/name_pattern.h"
#include "conformance/spec/text/value.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/op.h"

namespace npukit::conformance {

// Element types of one way to use an op.
struct TypeClaim {
  LiteRtElementType in = kLiteRtElementTypeNone;   // of the first input
  LiteRtElementType out = kLiteRtElementTypeNone;  // of the first output
  std::vector<LiteRtElementType> further_outs;     // of those behind it; empty: all as the first
  std::optional<LiteRtElementType> weights;  // of the second input, where it differs from `in`
  std::optional<LiteRtElementType> bias;     // of the third input, where only one is taken

  // Whether an op's outputs are of these types.
  bool HasOutputs(const Op& op) const;
  // "int8", "float32->int8", "float32->float32,int32", "int16 x int8 + int64"
  std::string ToString() const;
};

// A number of an option, ends included.
struct OptionRange {
  std::string field;
  std::optional<double> min;
  std::optional<double> max;
};

// What holds beside the types. Unset: no limit.
struct OpLimits {
  std::optional<int> min_rank;
  std::optional<int> max_rank;       // of every input and output
  std::optional<int64_t> max_dim;    // of every dimension
  std::optional<int64_t> max_elems;  // of every tensor
  // False: all inputs, constants too, have the output's shape.
  std::optional<bool> broadcast;
  // False: weights have one scale; true: both are taken.
  std::optional<bool> per_channel;
  std::vector<int> constant_inputs;  // these inputs must be constants
  std::vector<int> variable_inputs;  // these must not be
  // Option field to the texts it may have ("fused_activation_function": NONE, RELU).
  std::vector<std::pair<std::string, std::vector<std::string>>> options;
  std::vector<OptionRange> option_ranges;
};

struct OpClaim {
  std::string op;  // as in a suite
  std::vector<TypeClaim> types;
  OpLimits limits;
  // Quantised results are rounded once, from the real result, where TFLite rounds twice: `rounding: once`.
  bool rounds_once = false;
  SourceLocation at;
};

struct ExpectedFailure {
  NamePattern pattern;  // of whole names of results
  std::string reason;   // never empty
  SourceLocation at;
};

struct Claims {
  std::string file;
  std::string manufacturer;
  std::vector<std::string> socs;
  std::vector<OpClaim> ops;
  std::vector<ExpectedFailure> expected_failures;
  std::vector<std::string> profiles;  // names of those that the vendor promises to conform to
  std::vector<SourceLocation> profile_places;  // of each

  // Null if the result is not expected to fail.
  const ExpectedFailure* FindExpectedFailure(const std::string& result_name) const;
};

// How reports name a value of an option of a claim.
std::string OptionValueText(const std::string& claim, const std::string& field,
                            const std::string& value);
bool IsOptionValueText(const std::string& text);

// A list of types; at least one.
litert::Expected<std::vector<TypeClaim>> ReadTypeClaims(const Value& value);
// One op's name, or a list of them; each known, a composite's or a custom op's.
litert::Expected<std::vector<std::string>> ReadOpNames(const Value& value);

litert::Expected<Claims> ReadClaims(const Value& value);
litert::Expected<Claims> LoadClaims(const std::string& path);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_CLAIMS_CLAIMS_H_
