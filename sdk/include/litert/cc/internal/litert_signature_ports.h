// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Names and element types of a model's inputs and outputs, for litert_compiled_model.h.

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_SIGNATURE_PORTS_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_SIGNATURE_PORTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/internal/litert_graph.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_element_type.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_tensor_buffer_types.h"

namespace litert::internal {

class Ports {
 public:
  void Add(std::string name, LiteRtTensor tensor) {
    const auto type = Tensor(tensor).RankedTensorType();
    ports_.push_back({std::move(name), type ? type->ElementType() : ElementType::None, tensor});
  }

  size_t size() const { return ports_.size(); }
  ElementType element_type(size_t index) const { return ports_[index].element_type; }
  std::vector<StringView> Names() const {
    std::vector<StringView> names;
    for (const Port& port : ports_) names.emplace_back(port.name);
    return names;
  }

  // By name or index.
  Expected<size_t> Index(StringView name) const {
    for (size_t i = 0; i < ports_.size(); ++i) {
      if (ports_[i].name == name) return i;
    }
    return Unexpected(Status::kErrorNotFound,
                      "no input or output named '" + std::string(name) + "'");
  }
  Expected<size_t> Index(size_t index) const {
    if (index < ports_.size()) return index;
    return Unexpected(Status::kErrorIndexOOB);
  }

  template <typename Which>
  Expected<RankedTensorType> Type(const Which& which) const {
    LITERT_ASSIGN_OR_RETURN(const size_t index, Index(which));
    return Tensor(ports_[index].tensor).RankedTensorType();
  }

  // The buffers of a map by name, in order.
  template <typename Map>
  Expected<std::vector<LiteRtTensorBuffer>> Handles(const Map& map) const {
    std::vector<LiteRtTensorBuffer> handles;
    for (const Port& port : ports_) {
      const auto found = map.find(typename Map::key_type(port.name.data(), port.name.size()));
      if (found == map.end()) {
        return Unexpected(Status::kErrorInvalidArgument, "no buffer for '" + port.name + "'");
      }
      handles.push_back(found->second.Get());
    }
    return handles;
  }

 private:
  struct Port {
    std::string name;
    ElementType element_type;
    LiteRtTensor tensor;  // the model's
  };
  std::vector<Port> ports_;
};

struct SignaturePorts {
  std::string key;
  Ports inputs;
  Ports outputs;
};

inline SignaturePorts ReadPorts(LiteRtSignature signature) {
  SignaturePorts ports;
  const char* key = "";
  AssertOk(LiteRtGetSignatureKey, signature, &key);
  ports.key = key;
  LiteRtParamIndex count = 0;
  AssertOk(LiteRtGetNumSignatureInputs, signature, &count);
  for (LiteRtParamIndex i = 0; i < count; ++i) {
    const char* name = "";
    LiteRtTensor tensor = nullptr;
    AssertOk(LiteRtGetSignatureInputName, signature, i, &name);
    AssertOk(LiteRtGetSignatureInputTensorByIndex, signature, i, &tensor);
    ports.inputs.Add(name, tensor);
  }
  AssertOk(LiteRtGetNumSignatureOutputs, signature, &count);
  for (LiteRtParamIndex i = 0; i < count; ++i) {
    const char* name = "";
    LiteRtTensor tensor = nullptr;
    AssertOk(LiteRtGetSignatureOutputName, signature, i, &name);
    AssertOk(LiteRtGetSignatureOutputTensorByIndex, signature, i, &tensor);
    ports.outputs.Add(name, tensor);
  }
  return ports;
}

// Of every signature; of the first subgraph for a model without one.
inline Expected<std::vector<SignaturePorts>> ReadSignaturePorts(LiteRtModel model) {
  std::vector<SignaturePorts> all;
  LiteRtParamIndex count = 0;
  LITERT_RETURN_IF_ERROR(LiteRtGetNumModelSignatures(model, &count));
  for (LiteRtParamIndex i = 0; i < count; ++i) {
    LiteRtSignature signature = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtGetModelSignature(model, i, &signature));
    all.push_back(ReadPorts(signature));
  }
  if (!all.empty()) return all;
  LiteRtSubgraph main = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtGetModelSubgraph(model, 0, &main));
  SignaturePorts ports;
  for (const Tensor& input : Subgraph(main).Inputs()) {
    ports.inputs.Add(std::string(input.Name()), input.Get());
  }
  for (const Tensor& output : Subgraph(main).Outputs()) {
    ports.outputs.Add(std::string(output.Name()), output.Get());
  }
  all.push_back(std::move(ports));
  return all;
}

inline Expected<TensorBufferRequirements> ReadRequirements(LiteRtTensorBufferRequirements from) {
  int num_types = 0;
  LITERT_RETURN_IF_ERROR(
      LiteRtGetNumTensorBufferRequirementsSupportedBufferTypes(from, &num_types));
  std::vector<TensorBufferType> types;
  for (int i = 0; i < num_types; ++i) {
    LiteRtTensorBufferType type{};
    LITERT_RETURN_IF_ERROR(
        LiteRtGetTensorBufferRequirementsSupportedTensorBufferType(from, i, &type));
    types.push_back(static_cast<TensorBufferType>(type));
  }
  size_t size = 0;
  size_t alignment = 0;
  int num_strides = 0;
  const uint32_t* strides = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferRequirementsBufferSize(from, &size));
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferRequirementsAlignment(from, &alignment));
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferRequirementsStrides(from, &num_strides, &strides));
  return TensorBufferRequirements::CreateWithAlignment(
      types, size, alignment, Span<const uint32_t>(strides, static_cast<size_t>(num_strides)));
}

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_SIGNATURE_PORTS_H_
