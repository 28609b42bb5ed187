// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The getters of litert_op_options.h.

#include "sdk/host/model/options/op_options.h"

#include <cstdint>
#include <vector>

#include "litert/c/litert_op_options.h"
#include "sdk/host/model/graph/op.h"

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

}  // namespace

extern "C" {

#define GETTER(function, code, table, field, type)                     \
  LiteRtStatus function(LiteRtOp op, type* value) {                    \
    return Get(op, kLiteRtOpCode##code, &npukit::table::field, value); \
  }
#include "sdk/host/c_api/graph/op_option_getters.def"

LiteRtStatus LiteRtGetReshapeNewShapeOption(LiteRtOp op, const int32_t** new_shape,
                                            int32_t* new_shape_size) {
  return GetList(op, kLiteRtOpCodeTflReshape, &npukit::ReshapeOptions::new_shape, new_shape,
                 new_shape_size);
}

LiteRtStatus LiteRtGetSqueezeDimsOption(LiteRtOp op, const int32_t** squeeze_dims,
                                        int32_t* num_squeeze_dims) {
  return GetList(op, kLiteRtOpCodeTflSqueeze, &npukit::SqueezeOptions::squeeze_dims, squeeze_dims,
                 num_squeeze_dims);
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

}  // extern "C"
