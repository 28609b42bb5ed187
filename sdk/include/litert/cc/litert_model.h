// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_MODEL_H_
#define ODML_LITERT_LITERT_CC_LITERT_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model.h"
#include "litert/cc/internal/litert_consts.h"
#include "litert/cc/internal/litert_detail.h"
#include "litert/cc/internal/litert_graph.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/internal/litert_load_call.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_abseil.h"
#include "litert/cc/litert_buffer_ref.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_model_types.h"
#include "litert/cc/litert_ranked_tensor_type.h"

namespace litert {

namespace internal {

inline internal::StringView SignatureKey(LiteRtSignature signature) {
  const char* key = nullptr;
  AssertOk(LiteRtGetSignatureKey, signature, &key);
  return key != nullptr ? key : "";
}

// The key, names and tensors of a signature.
inline SimpleSignature FetchSignature(LiteRtSignature signature) {
  const auto names = [](const std::vector<const char*>& in) {
    return SimpleSignature::Names(in.begin(), in.end());
  };
  const auto tensors = [](const std::vector<Tensor>& in) {
    SimpleSignature::Tensors out;
    for (const Tensor& t : in) out.push_back(std::make_unique<Tensor>(t));
    return out;
  };
  return SimpleSignature(SignatureKey(signature),
                         names(Collect<const char*>(signature, LiteRtGetNumSignatureInputs,
                                                    LiteRtGetSignatureInputName)),
                         tensors(Collect<Tensor>(signature, LiteRtGetNumSignatureInputs,
                                                 LiteRtGetSignatureInputTensorByIndex)),
                         names(Collect<const char*>(signature, LiteRtGetNumSignatureOutputs,
                                                    LiteRtGetSignatureOutputName)),
                         tensors(Collect<Tensor>(signature, LiteRtGetNumSignatureOutputs,
                                                 LiteRtGetSignatureOutputTensorByIndex)));
}

}  // namespace internal

class Environment;

// A model, owned or not. Everything got from it points into it.
class Model : public internal::BaseHandle<LiteRtModel> {
 public:
  Model() = default;

  static Model CreateFromOwnedHandle(LiteRtModel model) { return Model(model, OwnHandle::kYes); }
  static Model CreateFromNonOwnedHandle(LiteRtModel model) { return Model(model, OwnHandle::kNo); }
  static Expected<Model> CreateFromFile(const std::string& filename) {
    LITERT_ASSIGN_OR_RETURN(LiteRtModel model, Load(filename));
    return CreateFromOwnedHandle(model);
  }
  // `buffer` must outlive the model.
  static Expected<Model> CreateFromBuffer(const BufferRef<uint8_t>& buffer) {
    LITERT_ASSIGN_OR_RETURN(LiteRtModel model, Load(buffer));
    return CreateFromOwnedHandle(model);
  }

  // `size` bytes at `offset` of an open file, which stays the caller's.
  static Expected<Model> CreateFromFd(int fd, size_t offset, size_t size) {
    LiteRtModel model = nullptr;
    LITERT_RETURN_IF_ERROR(
        LiteRtCreateModelFromFd(/*environment=*/nullptr, fd, offset, size, &model))
        << "cannot load a model from an open file";
    return CreateFromOwnedHandle(model);
  }
  // As v2.2.0 has them. Models don't need the environment here.
  static Expected<Model> CreateFromFile(const Environment&, const std::string& filename) {
    return CreateFromFile(filename);
  }
  static Expected<Model> CreateFromBuffer(const Environment&, const BufferRef<uint8_t>& buffer) {
    return CreateFromBuffer(buffer);
  }
  static Expected<Model> CreateFromFd(const Environment&, int fd, size_t offset, size_t size) {
    return CreateFromFd(fd, offset, size);
  }

  Expected<internal::Span<const uint8_t>> Metadata(const std::string& metadata_key) const {
    const void* buffer = nullptr;
    size_t size = 0;
    if (LiteRtGetModelMetadata(Get(), metadata_key.c_str(), &buffer, &size) != kLiteRtStatusOk) {
      return Unexpected(Status::kErrorNotFound,
                        internal::Text({"no metadata '", metadata_key, "'"}));
    }
    return internal::Span<const uint8_t>(static_cast<const uint8_t*>(buffer), size);
  }

  size_t NumSubgraphs() const {
    LiteRtParamIndex num_subgraphs = 0;
    internal::AssertOk(LiteRtGetNumModelSubgraphs, Get(), &num_subgraphs);
    return num_subgraphs;
  }
  Expected<::litert::Subgraph> Subgraph(size_t subgraph_index) const {
    LiteRtSubgraph subgraph = nullptr;
    if (LiteRtGetModelSubgraph(Get(), subgraph_index, &subgraph) != kLiteRtStatusOk) {
      return Unexpected(Status::kErrorNotFound, internal::Text({"no subgraph ", subgraph_index}));
    }
    return ::litert::Subgraph(subgraph);
  }
  Expected<::litert::Subgraph> Subgraph(internal::StringView signature_key) const {
    for (LiteRtSignature signature : Signatures()) {
      if (internal::SignatureKey(signature) != signature_key) continue;
      LiteRtSubgraph subgraph = nullptr;
      LITERT_RETURN_IF_ERROR(LiteRtGetSignatureSubgraph(signature, &subgraph));
      return ::litert::Subgraph(subgraph);
    }
    return NoSignature(signature_key);
  }
  Expected<::litert::Subgraph> MainSubgraph() const {
    LiteRtParamIndex index = 0;
    LITERT_RETURN_IF_ERROR(LiteRtGetMainModelSubgraphIndex(Get(), &index));
    return Subgraph(index);
  }

  size_t GetNumSignatures() const {
    LiteRtParamIndex num_signatures = 0;
    internal::AssertOk(LiteRtGetNumModelSignatures, Get(), &num_signatures);
    return num_signatures;
  }
  Expected<std::vector<SimpleSignature>> GetSignatures() const {
    std::vector<SimpleSignature> signatures;
    for (LiteRtSignature signature : Signatures()) {
      signatures.push_back(internal::FetchSignature(signature));
    }
    return signatures;
  }
  Expected<std::vector<internal::StringView>> GetSignatureKeys() const {
    std::vector<internal::StringView> keys;
    for (LiteRtSignature signature : Signatures()) {
      keys.push_back(internal::SignatureKey(signature));
    }
    return keys;
  }
  Expected<SimpleSignature> GetSignature(size_t signature_index) const {
    LiteRtSignature signature = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtGetModelSignature(Get(), signature_index, &signature))
        << "no signature " << signature_index;
    return internal::FetchSignature(signature);
  }
  // 0 for an empty key.
  Expected<size_t> GetSignatureIndex(internal::StringView signature_key) const {
    if (signature_key.empty()) return size_t{0};
    const auto signatures = Signatures();
    for (size_t i = 0; i < signatures.size(); ++i) {
      if (internal::SignatureKey(signatures[i]) == signature_key) return i;
    }
    return NoSignature(signature_key);
  }
  // The first one for an empty key.
  Expected<SimpleSignature> FindSignature(internal::StringView signature_key) const {
    LITERT_ASSIGN_OR_RETURN(const size_t index, GetSignatureIndex(signature_key));
    return GetSignature(index);
  }
  static internal::StringView DefaultSignatureKey() { return kDefaultSignatureKey; }

  // The names of the inputs or outputs of a signature, by index or key.
  Expected<std::vector<internal::StringView>> GetSignatureInputNames() const {
    return GetSignatureInputNames(size_t{0});
  }
  template <class IndexOrKey>
  Expected<std::vector<internal::StringView>> GetSignatureInputNames(
      const IndexOrKey& which) const {
    LITERT_ASSIGN_OR_RETURN(const auto signature, SignatureBy(which));
    return signature.InputNames();
  }
  Expected<std::vector<internal::StringView>> GetSignatureOutputNames() const {
    return GetSignatureOutputNames(size_t{0});
  }
  template <class IndexOrKey>
  Expected<std::vector<internal::StringView>> GetSignatureOutputNames(
      const IndexOrKey& which) const {
    LITERT_ASSIGN_OR_RETURN(const auto signature, SignatureBy(which));
    return signature.OutputNames();
  }

  // The type of an input or output: signature by index or key, tensor by index
  // or name.
  template <class Sig, class Which>
  Expected<RankedTensorType> GetInputTensorType(const Sig& sig, const Which& which) const {
    LITERT_ASSIGN_OR_RETURN(const auto signature, SignatureBy(sig));
    return signature.InputTensorType(which);
  }
  Expected<RankedTensorType> GetInputTensorType(internal::StringView input_name) const {
    return GetInputTensorType(size_t{0}, input_name);
  }
  template <class Sig, class Which>
  Expected<RankedTensorType> GetOutputTensorType(const Sig& sig, const Which& which) const {
    LITERT_ASSIGN_OR_RETURN(const auto signature, SignatureBy(sig));
    return signature.OutputTensorType(which);
  }
  Expected<RankedTensorType> GetOutputTensorType(internal::StringView output_name) const {
    return GetOutputTensorType(size_t{0}, output_name);
  }

 protected:
  Model(LiteRtModel model, OwnHandle own)
      : internal::BaseHandle<LiteRtModel>(model, LiteRtDestroyModel, own) {}

  static Expected<LiteRtModel> Load(const std::string& filename) {
    LiteRtModel model = nullptr;
    LITERT_RETURN_IF_ERROR(internal::LoadBy(LiteRtCreateModelFromFile, &model, filename.c_str()))
        << "cannot load '" << filename << "'";
    return model;
  }
  static Expected<LiteRtModel> Load(const BufferRef<uint8_t>& buffer) {
    LiteRtModel model = nullptr;
    const size_t size = buffer.Size();
    LITERT_RETURN_IF_ERROR(
        internal::LoadBy(LiteRtCreateModelFromBuffer, &model, buffer.Data(), size))
        << "cannot load a model from a buffer of " << size << " bytes";
    return model;
  }
  std::vector<LiteRtSignature> Signatures() const {
    return internal::Collect<LiteRtSignature>(Get(), LiteRtGetNumModelSignatures,
                                              LiteRtGetModelSignature);
  }

 private:
  Expected<SimpleSignature> SignatureBy(internal::StringView key) const {
    return FindSignature(key);
  }
  Expected<SimpleSignature> SignatureBy(size_t index) const { return GetSignature(index); }
  static Unexpected NoSignature(internal::StringView key) {
    return Unexpected(Status::kErrorNotFound, internal::Text({"no signature '", key, "'"}));
  }
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_MODEL_H_
