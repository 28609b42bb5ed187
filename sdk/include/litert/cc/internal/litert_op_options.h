// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_OP_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_OP_OPTIONS_H_

// The options of ops as structs: InitFromOp() reads them from an op of the
// right code, SetOpOptions() gives them to an op that a builder made, and
// GetOptionsAs<AddOptions>(op) is the short form of the first.

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "litert/c/litert_builder.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"
#include "litert/c/litert_op_options.h"
#include "litert/cc/internal/litert_flex_map.h"
#include "litert/cc/internal/litert_op_options_table.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/internal/litert_tflite_enums.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert {

struct OpOptions {
  // kLiteRtStatusErrorInvalidArgument for an op of another code.
  virtual LiteRtStatus InitFromOp(LiteRtOp op) = 0;
  virtual ~OpOptions() = default;
};

namespace internal {

inline LiteRtStatus CheckOpCode(LiteRtOp op, LiteRtOpCode wanted) {
  LiteRtOpCode code{};
  LITERT_RETURN_IF_ERROR(LiteRtGetOpCode(op, &code));
  return code == wanted ? kLiteRtStatusOk : kLiteRtStatusErrorInvalidArgument;
}

// The dimensions that a C getter answers with.
inline LiteRtStatus ReadDims(LiteRtOp op, std::vector<int32_t>& dims,
                             LiteRtStatus (*get)(LiteRtOp, const int32_t**, int32_t*)) {
  const int32_t* data = nullptr;
  int32_t size = 0;
  LITERT_RETURN_IF_ERROR(get(op, &data, &size));
  // Negative: the op has no options.
  dims.assign(data, data + (data != nullptr && size > 0 ? size : 0));
  return kLiteRtStatusOk;
}

}  // namespace internal

#define LITERT_INTERNAL_DECLARE_FIELD(type, field, getter) type field{};
#define LITERT_INTERNAL_GET_FIELD(type, field, getter) \
  LITERT_RETURN_IF_ERROR(getter(op_to_read, &field));
#define LITERT_INTERNAL_ADDRESS_OF_FIELD(type, field, getter) , &field
#define LITERT_INTERNAL_OPTIONS_STRUCT(Struct, code, builder_name, FIELDS)            \
  struct Struct : public OpOptions {                                                  \
    LiteRtOp op = nullptr;                                                            \
    FIELDS(LITERT_INTERNAL_DECLARE_FIELD)                                             \
    LiteRtStatus InitFromOp(LiteRtOp op_to_read) override {                           \
      LITERT_RETURN_IF_ERROR(internal::CheckOpCode(op_to_read, kLiteRtOpCode##code)); \
      FIELDS(LITERT_INTERNAL_GET_FIELD)                                               \
      op = op_to_read;                                                                \
      return kLiteRtStatusOk;                                                         \
    }                                                                                 \
    Expected<void> SetOpOptions(LiteRtBuilder builder) {                              \
      LITERT_RETURN_IF_ERROR(LiteRtBuilderBuild##builder_name##OpOption(              \
          builder, op FIELDS(LITERT_INTERNAL_ADDRESS_OF_FIELD)));                     \
      return {};                                                                      \
    }                                                                                 \
  };
LITERT_INTERNAL_OP_OPTIONS(LITERT_INTERNAL_OPTIONS_STRUCT)
#undef LITERT_INTERNAL_OPTIONS_STRUCT
#undef LITERT_INTERNAL_ADDRESS_OF_FIELD
#undef LITERT_INTERNAL_GET_FIELD
#undef LITERT_INTERNAL_DECLARE_FIELD

struct FullyConnectedOptions : public OpOptions {
  LiteRtOp op = nullptr;
  ActivationFunction fused_activation_function = kActivationFunctionTypeRelu;
  FullyConnectedOptionsWeightsFormat weights_format{};
  bool keep_num_dims{};
  LiteRtElementType quantized_bias_type{};
  bool asymmetric_quantize_input{};

  LiteRtStatus InitFromOp(LiteRtOp op_to_read) override {
    LITERT_RETURN_IF_ERROR(internal::CheckOpCode(op_to_read, kLiteRtOpCodeTflFullyConnected));
    LITERT_RETURN_IF_ERROR(
        LiteRtGetFullyConnectedFusedActivationOption(op_to_read, &fused_activation_function));
    LITERT_RETURN_IF_ERROR(LiteRtGetFullyConnectedWeightsFormatOption(op_to_read, &weights_format));
    LITERT_RETURN_IF_ERROR(LiteRtGetFullyConnectedKeepNumDimsOption(op_to_read, &keep_num_dims));
    uint32_t tflite_type = 0;
    LITERT_RETURN_IF_ERROR(
        LiteRtFullyConnectedGetQuantizedBiasTypeOption(op_to_read, &tflite_type));
    quantized_bias_type = GetElementType(tflite_type);
    LITERT_RETURN_IF_ERROR(LiteRtGetFullyConnectedAsymmetricQuantizeInputOption(
        op_to_read, &asymmetric_quantize_input));
    op = op_to_read;
    return kLiteRtStatusOk;
  }
  Expected<void> SetOpOptions(LiteRtBuilder builder) {
    uint32_t tflite_type = GetTfliteTensorType(quantized_bias_type);
    LITERT_RETURN_IF_ERROR(LiteRtBuilderBuildFullyConnectedOpOption(
        builder, op, &fused_activation_function, &weights_format, &keep_num_dims, &tflite_type,
        &asymmetric_quantize_input));
    return {};
  }
};

struct PackOptions : public OpOptions {
  LiteRtOp op = nullptr;
  int32_t axis{};

  LiteRtStatus InitFromOp(LiteRtOp op_to_read) override {
    LITERT_RETURN_IF_ERROR(internal::CheckOpCode(op_to_read, kLiteRtOpCodeTflPack));
    LITERT_RETURN_IF_ERROR(LiteRtGetPackAxisOption(op_to_read, &axis));
    op = op_to_read;
    return kLiteRtStatusOk;
  }
  Expected<void> SetOpOptions(LiteRtBuilder builder) {
    LiteRtParamIndex num_inputs = 0;
    LITERT_RETURN_IF_ERROR(LiteRtGetNumOpInputs(op, &num_inputs));
    int32_t values_count = static_cast<int32_t>(num_inputs);
    LITERT_RETURN_IF_ERROR(LiteRtBuilderBuildPackOpOption(builder, op, &axis, &values_count));
    return {};
  }
};

struct ReshapeOptions : public OpOptions {
  LiteRtOp op = nullptr;
  std::vector<int32_t> new_shape;

  LiteRtStatus InitFromOp(LiteRtOp op_to_read) override {
    LITERT_RETURN_IF_ERROR(internal::CheckOpCode(op_to_read, kLiteRtOpCodeTflReshape));
    LITERT_RETURN_IF_ERROR(
        internal::ReadDims(op_to_read, new_shape, LiteRtGetReshapeNewShapeOption));
    op = op_to_read;
    return kLiteRtStatusOk;
  }
  Expected<void> SetOpOptions(LiteRtBuilder builder) {
    LITERT_RETURN_IF_ERROR(LiteRtBuilderBuildReshapeOpOption(
        builder, op, new_shape.data(), static_cast<int32_t>(new_shape.size())));
    return {};
  }
};

struct SqueezeOptions : public OpOptions {
  LiteRtOp op = nullptr;
  std::vector<int32_t> squeeze_dims;

  LiteRtStatus InitFromOp(LiteRtOp op_to_read) override {
    LITERT_RETURN_IF_ERROR(internal::CheckOpCode(op_to_read, kLiteRtOpCodeTflSqueeze));
    LITERT_RETURN_IF_ERROR(
        internal::ReadDims(op_to_read, squeeze_dims, LiteRtGetSqueezeDimsOption));
    op = op_to_read;
    return kLiteRtStatusOk;
  }
  Expected<void> SetOpOptions(LiteRtBuilder builder) {
    LITERT_RETURN_IF_ERROR(LiteRtBuilderBuildSqueezeOpOption(
        builder, op, squeeze_dims.data(), static_cast<int32_t>(squeeze_dims.size())));
    return {};
  }
};

// A composite: an op that names its meaning and carries a decomposition.
struct CompositeOptions : public OpOptions {
  // The composite that is always compiled whole, and others with known meaning.
  static constexpr internal::StringView kNpuCall = "odml.npu_call";
  static constexpr internal::StringView kRmsNorm = "odml.rms_norm";
  static constexpr internal::StringView kL2Norm = "odml.l2_norm";
  static constexpr internal::StringView kGroupNorm = "odml.group_norm";

  LiteRtOp op = nullptr;
  // Index of the decomposition in the model.
  int subgraph = -1;
  // Both point into the model.
  internal::StringView name;
  std::optional<internal::FlexValue> attributes_map;
  int32_t version = 0;

  LiteRtStatus InitFromOp(LiteRtOp op_to_read) override {
    LITERT_RETURN_IF_ERROR(internal::CheckOpCode(op_to_read, kLiteRtOpCodeShloComposite));
    const char* op_name = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtGetSHLOCompositeOpName(op_to_read, &op_name));
    name = op_name != nullptr ? op_name : "";
    LITERT_RETURN_IF_ERROR(
        LiteRtGetSHLOCompositeOpDecompositionSubgraphIndex(op_to_read, &subgraph));
    LITERT_RETURN_IF_ERROR(LiteRtGetSHLOCompositeOpVersion(op_to_read, &version));
    const uint8_t* attributes = nullptr;
    int32_t size = 0;
    LITERT_RETURN_IF_ERROR(LiteRtGetSHLOCompositeOpAttributes(op_to_read, &attributes, &size));
    if (size > 0) {
      attributes_map = internal::FlexValue::Root(attributes, static_cast<size_t>(size)).AsMap();
    }
    op = op_to_read;
    return kLiteRtStatusOk;
  }
  Expected<void> SetOpOptions(LiteRtBuilder) { return Unexpected(Status::kErrorUnsupported); }
};

// The "odml.rms_norm" composite.
struct RmsNormOpts : public CompositeOptions {
  float epsilon = 0;

  LiteRtStatus InitFromOp(LiteRtOp litert_op) override {
    LITERT_RETURN_IF_ERROR(CompositeOptions::InitFromOp(litert_op));
    if (!attributes_map) return kLiteRtStatusErrorInvalidArgument;
    const auto raw_epsilon = (*attributes_map)["epsilon"];
    if (raw_epsilon.IsNull()) return kLiteRtStatusErrorInvalidArgument;
    epsilon = raw_epsilon.AsFloat();
    return kLiteRtStatusOk;
  }
};

template <typename OptionsT>
Expected<OptionsT> GetOptionsAs(LiteRtOp op) {
  static_assert(std::is_base_of_v<OpOptions, OptionsT>);
  OptionsT options;
  LITERT_RETURN_IF_ERROR(options.InitFromOp(op));
  return options;
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_OP_OPTIONS_H_
