// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_EXTENDED_MODEL_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_EXTENDED_MODEL_H_

// A model that can also be changed and saved, and its signatures as handles.
// Subgraph, Op, Tensor and Weights come with it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model.h"
#include "litert/cc/internal/litert_graph.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/internal/litert_logging.h"
#include "litert/cc/litert_abseil.h"
#include "litert/cc/litert_buffer_ref.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_model.h"

namespace litert {

class Signature : public internal::NonOwnedHandle<LiteRtSignature>, public litert::SimpleSignature {
 public:
  explicit Signature(LiteRtSignature signature)
      : internal::NonOwnedHandle<LiteRtSignature>(signature),
        SimpleSignature(internal::FetchSignature(signature)) {}

  LiteRtSubgraph Subgraph() const {
    LiteRtSubgraph subgraph = nullptr;
    internal::AssertOk(LiteRtGetSignatureSubgraph, Get(), &subgraph);
    return subgraph;
  }
};

class ExtendedModel : public litert::Model {
 public:
  ExtendedModel() = default;

  static ExtendedModel CreateFromOwnedHandle(LiteRtModel model) {
    return ExtendedModel(model, OwnHandle::kYes);
  }
  static ExtendedModel CreateFromNonOwnedHandle(LiteRtModel model) {
    return ExtendedModel(model, OwnHandle::kNo);
  }
  static Expected<ExtendedModel> CreateFromFile(const std::string& filename) {
    LITERT_ASSIGN_OR_RETURN(LiteRtModel model, Load(filename));
    return CreateFromOwnedHandle(model);
  }
  // `buffer` must outlive the model.
  static Expected<ExtendedModel> CreateFromBuffer(const BufferRef<uint8_t>& buffer) {
    LITERT_ASSIGN_OR_RETURN(LiteRtModel model, Load(buffer));
    return CreateFromOwnedHandle(model);
  }

  Expected<void> AddMetadata(const std::string& metadata_key, const std::string& metadata_data) {
    LITERT_RETURN_IF_ERROR(LiteRtAddModelMetadata(Get(), metadata_key.c_str(), metadata_data.data(),
                                                  metadata_data.size()))
        << "cannot add metadata '" << metadata_key << "'";
    return {};
  }

  Expected<std::vector<Signature>> GetSignatures() const {
    std::vector<Signature> signatures;
    for (LiteRtSignature signature : Signatures()) {
      signatures.emplace_back(signature);
    }
    return signatures;
  }

  // The model as the bytes of a .tflite. Gives the model away.
  static Expected<OwningBufferRef<uint8_t>> Serialize(
      Model&& model, const LiteRtModelSerializationOptions& options) {
    OwningBufferRef<uint8_t> buffer;
    auto [data, size, offset] = buffer.GetWeak();
    LITERT_RETURN_IF_ERROR(LiteRtSerializeModel(model.Release(), &data, &size, &offset,
                                                /*destroy_model=*/true, options));
    return buffer;
  }

 private:
  ExtendedModel(LiteRtModel model, OwnHandle own) : Model(model, own) {}
};

struct SerializationOptions {
  static LiteRtModelSerializationOptions Defaults() {
    LiteRtModelSerializationOptions options{};
    options.bytecode_alignment = 1;
    return options;
  }
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_EXTENDED_MODEL_H_
