// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/token_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "sdk/host/model/graph/find_signature.h"
#include "sdk/host/session/session.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/language/language_signatures.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

uint64_t BytesOf(const Tensor& tensor) {
  return DenseBytes(tensor.element_type, tensor.shape).value_or(0);
}

// The operand that an op takes rows of; null if it reads all of its operands.
const Tensor* TableOf(const Op& op) {
  if (op.code == kLiteRtOpCodeTflEmbeddingLookup) return op.inputs[1];
  return op.code == kLiteRtOpCodeTflGather ? op.inputs[0] : nullptr;
}

uint64_t RowBytes(const Op& op, const Tensor& table) {
  return DenseBytes(table.element_type, op.outputs[0]->shape).value_or(0);
}

uint64_t WeightBytes(const Subgraph& subgraph) {
  std::set<BufferStore::Id> seen;
  uint64_t bytes = 0;
  for (const auto& op : subgraph.ops()) {
    const Tensor* table = TableOf(*op);
    for (const Tensor* input : op->inputs) {
      if (input == nullptr || !input->is_constant()) continue;
      if (input == table) {
        bytes += RowBytes(*op, *input);
      } else if (seen.insert(input->weights.buffer_id).second) {
        // Weights that several ops share are counted once, as if they were read once.
        bytes += BytesOf(*input);
      }
    }
  }
  return bytes;
}

// Caches of `context` positions, of which the first `valid` hold tokens.
uint64_t CacheBytes(const Subgraph& subgraph, int32_t valid, int32_t context) {
  uint64_t bytes = 0;
  for (const auto& op : subgraph.ops()) {
    if (op->code != kLiteRtOpCodeTflDynamicUpdateSlice) continue;
    bytes += BytesOf(*op->inputs[1]);
    const bool is_attended = !op->outputs[0]->users.empty();
    if (is_attended)
      bytes +=
          BytesOf(*op->outputs[0]) / static_cast<uint64_t>(context) * static_cast<uint64_t>(valid);
  }
  return bytes;
}

Json PerToken(std::optional<double> value, const TokenBytes& bytes) {
  return value ? JsonNumber(*value / bytes.tokens) : Json();
}

}  // namespace

std::optional<TokenBytes> CountTokenBytes(const Model& model, const std::string& signature,
                                          int32_t position) {
  if (HasDispatchOps(model)) return std::nullopt;
  const auto signatures = FindLanguageSignatures(model);
  if (!signatures) return std::nullopt;
  const LanguageSignature* step = FindLanguageSignature(*signatures, signature);
  const Signature* found = FindSignature(model, signature);
  if (found == nullptr || step == nullptr || step->is_split()) return std::nullopt;
  TokenBytes bytes;
  bytes.tokens = step->tokens;
  bytes.weights = WeightBytes(*found->subgraph);
  const int32_t valid = std::clamp(position + step->tokens, 0, signatures->context);
  bytes.cache = CacheBytes(*found->subgraph, valid, signatures->context);
  return bytes;
}

Json TokenCostJson(const TokenBytes& bytes, const BenchReport& bench) {
  std::optional<double> all;
  if (bench.bytes_read && bench.bytes_written) all = *bench.bytes_read + *bench.bytes_written;
  std::optional<double> other;
  if (all) other = std::max(0.0, *all - static_cast<double>(bytes.weights + bytes.cache));
  Json speed;
  if (bench.cycles && *bench.cycles > 0 && bench.clock_mhz)
    speed = JsonNumber(*bench.clock_mhz * 1e6 * bytes.tokens / *bench.cycles);
  return {{"tokens", bytes.tokens},
          {"cycles_per_token", PerToken(bench.cycles, bytes)},
          {"tokens_per_second", speed},
          {"bytes_per_token",
           {{"weights", PerToken(static_cast<double>(bytes.weights), bytes)},
            {"cache", PerToken(static_cast<double>(bytes.cache), bytes)},
            {"other", PerToken(other, bytes)}}}};
}

std::string TokenCostText(const Json& cost) {
  const auto text = [](const Json& value) {
    return value.is_null() ? std::string("-") : fmt::format("{:.0f}", value.get<double>());
  };
  const Json& bytes = cost["bytes_per_token"];
  const std::string place =
      cost.contains("position") ? fmt::format(" at position {}", cost["position"].get<int>()) : "";
  return fmt::format("token{}: {} cycles, {} tokens/s; bytes: weights {}, cache {}, other {}\n",
                     place, text(cost["cycles_per_token"]), text(cost["tokens_per_second"]),
                     text(bytes["weights"]), text(bytes["cache"]), text(bytes["other"]));
}

}  // namespace npukit::tools
