// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Makes models in memory, for tests, the conformance suites and the demo:
//
//   ModelBuilder b;
//   Tensor* x = b.Input("x", kLiteRtElementTypeInt8, {1, 64}, PerTensor(0.5f, -3));
//   Tensor* w = b.Constant<int8_t>("w", {10, 64}, weights, PerTensor(0.01f));
//   Tensor* y = b.Value("y", kLiteRtElementTypeInt8, {1, 10}, PerTensor(0.2f));
//   b.AddOp(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{}, {x, w, nullptr}, {y});
//   b.Output(y);
//   b.AddSignature("serving_default");
//   litert::Expected<std::unique_ptr<Model>> model = b.Build();

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_BUILDER_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_BUILDER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

// One scale for the whole tensor.
Quantization PerTensor(float scale, int64_t zero_point = 0);
// One scale for each index along `dimension`; no zero points: all 0.
Quantization PerChannel(std::vector<float> scales, int32_t dimension,
                        std::vector<int64_t> zero_points = {});

// The element type that holds values of the C++ type T.
template <typename T>
constexpr LiteRtElementType ElementTypeOf() {
  if constexpr (std::is_same_v<T, float>) return kLiteRtElementTypeFloat32;
  if constexpr (std::is_same_v<T, double>) return kLiteRtElementTypeFloat64;
  if constexpr (std::is_same_v<T, int8_t>) return kLiteRtElementTypeInt8;
  if constexpr (std::is_same_v<T, uint8_t>) return kLiteRtElementTypeUInt8;
  if constexpr (std::is_same_v<T, int16_t>) return kLiteRtElementTypeInt16;
  if constexpr (std::is_same_v<T, uint16_t>) return kLiteRtElementTypeUInt16;
  if constexpr (std::is_same_v<T, int32_t>) return kLiteRtElementTypeInt32;
  if constexpr (std::is_same_v<T, uint32_t>) return kLiteRtElementTypeUInt32;
  if constexpr (std::is_same_v<T, int64_t>) return kLiteRtElementTypeInt64;
  if constexpr (std::is_same_v<T, uint64_t>) return kLiteRtElementTypeUInt64;
  return kLiteRtElementTypeNone;
}

// Tensors and ops go into the current subgraph: the main one, until
// BeginSubgraph. The pointers that come back belong to the model and may be
// edited freely. Use once; not thread-safe.
class ModelBuilder {
 public:
  using Shape = std::vector<int32_t>;

  ModelBuilder();
  ~ModelBuilder();

  // -- Tensors --

  // An input of the subgraph. A dimension of -1 is dynamic.
  Tensor* Input(std::string name, LiteRtElementType type, Shape shape,
                Quantization quantization = {});
  // What an op computes.
  Tensor* Value(std::string name, LiteRtElementType type, Shape shape,
                Quantization quantization = {});
  // Bytes are copied.
  Tensor* Constant(std::string name, LiteRtElementType type, Shape shape,
                   std::span<const uint8_t> bytes, Quantization quantization = {});
  template <typename T>
  Tensor* Constant(std::string name, Shape shape, const std::vector<T>& values,
                   Quantization quantization = {}) {
    static_assert(ElementTypeOf<T>() != kLiteRtElementTypeNone);
    return Constant(std::move(name), ElementTypeOf<T>(), std::move(shape),
                    {reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)},
                    std::move(quantization));
  }
  // A constant that shares another one's bytes.
  Tensor* SharedConstant(std::string name, LiteRtElementType type, Shape shape,
                         const Tensor& same_bytes_as, Quantization quantization = {});
  // Makes a tensor an output of the subgraph; outputs come in the order of the
  // calls.
  void Output(Tensor* tensor);

  // -- Ops --

  // A null input is an omitted optional one.
  Op* AddOp(LiteRtOpCode code, OpOptions options, const std::vector<Tensor*>& inputs,
            const std::vector<Tensor*>& outputs, int32_t version = 1);
  // With the schema's default options.
  Op* AddOp(LiteRtOpCode code, const std::vector<Tensor*>& inputs,
            const std::vector<Tensor*>& outputs, int32_t version = 1);
  Op* AddCustomOp(std::string custom_code, std::vector<uint8_t> custom_options,
                  const std::vector<Tensor*>& inputs, const std::vector<Tensor*>& outputs,
                  int32_t version = 1);
  // A STABLEHLO_COMPOSITE whose decomposition is a subgraph of this builder.
  Op* AddComposite(std::string name, int32_t decomposition_subgraph,
                   const std::vector<Tensor*>& inputs, const std::vector<Tensor*>& outputs);

  // -- Subgraphs and the model --

  // Starts a further subgraph and gives its index; it becomes the current one.
  int32_t BeginSubgraph(std::string name);
  // Makes an earlier subgraph the current one again.
  void SelectSubgraph(int32_t index);
  // A signature of the current subgraph as it is now: all its inputs and
  // outputs, under their tensors' names.
  void AddSignature(std::string key);
  void AddMetadata(std::string_view name, std::vector<uint8_t> bytes);

  // The model under construction, for whatever has no function here.
  Model& model() { return *model_; }

  // Checks the model (model_verifier.h) and hands it over.
  litert::Expected<std::unique_ptr<Model>> Build();
  // Hands it over as it is, for tests of what is wrong.
  std::unique_ptr<Model> BuildUnchecked();

 private:
  Tensor* AddTensor(std::string name, LiteRtElementType type, Shape shape,
                    Quantization quantization);

  std::unique_ptr<Model> model_;
  Subgraph* current_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_BUILDER_H_
