// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/language_signatures.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/samples/language_parts.h"

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

litert::Expected<LanguageSignature> ReadWhole(const Signature& signature) {
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

const Signature* FindSignature(const Model& model, const std::string& key) {
  for (const auto& signature : model.signatures) {
    if (signature->key == key) return signature.get();
  }
  return nullptr;
}

// What runs beside a decoder that takes embeddings; each input of one must be another's output, a cache, or what
// TokenGenerator knows.
class SplitReader {
 public:
  SplitReader(const Model& model, const Signature& decoder) : model_(model), decoder_(decoder) {}

  litert::Expected<LanguageSignature> Read() {
    LanguageSignature read{.key = decoder_.key};
    const size_t embeddings = *FindPort(decoder_.inputs, {"embeddings"});
    const std::vector<int32_t>& shape = decoder_.inputs[embeddings].tensor->shape;
    read.tokens = shape.size() == 3 ? shape[1] : 0;
    if (read.tokens < 1) {
      return NotALanguageModel(fmt::format(
          "input 'embeddings' of signature '{}' is not [1, tokens, width]", decoder_.key));
    }
    const std::string update = PartKey(LanguagePart::kCacheUpdate, decoder_.key);
    for (const LanguagePart part : kLanguageParts) {
      const std::string key = PartKey(part, decoder_.key);
      const Signature* signature = FindSignature(model_, key);
      if (signature == nullptr) {
        return NotALanguageModel(
            fmt::format("signature '{}' takes embeddings, and there is no signature '{}' beside it "
                        "in the file",
                        decoder_.key, key));
      }
      (key == update ? read.after : read.before).push_back(key);
    }
    caches_ = CachesOf(*FindSignature(model_, update));
    for (const std::string& key : read.before)
      LITERT_RETURN_IF_ERROR(Take(*FindSignature(model_, key), read.tokens));
    LITERT_RETURN_IF_ERROR(Take(decoder_, read.tokens));
    LITERT_RETURN_IF_ERROR(Take(*FindSignature(model_, update), read.tokens));
    return read;
  }

 private:
  // Checks that all inputs are there by now, and adds the outputs.
  litert::Expected<void> Take(const Signature& signature, int32_t tokens) {
    for (const auto& [name, tensor] : signature.inputs) {
      if (std::find(caches_.begin(), caches_.end(), name) != caches_.end()) continue;
      const auto made = made_.find(name);
      if (made != made_.end()) {
        if (made->second->element_type == tensor->element_type &&
            made->second->shape == tensor->shape)
          continue;
        return NotALanguageModel(
            fmt::format("input '{}' of signature '{}' has another type or shape than the output of "
                        "that name",
                        name, signature.key));
      }
      const std::optional<StepInput> filled = FindStepInput(name);
      const int64_t elems = filled == StepInput::kFirstPosition ? 1 : tokens;
      if (!filled || tensor->element_type != kLiteRtElementTypeInt32 || ElemsOf(*tensor) != elems) {
        return NotALanguageModel(
            fmt::format("nothing makes the input '{}' of signature '{}'", name, signature.key));
      }
    }
    for (const auto& [name, tensor] : signature.outputs) made_[name] = tensor;
    return {};
  }

  const Model& model_;
  const Signature& decoder_;
  std::vector<std::string> caches_;
  std::map<std::string, const Tensor*> made_;
};

// The signature that writes a step's caches.
const Signature& WriterOf(const Model& model, const LanguageSignature& step) {
  return *FindSignature(model, step.is_split() ? step.after.back() : step.key);
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

litert::Expected<LanguageSignature> ReadSignature(const Model& model, const Signature& signature) {
  return FindPort(signature.inputs, {"embeddings"}) ? SplitReader(model, signature).Read()
                                                    : ReadWhole(signature);
}

// "prefill" or "prefill_N", and not what runs beside it.
bool IsPrefill(std::string_view key) {
  constexpr std::string_view kPrefill = "prefill";
  if (!key.starts_with(kPrefill)) return false;
  key.remove_prefix(kPrefill.size());
  return std::none_of(kLanguageParts.begin(), kLanguageParts.end(),
                      [&](LanguagePart part) { return key.starts_with(PartKey(part, "")); }) &&
         (key.empty() || key.starts_with('_'));
}

}  // namespace

std::optional<StepInput> FindStepInput(std::string_view name) {
  if (name == "token_ids" || name == "tokens") return StepInput::kTokens;
  if (name == "input_tokens") return StepInput::kTokensOrPadding;
  if (name == "input_pos") return StepInput::kPositions;
  if (name == "time_step") return StepInput::kFirstPosition;
  return std::nullopt;
}

litert::Expected<LanguageSignatures> FindLanguageSignatures(const Model& model) {
  LanguageSignatures found;
  const Signature* decode = nullptr;
  for (const auto& signature : model.signatures) {
    const bool is_prefill = IsPrefill(signature->key);
    if (signature->key != "decode" && !is_prefill) continue;
    LITERT_ASSIGN_OR_RETURN(LanguageSignature read, ReadSignature(model, *signature));
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

  const Signature& writer = WriterOf(model, found.decode);
  found.caches = CachesOf(writer);
  if (found.caches.empty())
    return NotALanguageModel("signature 'decode' has no cache: no input that is an output, too");
  for (const LanguageSignature& prefill : found.prefill) {
    const std::vector<std::string> caches = CachesOf(WriterOf(model, prefill));
    if (caches == found.caches) continue;
    return NotALanguageModel(
        fmt::format("signatures '{}' and 'decode' have different caches: {}; {}", prefill.key,
                    fmt::join(caches, ", "), fmt::join(found.caches, ", ")));
  }
  // The cache that is full first is the end for all of them.
  found.context = INT32_MAX;
  for (const std::string& cache : found.caches) {
    const size_t output = *FindPort(writer.outputs, {cache});
    found.context = std::min(found.context, PositionsOf(*writer.outputs[output].tensor));
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
