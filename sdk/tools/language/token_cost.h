// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a token costs: of a language model's step of one token, cycles and where its bytes come from.

#ifndef NPUKIT_SDK_TOOLS_LANGUAGE_TOKEN_COST_H_
#define NPUKIT_SDK_TOOLS_LANGUAGE_TOKEN_COST_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sdk/host/model/graph/model.h"
#include "sdk/tools/reports/bench_report.h"

namespace npukit::tools {

// Bytes that a run of a signature has to move at least once, by what they are.
struct TokenBytes {
  int32_t tokens = 0;    // of a run
  uint64_t weights = 0;  // constants, each once; of tables that are looked up, the rows
  uint64_t cache =
      0;  // the rows up to the last token, where they are attended to, and those written
};

// Of a run whose first token stands at `position`. Nothing if the model has no such signature with
// tokens and caches, or is compiled: its constants are the vendor's then.
std::optional<TokenBytes> CountTokenBytes(const Model& model, const std::string& signature,
                                          int32_t position);

// tokens, cycles_per_token, tokens_per_second, bytes_per_token {weights, cache, other}: what the
// libraries report, by token. Fields of which nothing is known are null.
nlohmann::ordered_json TokenCostJson(const TokenBytes& bytes, const BenchReport& bench);
std::string TokenCostText(const nlohmann::ordered_json& cost);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_LANGUAGE_TOKEN_COST_H_
