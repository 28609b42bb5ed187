// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/session/entries.h"

#include <fmt/format.h>

#include <algorithm>

namespace npukit {
namespace {

// The entry's inputs of that name: by the signature's names, or else by the tensors' own.
std::vector<const Tensor*> InputsNamed(const Entry& entry, const std::string& wanted) {
  std::vector<const Tensor*> by_signature;
  std::vector<const Tensor*> by_tensor;
  for (const Tensor* input : entry.subgraph->inputs) {
    const auto name = entry.names.find(input);
    if (name != entry.names.end() && name->second == wanted) by_signature.push_back(input);
    if (input->name == wanted) by_tensor.push_back(input);
  }
  return by_signature.empty() ? by_tensor : by_signature;
}

}  // namespace

std::vector<const Subgraph*> EntrySubgraphs(const Model& model) {
  std::vector<const Subgraph*> entries;
  for (const auto& signature : model.signatures) {
    if (std::find(entries.begin(), entries.end(), signature->subgraph) == entries.end()) {
      entries.push_back(signature->subgraph);
    }
  }
  if (entries.empty()) entries.push_back(&model.main_subgraph());
  return entries;
}

std::vector<std::string> KeysOf(const Model& model) {
  std::vector<std::string> keys;
  for (const auto& signature : model.signatures) keys.push_back(signature->key);
  return keys;
}

litert::Expected<Entry> FindEntry(const Model& model, std::string_view key) {
  if (model.signatures.empty() && key.empty())
    return Entry{.key = {}, .subgraph = &model.main_subgraph(), .names = {}};
  std::vector<std::string> known;
  for (const auto& signature : model.signatures) {
    if (key.empty() || signature->key == key) {
      Entry entry{.key = signature->key, .subgraph = signature->subgraph, .names = {}};
      for (const auto& input : signature->inputs) entry.names[input.tensor] = input.name;
      // Of a tensor that is both, the input's name counts: FindResizes looks for inputs.
      for (const auto& output : signature->outputs) entry.names.emplace(output.tensor, output.name);
      return entry;
    }
    known.push_back(fmt::format("'{}'", signature->key));
  }
  return litert::Unexpected(
      kLiteRtStatusErrorNotFound,
      fmt::format("there is no signature '{}'; {}", key,
                  known.empty() ? "the model has none"
                                : fmt::format("there are {}", fmt::join(known, ", "))));
}

void FindResizes(const Entry& entry, const std::vector<ResizeRequest>& requests,
                 std::map<const Tensor*, kernels::Shape>& shapes, std::set<size_t>& found) {
  for (size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].signature && *requests[i].signature != entry.key) continue;
    for (const Tensor* input : InputsNamed(entry, requests[i].tensor)) {
      shapes[input] = requests[i].shape;
      found.insert(i);
    }
  }
}

}  // namespace npukit
