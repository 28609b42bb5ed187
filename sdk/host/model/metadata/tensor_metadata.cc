// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/metadata/tensor_metadata.h"

#include <algorithm>

#include "sdk/host/model/file/tensor_metadata_schema_generated.h"

namespace npukit {
namespace {

const metadata::TensorMetadata* EntryOf(const metadata::ModelMetadata& root, size_t subgraph,
                                        size_t input) {
  const auto* subgraphs = root.subgraph_metadata();
  if (subgraphs == nullptr || subgraph >= subgraphs->size()) return nullptr;
  const auto* found = subgraphs->Get(static_cast<flatbuffers::uoffset_t>(subgraph));
  if (found == nullptr) return nullptr;
  const auto* inputs = found->input_tensor_metadata();
  if (inputs == nullptr || input >= inputs->size()) return nullptr;
  return inputs->Get(static_cast<flatbuffers::uoffset_t>(input));
}

std::optional<InputNormalization> NormalizationOf(const metadata::TensorMetadata* entry) {
  if (entry == nullptr || entry->process_units() == nullptr) return std::nullopt;
  for (const metadata::ProcessUnit* unit : *entry->process_units()) {
    if (unit == nullptr) continue;
    const auto* options = unit->options_as_NormalizationOptions();
    if (options == nullptr || options->mean() == nullptr || options->deviation() == nullptr)
      continue;
    return InputNormalization{
        .mean = {options->mean()->begin(), options->mean()->end()},
        .deviation = {options->deviation()->begin(), options->deviation()->end()}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<InputNormalization> NormalizationInMetadata(const Model& model, const Tensor& input) {
  const Model::Metadata* entry = model.FindMetadata(kTensorMetadata);
  if (entry == nullptr) return std::nullopt;
  // A copy, which is aligned whatever the file says.
  const std::span<const uint8_t> stored = model.buffers().Get(entry->buffer).bytes;
  const std::vector<uint8_t> bytes(stored.begin(), stored.end());
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  if (!metadata::VerifyModelMetadataBuffer(verifier)) return std::nullopt;
  const metadata::ModelMetadata* root = metadata::GetModelMetadata(bytes.data());
  for (size_t s = 0; s < model.subgraphs().size(); ++s) {
    const auto& inputs = model.subgraph(s).inputs;
    const auto found = std::find(inputs.begin(), inputs.end(), &input);
    if (found == inputs.end()) continue;
    return NormalizationOf(EntryOf(*root, s, static_cast<size_t>(found - inputs.begin())));
  }
  return std::nullopt;
}

}  // namespace npukit
