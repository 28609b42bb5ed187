// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The model graph, read from the top down: model, subgraphs, ops, tensors,
// weights; then loading, saving and the op list that a compiler plugin fills.
//
// Everything below the model belongs to it: handles, strings and bytes that
// these functions hand out stay valid until the model is destroyed or changed,
// and are never freed by the caller. Collections are read as a count and an
// element at an index; an index past the end gives kLiteRtStatusErrorIndexOOB.
// Reading one model from several threads is safe while nobody changes it.

#ifndef ODML_LITERT_LITERT_C_LITERT_MODEL_H_
#define ODML_LITERT_LITERT_C_LITERT_MODEL_H_

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

// -- Tensor -------------------------------------------------------------------

// The tensor's name; "" where the model gives none.
LiteRtStatus LiteRtGetTensorName(LiteRtTensor tensor, const char** name);

// The tensor's position among the tensors of its subgraph.
LiteRtStatus LiteRtGetTensorIndex(LiteRtTensor tensor, uint32_t* tensor_index);

// Ranked or unranked: decides which of the next two functions to call. The
// other one fails with kLiteRtStatusErrorInvalidIrType.
LiteRtStatus LiteRtGetTensorTypeId(LiteRtTensor tensor, LiteRtTensorTypeId* type_id);
LiteRtStatus LiteRtGetUnrankedTensorType(LiteRtTensor tensor,
                                         LiteRtUnrankedTensorType* unranked_tensor_type);
LiteRtStatus LiteRtGetRankedTensorType(LiteRtTensor tensor,
                                       LiteRtRankedTensorType* ranked_tensor_type);

// How the tensor is quantised, and the parameters of each kind. Asking for a
// kind that the tensor does not have fails with
// kLiteRtStatusErrorInvalidIrType. The arrays of the per-channel answer are
// the model's.
LiteRtStatus LiteRtGetQuantizationTypeId(LiteRtTensor tensor, LiteRtQuantizationTypeId* q_type_id);
LiteRtStatus LiteRtGetPerTensorQuantization(LiteRtTensor tensor,
                                            LiteRtQuantizationPerTensor* per_tensor_quantization);
LiteRtStatus LiteRtGetPerChannelQuantization(
    LiteRtTensor tensor, LiteRtQuantizationPerChannel* per_channel_quantization);

// The ops that read the tensor, once for each input position that names it:
// an op that takes it twice counts twice.
LiteRtStatus LiteRtGetNumTensorUses(LiteRtTensor tensor, LiteRtParamIndex* num_uses);
LiteRtStatus LiteRtGetTensorUse(LiteRtTensor tensor, LiteRtParamIndex use_index, LiteRtOp* user,
                                LiteRtParamIndex* user_arg_index);

// The op that writes the tensor. Subgraph inputs and constants have none:
// `has_defining_op` is then false and `defining_op` unchanged.
LiteRtStatus LiteRtGetTensorDefiningOp(LiteRtTensor tensor, bool* has_defining_op,
                                       LiteRtTensorDefiningOp* defining_op);

// The constant data of the tensor. Every tensor has a weights object; that of a
// tensor that is not constant holds 0 bytes.
LiteRtStatus LiteRtGetTensorWeights(LiteRtTensor tensor, LiteRtWeights* weights);

// -- Weights ------------------------------------------------------------------

// The bytes, in the tensor's element type, little-endian, packed row by row.
// `addr` may be null when `size` is 0.
LiteRtStatus LiteRtGetWeightsBytes(LiteRtWeights weights, const void** addr, size_t* size);

// A number that is the same for all weights that share their bytes. 0 means
// no buffer.
LiteRtStatus LiteRtGetWeightsBufferId(LiteRtWeights weights, int32_t* buffer_id);

// -- Op -----------------------------------------------------------------------

LiteRtStatus LiteRtGetOpCode(LiteRtOp op, LiteRtOpCode* code);

// The name of a custom operator. Fails with kLiteRtStatusErrorInvalidArgument
// for any op whose code is not kLiteRtOpCodeTflCustom.
LiteRtStatus LiteRtGetCustomCode(LiteRtOp op, const char** code);
// From v2.2.0 on: the custom operator's options, bytes of its own making, most often a FlexBuffer.
// Fails as LiteRtGetCustomCode does.
LiteRtStatus LiteRtGetCustomOptions(LiteRtOp op, const uint8_t** custom_options, int32_t* size);

LiteRtStatus LiteRtGetNumOpInputs(LiteRtOp op, LiteRtParamIndex* num_inputs);
LiteRtStatus LiteRtGetOpInput(LiteRtOp op, LiteRtParamIndex input_index, LiteRtTensor* input);

LiteRtStatus LiteRtGetNumOpOutputs(LiteRtOp op, LiteRtParamIndex* num_outputs);
LiteRtStatus LiteRtGetOpOutput(LiteRtOp op, LiteRtParamIndex output_index, LiteRtTensor* output);

// -- Subgraph -----------------------------------------------------------------

// From v2.2.0 on: the subgraph's name; "" where the model gives none.
LiteRtStatus LiteRtGetSubgraphName(LiteRtSubgraph subgraph, const char** name);
LiteRtStatus LiteRtGetNumSubgraphInputs(LiteRtSubgraph subgraph, LiteRtParamIndex* num_inputs);
LiteRtStatus LiteRtGetSubgraphInput(LiteRtSubgraph subgraph, LiteRtParamIndex input_index,
                                    LiteRtTensor* input);

LiteRtStatus LiteRtGetNumSubgraphOutputs(LiteRtSubgraph subgraph, LiteRtParamIndex* num_outputs);
LiteRtStatus LiteRtGetSubgraphOutput(LiteRtSubgraph subgraph, LiteRtParamIndex output_index,
                                     LiteRtTensor* output);

// The ops, each after those whose outputs it reads.
LiteRtStatus LiteRtGetNumSubgraphOps(LiteRtSubgraph subgraph, LiteRtParamIndex* num_ops);
LiteRtStatus LiteRtGetSubgraphOp(LiteRtSubgraph subgraph, LiteRtParamIndex op_index, LiteRtOp* op);

// -- Signature ----------------------------------------------------------------
// A subgraph with a key and a name for each of its inputs and outputs. Lookups
// by name fail with kLiteRtStatusErrorNotFound.

LiteRtStatus LiteRtGetSignatureKey(LiteRtSignature signature, const char** signature_key);
LiteRtStatus LiteRtGetSignatureSubgraph(LiteRtSignature signature, LiteRtSubgraph* subgraph);

LiteRtStatus LiteRtGetNumSignatureInputs(LiteRtSignature signature, LiteRtParamIndex* num_inputs);
LiteRtStatus LiteRtGetSignatureInputName(LiteRtSignature signature, LiteRtParamIndex input_idx,
                                         const char** input_name);
LiteRtStatus LiteRtGetSignatureInputTensor(LiteRtSignature signature, const char* input_name,
                                           LiteRtTensor* tensor);
LiteRtStatus LiteRtGetSignatureInputTensorByIndex(LiteRtSignature signature,
                                                  LiteRtParamIndex input_idx, LiteRtTensor* tensor);

LiteRtStatus LiteRtGetNumSignatureOutputs(LiteRtSignature signature, LiteRtParamIndex* num_outputs);
LiteRtStatus LiteRtGetSignatureOutputName(LiteRtSignature signature, LiteRtParamIndex output_idx,
                                          const char** output_name);
LiteRtStatus LiteRtGetSignatureOutputTensor(LiteRtSignature signature, const char* output_name,
                                            LiteRtTensor* tensor);
LiteRtStatus LiteRtGetSignatureOutputTensorByIndex(LiteRtSignature signature,
                                                   LiteRtParamIndex output_idx,
                                                   LiteRtTensor* tensor);

// -- Model --------------------------------------------------------------------

// Loads and verifies a .tflite file. kLiteRtStatusErrorFileIO if it can't be
// read, kLiteRtStatusErrorInvalidFlatbuffer if its content is not a model.
LiteRtStatus LiteRtCreateModelFromFile(const char* filename, LiteRtModel* model);

// The same from memory, which must outlive the model.
LiteRtStatus LiteRtCreateModelFromBuffer(const void* buffer_addr, size_t buffer_size,
                                         LiteRtModel* model);

// From v2.2.0 on: the same from `size` bytes at `offset` of an open file. `fd` stays the caller's,
// and may be closed after the call. `environment` is not used and may be null.
LiteRtStatus LiteRtCreateModelFromFd(LiteRtEnvironment environment, int fd, size_t offset,
                                     size_t size, LiteRtModel* model);
void LiteRtDestroyModel(LiteRtModel model);

// The metadata stored under a key; kLiteRtStatusErrorNotFound if there is none.
LiteRtStatus LiteRtGetModelMetadata(LiteRtModel model, const char* metadata_key,
                                    const void** metadata_buffer, size_t* metadata_buffer_size);

// Stores a copy of key and bytes. kLiteRtStatusErrorAlreadyExists if the key is
// taken.
LiteRtStatus LiteRtAddModelMetadata(LiteRtModel model, const char* metadata_key,
                                    const void* metadata_buffer, size_t metadata_buffer_size);

// The subgraph that a run without a signature enters.
LiteRtStatus LiteRtGetMainModelSubgraphIndex(LiteRtModel model,
                                             LiteRtParamIndex* main_subgraph_index);

LiteRtStatus LiteRtGetNumModelSubgraphs(LiteRtModel model, LiteRtParamIndex* num_subgraphs);
LiteRtStatus LiteRtGetModelSubgraph(LiteRtModel model, LiteRtParamIndex subgraph_index,
                                    LiteRtSubgraph* subgraph);

LiteRtStatus LiteRtGetNumModelSignatures(LiteRtModel model, LiteRtParamIndex* num_signatures);
LiteRtStatus LiteRtGetModelSignature(LiteRtModel model, LiteRtParamIndex signature_index,
                                     LiteRtSignature* signature);

// -- Op selection -------------------------------------------------------------

// Called by a compiler plugin in LiteRtCompilerPluginPartition: op goes to the
// NPU. The host forms partitions from ops with the same `partition_index`.
LiteRtStatus LiteRtPushOp(LiteRtOpList op_list, LiteRtOp op, LiteRtParamIndex partition_index);

// -- Writing ------------------------------------------------------------------

// Serialises to .tflite bytes: the FlatBuffer and what is appended to it are
// `size` bytes at `*buf + *offset`. The caller owns `*buf`, which was made by
// new[] and goes by delete[]. With `destroy_model` the call consumes the model,
// whether or not it succeeds.
LiteRtStatus LiteRtSerializeModel(LiteRtModel model, uint8_t** buf, size_t* size, size_t* offset,
                                  bool destroy_model, LiteRtModelSerializationOptions options);

// The same with a further signature for each subgraph: `signatures[i]` is the
// key of subgraph i, null for none. `num_signatures` is the number of
// subgraphs.
LiteRtStatus LiteRtSerializeModelWithSignatures(LiteRtModel model, uint8_t** buf, size_t* size,
                                                size_t* offset, bool destroy_model,
                                                char** signatures, LiteRtParamIndex num_signatures,
                                                LiteRtModelSerializationOptions options);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_MODEL_H_
