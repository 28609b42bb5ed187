// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// litert_op_options.h: what the options of an op are, and options for ops that a transformation
// builds.

#include "sdk/host/model/options/op_options.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "litert/c/litert_op_options.h"
#include "litert/vendors/c/litert_linked_in.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/rewrite/builder.h"

namespace {

using npukit::StableHLOCompositeOptions;

// The op's options if it is of that code and has such options, else null.
template <typename O>
const O* OptionsOf(LiteRtOp op, LiteRtOpCode code) {
  return op && op->code == code ? op->OptionsAs<O>() : nullptr;
}

template <typename O, typename F, typename V>
LiteRtStatus Get(LiteRtOp op, LiteRtOpCode code, F O::*field, V* value) {
  const O* options = OptionsOf<O>(op, code);
  if (!options || !value) return kLiteRtStatusErrorInvalidArgument;
  *value = static_cast<V>(options->*field);
  return kLiteRtStatusOk;
}

template <typename O, typename E>
LiteRtStatus GetList(LiteRtOp op, LiteRtOpCode code, std::vector<E> O::*field, const E** values,
                     int32_t* count) {
  const O* options = OptionsOf<O>(op, code);
  if (!options || !values || !count) return kLiteRtStatusErrorInvalidArgument;
  *values = (options->*field).data();
  *count = static_cast<int32_t>((options->*field).size());
  return kLiteRtStatusOk;
}

// One field of options `O` and the value for it; a null value keeps the
// default.
template <typename O, typename F, typename V>
class Setting {
 public:
  Setting(F O::*field, const V* value) : field_(field), value_(value) {}

  void ApplyTo(O& options) const {
    if (value_) options.*field_ = static_cast<F>(*value_);
  }

 private:
  F O::*field_;
  const V* value_;
};

// Gives `op`, which `builder` has made, options with those settings.
template <typename O, typename... Settings>
LiteRtStatus Set(LiteRtBuilder builder, LiteRtOp op, LiteRtOpCode code,
                 const Settings&... settings) {
  if (!builder || !op || !builder->Owns(op) || op->code != code) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  O options;
  (settings.ApplyTo(options), ...);
  op->options = std::move(options);
  return kLiteRtStatusOk;
}

// A field that is a list. No pointer is needed for none.
template <typename O>
LiteRtStatus SetList(LiteRtBuilder builder, LiteRtOp op, LiteRtOpCode code,
                     std::vector<int32_t> O::*field, const int32_t* values, int32_t count) {
  if (count < 0 || (count > 0 && !values)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const LiteRtStatus status = Set<O>(builder, op, code);
  if (status == kLiteRtStatusOk && count > 0) {
    (op->options.template As<O>()->*field).assign(values, values + count);
  }
  return status;
}

}  // namespace

extern "C" {

#define GETTER(name, table, getter, field, type)                          \
  LiteRtStatus getter(LiteRtOp op, type* value) {                         \
    return Get(op, kLiteRtOpCodeTfl##name, &npukit::table::field, value); \
  }
#define PARAMETER(name, table, getter, field, type) , type* field
#define SETTING(name, table, getter, field, type) , Setting(&npukit::table::field, field)
#define SETTER(name, table)                                                             \
  LiteRtStatus LiteRtBuilderBuild##name##OpOption(                                      \
      LiteRtBuilder builder, LiteRtOp op FIELDS_OF_##table(PARAMETER, name)) {          \
    return Set<npukit::table>(builder, op,                                              \
                              kLiteRtOpCodeTfl##name FIELDS_OF_##table(SETTING, name)); \
  }
#define OP_GETTERS(name, table) FIELDS_OF_##table(GETTER, name)
#define OP_OPTIONS(name, table) FIELDS_OF_##table(GETTER, name) SETTER(name, table)
#include "sdk/host/c_api/graph/op_option_functions.def"

LiteRtStatus LiteRtGetReshapeNewShapeOption(LiteRtOp op, const int32_t** new_shape,
                                            int32_t* new_shape_size) {
  return GetList(op, kLiteRtOpCodeTflReshape, &npukit::ReshapeOptions::new_shape, new_shape,
                 new_shape_size);
}

LiteRtStatus LiteRtBuilderBuildReshapeOpOption(LiteRtBuilder builder, LiteRtOp op,
                                               int32_t* new_shape, int32_t new_shape_size) {
  return SetList(builder, op, kLiteRtOpCodeTflReshape, &npukit::ReshapeOptions::new_shape,
                 new_shape, new_shape_size);
}

LiteRtStatus LiteRtGetSqueezeDimsOption(LiteRtOp op, const int32_t** squeeze_dims,
                                        int32_t* num_squeeze_dims) {
  return GetList(op, kLiteRtOpCodeTflSqueeze, &npukit::SqueezeOptions::squeeze_dims, squeeze_dims,
                 num_squeeze_dims);
}

LiteRtStatus LiteRtBuilderBuildSqueezeOpOption(LiteRtBuilder builder, LiteRtOp op,
                                               const int32_t* squeeze_dims,
                                               int32_t num_squeeze_dims) {
  return SetList(builder, op, kLiteRtOpCodeTflSqueeze, &npukit::SqueezeOptions::squeeze_dims,
                 squeeze_dims, num_squeeze_dims);
}

LiteRtStatus LiteRtGetSHLOCompositeOpName(LiteRtOp op, const char** name) {
  const auto* options = OptionsOf<StableHLOCompositeOptions>(op, kLiteRtOpCodeShloComposite);
  if (!options || !name) return kLiteRtStatusErrorInvalidArgument;
  *name = options->name.c_str();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetSHLOCompositeOpDecompositionSubgraphIndex(
    LiteRtOp op, int32_t* decomposition_subgraph_index) {
  return Get(op, kLiteRtOpCodeShloComposite,
             &StableHLOCompositeOptions::decomposition_subgraph_index,
             decomposition_subgraph_index);
}

LiteRtStatus LiteRtGetSHLOCompositeOpAttributes(LiteRtOp op, const uint8_t** attributes,
                                                int32_t* attributes_size) {
  return GetList(op, kLiteRtOpCodeShloComposite, &StableHLOCompositeOptions::composite_attributes,
                 attributes, attributes_size);
}

LiteRtStatus LiteRtGetSHLOCompositeOpVersion(LiteRtOp op, int32_t* version) {
  return Get(op, kLiteRtOpCodeShloComposite, &StableHLOCompositeOptions::version, version);
}

LiteRtStatus LiteRtGetAveragePool2dOptions(LiteRtOp op, int8_t* padding, int32_t* stride_w,
                                           int32_t* stride_h, int32_t* filter_width,
                                           int32_t* filter_height,
                                           int8_t* fused_activation_function) {
  const auto* options = OptionsOf<npukit::Pool2DOptions>(op, kLiteRtOpCodeTflAveragePool2d);
  if (!options || !padding || !stride_w || !stride_h || !filter_width || !filter_height ||
      !fused_activation_function) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *padding = static_cast<int8_t>(options->padding);
  *stride_w = options->stride_w;
  *stride_h = options->stride_h;
  *filter_width = options->filter_width;
  *filter_height = options->filter_height;
  *fused_activation_function = static_cast<int8_t>(options->fused_activation_function);
  return kLiteRtStatusOk;
}

}  // extern "C"
