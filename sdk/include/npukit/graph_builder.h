// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Models made by calls: for a vendor's own tests, and for tools that write .tflite files. In a file of
// its own, libnpukit_graph.so (CMake: npukit::graph), which needs neither the host nor a plugin.
//
//   npukit::GraphBuilder graph;
//   using Quantization = npukit::GraphBuilder::Quantization;
//   const auto x = graph.AddInput("x", {kLiteRtElementTypeInt8, {1, 64}, Quantization::PerTensor(0.5f)});
//   const auto w = graph.AddConstant(
//       "w", {kLiteRtElementTypeInt8, {10, 64}, Quantization::PerChannel(scales, 0)}, weights);
//   const auto y = graph.AddOp(
//       kLiteRtOpCodeTflFullyConnected, {x, w, {}}, "y",
//       {kLiteRtElementTypeInt8, {1, 10}, Quantization::PerTensor(0.2f, -3)},
//       {{"fused_activation_function", "RELU"}});
//   graph.AddOutput(y);
//   graph.AddSignature("serving_default");
//   LITERT_RETURN_IF_ERROR(graph.Save("dense.tflite"));
//
// Shapes are given, not inferred. What is wrong in a call is said by Build or Save, which name the first
// such call; the calls after it do nothing.

#ifndef NPUKIT_GRAPH_BUILDER_H_
#define NPUKIT_GRAPH_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/litert_expected.h"

namespace npukit {

// Ops and tensors go into the current subgraph: the main one, until AddSubgraph or Select. One thread at
// a time.
class __attribute__((visibility("default"))) GraphBuilder {
 public:
  // A tensor of this builder. One that is default-constructed is an omitted optional input.
  class Tensor {
   public:
    Tensor() : Tensor(-1, -1) {}

   private:
    friend class GraphBuilder;
    Tensor(int32_t subgraph, int32_t index) : subgraph_(subgraph), index_(index) {}
    int32_t subgraph_;
    int32_t index_;
  };

  // A subgraph of this builder: what options like `then_subgraph_index` count.
  struct Subgraph {
    int32_t index = 0;
  };

  // real = scale * (stored - zero_point). Default: none.
  struct Quantization {
    static Quantization PerTensor(float scale, int64_t zero_point = 0) {
      return {{scale}, {zero_point}, 0, 0, {}, {}};
    }
    // A scale for each index along `dimension`, and as many zero points or none, which are 0 then.
    static Quantization PerChannel(std::vector<float> scales, int32_t dimension,
                                   std::vector<int64_t> zero_points = {}) {
      return {std::move(scales), std::move(zero_points), dimension, 0, {}, {}};
    }
    // A scale for each `block_size_elems` elements along the last dimension: float16 constants of the
    // same subgraph, of shape [rows, columns / block_size_elems]. Zero points: likewise, or none.
    static Quantization Blockwise(int32_t block_size_elems, Tensor scales,
                                  Tensor zero_points = Tensor()) {
      return {{}, {}, 0, block_size_elems, scales, zero_points};
    }

    std::vector<float> scales;
    std::vector<int64_t> zero_points;
    int32_t dimension = 0;
    int32_t block_size_elems = 0;  // 0: not blockwise
    Tensor block_scales;
    Tensor block_zero_points;
  };

  // int4 and int2 are stored two and four to a byte, the first in the lowest bits.
  struct TensorType {
    LiteRtElementType element_type = kLiteRtElementTypeFloat32;
    std::vector<int32_t> shape;  // -1: dynamic
    Quantization quantization;
  };
  struct NamedTensorType {
    std::string name;
    TensorType type;
  };

  // The value of an option: a number, a truth value, an enumerator's name, bytes, or a list.
  class OptionValue {
   public:
    using Held =
        std::variant<bool, int64_t, double, std::string, std::vector<int64_t>, std::vector<double>>;
    template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    OptionValue(T number) : held_(Widened(number)) {}
    OptionValue(const char* text) : held_(std::string(text)) {}
    OptionValue(std::string text) : held_(std::move(text)) {}
    template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    OptionValue(const std::vector<T>& list) : held_(WidenedList(list)) {}

    const Held& held() const { return held_; }

   private:
    template <typename T>
    static auto Widened(T number) {
      if constexpr (std::is_same_v<T, bool>) {
        return number;
      } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<double>(number);
      } else {
        return static_cast<int64_t>(number);
      }
    }
    template <typename T>
    static auto WidenedList(const std::vector<T>& list) {
      using Wide = std::conditional_t<std::is_floating_point_v<T>, double, int64_t>;
      return std::vector<Wide>(list.begin(), list.end());
    }
    Held held_;
  };
  // A field of the operator's options table, by its name in the .tflite schema. Fields that are not named
  // have the schema's default, strides, multipliers and filter sizes 1.
  struct Option {
    std::string name;
    OptionValue value;
  };
  using Options = std::vector<Option>;

  GraphBuilder();
  GraphBuilder(GraphBuilder&&) noexcept;
  GraphBuilder& operator=(GraphBuilder&&) noexcept;
  ~GraphBuilder();

  // -- Tensors --

  Tensor AddInput(const std::string& name, const TensorType& type);
  // Copies the bytes, which must be as many as type and shape ask for.
  Tensor AddConstant(const std::string& name, const TensorType& type, const void* data,
                     size_t size_bytes);
  template <typename T>
  Tensor AddConstant(const std::string& name, const TensorType& type,
                     const std::vector<T>& elements) {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    return AddConstant(name, type, elements.data(), elements.size() * sizeof(T));
  }
  // Keeps its value between runs; 0 at first.
  Tensor AddVariable(const std::string& name, const TensorType& type);
  void AddOutput(Tensor tensor);

  // -- Ops: in the order in which they run --

  std::vector<Tensor> AddOp(LiteRtOpCode code, const std::vector<Tensor>& inputs,
                            const std::vector<NamedTensorType>& outputs,
                            const Options& options = {}, int32_t version = 1);
  // With one output.
  Tensor AddOp(LiteRtOpCode code, const std::vector<Tensor>& inputs, const std::string& output,
               const TensorType& type, const Options& options = {}, int32_t version = 1);
  std::vector<Tensor> AddCustomOp(const std::string& custom_code,
                                  const std::vector<uint8_t>& custom_options,
                                  const std::vector<Tensor>& inputs,
                                  const std::vector<NamedTensorType>& outputs, int32_t version = 1);
  // A STABLEHLO_COMPOSITE ("odml.rms_norm"). Attributes: a FlexBuffers map, or nothing.
  std::vector<Tensor> AddComposite(const std::string& name, Subgraph decomposition,
                                   const std::vector<Tensor>& inputs,
                                   const std::vector<NamedTensorType>& outputs,
                                   const std::vector<uint8_t>& attributes = {});

  // -- Subgraphs and the model --

  // It becomes the current one. Subgraph{0} is the main one.
  Subgraph AddSubgraph(const std::string& name);
  void Select(Subgraph subgraph);
  // Of the current subgraph as it is now: all its inputs and outputs, under their tensors' names.
  void AddSignature(const std::string& key);
  void AddMetadata(const std::string& name, const std::vector<uint8_t>& bytes);

  // The .tflite file's bytes; the same calls always give the same. Nothing can be added afterwards; both
  // may be called again.
  // Errors: kLiteRtStatusErrorInvalidArgument for a wrong call ("op 2 (CONV_2D): no option 'stride'"), the
  // model's own where it makes no sense as a whole (an input of an op that nothing computes).
  litert::Expected<std::vector<uint8_t>> Build();
  // Written beside the path, then renamed.
  litert::Expected<void> Save(const std::string& path);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace npukit

#endif  // NPUKIT_GRAPH_BUILDER_H_
