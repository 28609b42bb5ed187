// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A value of the graph: an activation or a constant.

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_TENSOR_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_TENSOR_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_layout.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/buffer_store.h"
#include "sdk/host/model/graph/quantization.h"
#include "sdk/host/model/options/empty_fields.h"
#include "sdk/host/model/options/op_options.h"

// The bytes of one tensor; what the C API's LiteRtWeights points at. Lives
// inside its tensor.
struct LiteRtWeightsT {
  npukit::BufferStore* store = nullptr;  // the model's
  npukit::BufferStore::Id buffer_id = npukit::BufferStore::kEmpty;

  std::span<const uint8_t> bytes() const {
    return store == nullptr ? std::span<const uint8_t>() : store->Get(buffer_id).bytes;
  }
};

// Owned by its subgraph, at a stable address. `defining_op`, `users` and
// `index` are kept true by the subgraph's editing functions (subgraph.h);
// everything else may be written directly.
struct LiteRtTensorT {
  // Rank-1 data of the schema's VariantSubType, kept for saving.
  struct VariantSubType {
    std::vector<int32_t> shape;
    LiteRtElementType element_type = kLiteRtElementTypeNone;
    bool has_rank = false;
    bool operator==(const VariantSubType&) const = default;
  };
  struct User {
    LiteRtOpT* op = nullptr;
    uint32_t input_index = 0;  // position among the op's inputs, omitted ones counted
    bool operator==(const User&) const = default;
  };

  std::string name;
  LiteRtElementType element_type = kLiteRtElementTypeFloat32;
  std::vector<int32_t> shape;  // dynamic dimensions stand here as the file has them, mostly 1
  std::vector<int32_t> shape_signature;  // empty, or as long as shape with -1
                                         // for dynamic dimensions
  bool has_rank = false;                 // as in the file; older files leave it unset though ranked
  bool is_variable = false;
  npukit::Quantization quantization;
  bool has_quantization = false;  // the file may hold an empty table
  npukit::Rare<npukit::Sparsity> sparsity;
  std::vector<VariantSubType> variant_tensors;
  uint32_t external_buffer = 0;          // id in the model's external buffers; 0: none
  npukit::EmptyFields empty_fields = 1;  // of the schema's Tensor; a new scalar's empty shape
                                         // (field 0) is written
  npukit::EmptyFields quantization_empty_fields = 0;  // of its QuantizationParameters
  LiteRtWeightsT weights;

  uint32_t index = 0;                // position in the subgraph's tensors
  LiteRtOpT* defining_op = nullptr;  // null for subgraph inputs and constants
  uint32_t defining_output_index = 0;
  std::vector<User> users;  // by op order of connection; an op that reads twice stands twice

  bool is_constant() const { return defining_op == nullptr && !weights.bytes().empty(); }
  // True if a dimension is unknown until run time.
  bool is_dynamic() const {
    for (int32_t dim : shape_signature) {
      if (dim < 0) return true;
    }
    for (int32_t dim : shape) {
      if (dim < 0) return true;
    }
    return false;
  }
};

namespace npukit {
using Tensor = ::LiteRtTensorT;
using Weights = ::LiteRtWeightsT;

// In schema 3d (LiteRT v2.2.0) but without a name in abi 2.1; the values are
// those that LiteRT v2.2.0 gives them.
inline constexpr auto kElementTypeUInt4 = static_cast<LiteRtElementType>(21);
inline constexpr auto kElementTypeFloat8E4M3FN = static_cast<LiteRtElementType>(22);
inline constexpr auto kElementTypeFloat8E5M2 = static_cast<LiteRtElementType>(23);

// Between the numbering of a file and that of the C API. nullopt for what the
// other side does not know.
std::optional<LiteRtElementType> ElementTypeFromSchema(TensorType type);
std::optional<TensorType> ElementTypeToSchema(LiteRtElementType type);

// Bits of one element; 0 for types without a fixed size (strings, resources,
// variants).
int ElementBits(LiteRtElementType type);
// Numbers of element types are below: what LiteRtElementType's bits do not hold is no value of it.
inline constexpr int kElementTypeLimit = 32;
// "float32", "int8", ...; "type 25" for unknown values.
std::string ElementTypeName(LiteRtElementType type);
// Bytes of a dense tensor of that type and shape; nullopt if a dimension is
// negative, the product overflows 2^63 or the type has no fixed size. int4 is
// packed two to a byte.
std::optional<uint64_t> DenseBytes(LiteRtElementType type, std::span<const int32_t> shape);
// The layout of a dense tensor of that shape. Unsupported, with a message that begins with `what`,
// if a layout has no room for so many dimensions.
litert::Expected<LiteRtLayout> LayoutOf(std::string_view what, std::span<const int32_t> shape);
}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_TENSOR_H_
