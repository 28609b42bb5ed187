// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Graph rewriting by a compiler plugin's transformations. The host hands a
// builder and one op to a pattern; the pattern looks at the op and, if it
// matches, builds what replaces it and erases what is replaced. The changes
// take place together after the pattern returns kLiteRtStatusOk, and not at all
// if it returns anything else (kLiteRtStatusPatternNoMatch when it does not
// apply). Objects built belong to the builder until then, to the model after.

#ifndef ODML_LITERT_LITERT_C_LITERT_BUILDER_H_
#define ODML_LITERT_LITERT_C_LITERT_BUILDER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_block_wise_quantization.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"

#ifdef __cplusplus
extern "C" {
#endif

// A new tensor. Of the two types and the two quantisations only the one that
// its id names is read. `weights` may be null; `name` is copied, null for none.
//
// v2.2.0 added the argument for blockwise quantisation without another name. The host knows from
// the plugin which of the two it calls.
#if defined(NPUKIT_ABI_2_2)
LiteRtStatus LiteRtBuilderBuildTensor(LiteRtBuilder builder, LiteRtTensorTypeId tensor_type_id,
                                      LiteRtRankedTensorType ranked_tensor_type,
                                      LiteRtUnrankedTensorType unranked_tensor_type,
                                      LiteRtWeights weights,
                                      LiteRtQuantizationTypeId quantization_type_id,
                                      LiteRtQuantizationPerTensor per_tensor_quantization,
                                      LiteRtQuantizationPerChannel per_channel_quantization,
                                      LiteRtQuantizationBlockWise block_wise_quantization,
                                      const char* name, LiteRtTensor* new_tensor);
#else
LiteRtStatus LiteRtBuilderBuildTensor(LiteRtBuilder builder, LiteRtTensorTypeId tensor_type_id,
                                      LiteRtRankedTensorType ranked_tensor_type,
                                      LiteRtUnrankedTensorType unranked_tensor_type,
                                      LiteRtWeights weights,
                                      LiteRtQuantizationTypeId quantization_type_id,
                                      LiteRtQuantizationPerTensor per_tensor_quantization,
                                      LiteRtQuantizationPerChannel per_channel_quantization,
                                      const char* name, LiteRtTensor* new_tensor);
#endif

// Constant data of `size` bytes, copied, for `tensor`.
LiteRtStatus LiteRtBuilderBuildWeights(LiteRtBuilder builder, const uint8_t* data,
                                       LiteRtParamIndex size, LiteRtTensor tensor,
                                       LiteRtWeights* new_weights);

// A new op. Inputs and outputs are tensors of the graph or of the builder; an
// output that an erased op wrote is from then on written by the new op.
// Options are set by the LiteRtBuilderBuild...OpOption functions.
LiteRtStatus LiteRtBuilderBuildOp(LiteRtBuilder builder, LiteRtOpCode op_code,
                                  LiteRtParamIndex num_inputs, LiteRtTensor* inputs,
                                  LiteRtParamIndex num_outputs, LiteRtTensor* outputs,
                                  LiteRtOp* new_op);

LiteRtStatus LiteRtBuilderEraseOp(LiteRtBuilder builder, LiteRtOp op_to_erase);

// A rewrite pattern: called for every op of the graph in turn. Since LiteRT's main of 14 August 2026
// the host's functions come first, and nothing in LiteRtTransformation tells which of the two a
// pattern is: docs/abi.md.
#if defined(NPUKIT_ABI_2_3)
struct LiteRtCompilerContext;
typedef LiteRtStatus (*LiteRtPatternFn)(const struct LiteRtCompilerContext* context,
                                        LiteRtBuilder builder, LiteRtOp op);
#else
typedef LiteRtStatus (*LiteRtPatternFn)(LiteRtBuilder builder, LiteRtOp op);
#endif

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_BUILDER_H_
