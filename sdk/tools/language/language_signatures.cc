// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/language_signatures.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "litert/cc/litert_macros.h"

namespace npukit::tools {
namespace {

using Ports = std::vector<Signature::NamedTensor>;

litert::Unexpected NotALanguageModel(const std::string& why) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            "not a language model as it can be run here: " + why);
}

std::optional<size_t> FindPort(const Ports& ports, std::initializer_list<std::string_view> names) {
  for (size_t i = 0; i < ports.size(); ++i) {
    if (std::find(names.begin(), names.end(), ports[i].name) != names.end()) return i;
  }
  return std::nullopt;
}

std::vector<std::string> CachesOf(const Signature& signature) {
  std::vector<std::string> caches;
  for (const auto& input : signature.inputs) {
    if (FindPort(signature.outputs, {input.name})) caches.push_back(input.name);
  }
  return caches;
}

int64_t ElemsOf(const Tensor& tensor) {
  int64_t elems = 1;
  for (const int32_t dim : tensor.shape) elems *= dim;
  return elems;
}

litert::Expected<LanguageSignature> ReadSignature(const Signature& signature) {
  LanguageSignature read{.key = signature.key};
  const auto tokens = FindPort(signature.inputs, {"tokens", "token_ids"});
  const auto positions = FindPort(signature.inputs, {"input_pos", "positions"});
  if (!tokens || !positions) {
    return NotALanguageModel(fmt::format("signature '{}' has no input '{}'", signature.key,
                                         tokens ? "input_pos" : "tokens"));
  }
  for (size_t i = 0; i < signature.inputs.size(); ++i) {
    const auto& [name, tensor] = signature.inputs[i];
    if (i != *tokens && i != *positions) {
      if (FindPort(signature.outputs, {name})) continue;
      return NotALanguageModel(fmt::format(
          "signature '{}' has the input '{}', which is neither tokens, input_pos nor a cache, "
          "given back as an output of the same name",
          signature.key, name));
    }
    if (tensor->element_type != kLiteRtElementTypeInt32) {
      return NotALanguageModel(
          fmt::format("input '{}' of signature '{}' is not int32", name, signature.key));
    }
  }
  read.tokens_input = *tokens;
  read.positions_input = *positions;
  const int64_t count = ElemsOf(*signature.inputs[*tokens].tensor);
  if (count < 1 || count > INT32_MAX || ElemsOf(*signature.inputs[*positions].tensor) != count) {
    return NotALanguageModel(fmt::format("signature '{}' takes {} tokens and {} positions",
                                         signature.key, count,
                                         ElemsOf(*signature.inputs[*positions].tensor)));
  }
  read.tokens = static_cast<int32_t>(count);
  return read;
}

// The extent of the dimension in which the update is shorter than the cache; of a cache that
// something else writes the longest.
int32_t PositionsOf(const Tensor& cache) {
  const Op* op = cache.defining_op;
  int32_t longest = 0;
  for (const int32_t dim : cache.shape) longest = std::max(longest, dim);
  if (op == nullptr || op->code != kLiteRtOpCodeTflDynamicUpdateSlice || op->inputs.size() < 2)
    return longest;
  const std::vector<int32_t>& update = op->inputs[1]->shape;
  for (size_t d = 0; d < cache.shape.size() && d < update.size(); ++d) {
    if (update[d] < cache.shape[d]) return cache.shape[d];
  }
  return longest;
}

}  // namespace

litert::Expected<LanguageSignatures> FindLanguageSignatures(const Model& model) {
  LanguageSignatures found;
  const Signature* decode = nullptr;
  for (const auto& signature : model.signatures) {
    const bool is_prefill = signature->key == "prefill" || signature->key.starts_with("prefill_");
    if (signature->key != "decode" && !is_prefill) continue;
    LITERT_ASSIGN_OR_RETURN(LanguageSignature read, ReadSignature(*signature));
    if (is_prefill) {
      found.prefill.push_back(std::move(read));
    } else {
      decode = signature.get();
      found.decode = std::move(read);
    }
  }
  if (decode == nullptr) return NotALanguageModel("there is no signature 'decode'");
  if (found.decode.tokens != 1) {
    return NotALanguageModel(
        fmt::format("signature 'decode' takes {} tokens at once, not 1", found.decode.tokens));
  }
  const auto logits = FindPort(decode->outputs, {"logits"});
  if (!logits) return NotALanguageModel("signature 'decode' has no output 'logits'");
  found.logits_output = *logits;
  const Tensor& tensor = *decode->outputs[*logits].tensor;
  if (tensor.element_type != kLiteRtElementTypeFloat32 || ElemsOf(tensor) < 1)
    return NotALanguageModel("output 'logits' of signature 'decode' is not float32");
  found.vocabulary = static_cast<int32_t>(ElemsOf(tensor));

  found.caches = CachesOf(*decode);
  if (found.caches.empty())
    return NotALanguageModel("signature 'decode' has no cache: no input that is an output, too");
  for (const auto& signature : model.signatures) {
    const bool is_used = std::any_of(
        found.prefill.begin(), found.prefill.end(),
        [&](const LanguageSignature& prefill) { return prefill.key == signature->key; });
    if (is_used && CachesOf(*signature) != found.caches) {
      return NotALanguageModel(
          fmt::format("signatures '{}' and 'decode' have different caches: {}; {}", signature->key,
                      fmt::join(CachesOf(*signature), ", "), fmt::join(found.caches, ", ")));
    }
  }
  // The cache that is full first is the end for all of them.
  found.context = INT32_MAX;
  for (const std::string& cache : found.caches) {
    const size_t output = *FindPort(decode->outputs, {cache});
    found.context = std::min(found.context, PositionsOf(*decode->outputs[output].tensor));
  }
  std::sort(found.prefill.begin(), found.prefill.end(),
            [](const auto& a, const auto& b) { return a.tokens > b.tokens; });
  return found;
}

const LanguageSignature* FindLanguageSignature(const LanguageSignatures& signatures,
                                               const std::string& key) {
  if (key == signatures.decode.key) return &signatures.decode;
  for (const LanguageSignature& prefill : signatures.prefill) {
    if (prefill.key == key) return &prefill;
  }
  return nullptr;
}

}  // namespace npukit::tools
