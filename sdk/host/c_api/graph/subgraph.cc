// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Subgraphs and signatures of litert_model.h.

#include "sdk/host/model/graph/subgraph.h"

#include <string_view>
#include <vector>

#include "litert/c/litert_model.h"
#include "sdk/host/model/graph/model.h"

namespace {

using NamedTensors = std::vector<npukit::Signature::NamedTensor>;

LiteRtStatus Element(const std::vector<LiteRtTensor>& tensors, size_t index, LiteRtTensor* tensor) {
  if (index >= tensors.size()) return kLiteRtStatusErrorIndexOOB;
  *tensor = tensors[index];
  return kLiteRtStatusOk;
}

LiteRtStatus NameAt(const NamedTensors& tensors, size_t index, const char** name) {
  if (index >= tensors.size()) return kLiteRtStatusErrorIndexOOB;
  *name = tensors[index].name.c_str();
  return kLiteRtStatusOk;
}

LiteRtStatus TensorAt(const NamedTensors& tensors, size_t index, LiteRtTensor* tensor) {
  if (index >= tensors.size()) return kLiteRtStatusErrorIndexOOB;
  *tensor = tensors[index].tensor;
  return kLiteRtStatusOk;
}

LiteRtStatus TensorNamed(const NamedTensors& tensors, std::string_view name, LiteRtTensor* tensor) {
  for (const npukit::Signature::NamedTensor& candidate : tensors) {
    if (candidate.name == name) {
      *tensor = candidate.tensor;
      return kLiteRtStatusOk;
    }
  }
  return kLiteRtStatusErrorNotFound;
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtGetSubgraphName(LiteRtSubgraph subgraph, const char** name) {
  if (!subgraph || !name) return kLiteRtStatusErrorInvalidArgument;
  *name = subgraph->name.c_str();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumSubgraphInputs(LiteRtSubgraph subgraph, LiteRtParamIndex* num_inputs) {
  if (!subgraph || !num_inputs) return kLiteRtStatusErrorInvalidArgument;
  *num_inputs = subgraph->inputs.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetSubgraphInput(LiteRtSubgraph subgraph, LiteRtParamIndex input_index,
                                    LiteRtTensor* input) {
  if (!subgraph || !input) return kLiteRtStatusErrorInvalidArgument;
  return Element(subgraph->inputs, input_index, input);
}

LiteRtStatus LiteRtGetNumSubgraphOutputs(LiteRtSubgraph subgraph, LiteRtParamIndex* num_outputs) {
  if (!subgraph || !num_outputs) return kLiteRtStatusErrorInvalidArgument;
  *num_outputs = subgraph->outputs.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetSubgraphOutput(LiteRtSubgraph subgraph, LiteRtParamIndex output_index,
                                     LiteRtTensor* output) {
  if (!subgraph || !output) return kLiteRtStatusErrorInvalidArgument;
  return Element(subgraph->outputs, output_index, output);
}

LiteRtStatus LiteRtGetNumSubgraphOps(LiteRtSubgraph subgraph, LiteRtParamIndex* num_ops) {
  if (!subgraph || !num_ops) return kLiteRtStatusErrorInvalidArgument;
  *num_ops = subgraph->ops().size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetSubgraphOp(LiteRtSubgraph subgraph, LiteRtParamIndex op_index, LiteRtOp* op) {
  if (!subgraph || !op) return kLiteRtStatusErrorInvalidArgument;
  if (op_index >= subgraph->ops().size()) return kLiteRtStatusErrorIndexOOB;
  *op = &subgraph->op(op_index);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetSignatureKey(LiteRtSignature signature, const char** signature_key) {
  if (!signature || !signature_key) return kLiteRtStatusErrorInvalidArgument;
  *signature_key = signature->key.c_str();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetSignatureSubgraph(LiteRtSignature signature, LiteRtSubgraph* subgraph) {
  if (!signature || !subgraph) return kLiteRtStatusErrorInvalidArgument;
  *subgraph = signature->subgraph;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumSignatureInputs(LiteRtSignature signature, LiteRtParamIndex* num_inputs) {
  if (!signature || !num_inputs) return kLiteRtStatusErrorInvalidArgument;
  *num_inputs = signature->inputs.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetSignatureInputName(LiteRtSignature signature, LiteRtParamIndex input_idx,
                                         const char** input_name) {
  if (!signature || !input_name) return kLiteRtStatusErrorInvalidArgument;
  return NameAt(signature->inputs, input_idx, input_name);
}

LiteRtStatus LiteRtGetSignatureInputTensor(LiteRtSignature signature, const char* input_name,
                                           LiteRtTensor* tensor) {
  if (!signature || !input_name || !tensor) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  return TensorNamed(signature->inputs, input_name, tensor);
}

LiteRtStatus LiteRtGetSignatureInputTensorByIndex(LiteRtSignature signature,
                                                  LiteRtParamIndex input_idx,
                                                  LiteRtTensor* tensor) {
  if (!signature || !tensor) return kLiteRtStatusErrorInvalidArgument;
  return TensorAt(signature->inputs, input_idx, tensor);
}

LiteRtStatus LiteRtGetNumSignatureOutputs(LiteRtSignature signature,
                                          LiteRtParamIndex* num_outputs) {
  if (!signature || !num_outputs) return kLiteRtStatusErrorInvalidArgument;
  *num_outputs = signature->outputs.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetSignatureOutputName(LiteRtSignature signature, LiteRtParamIndex output_idx,
                                          const char** output_name) {
  if (!signature || !output_name) return kLiteRtStatusErrorInvalidArgument;
  return NameAt(signature->outputs, output_idx, output_name);
}

LiteRtStatus LiteRtGetSignatureOutputTensor(LiteRtSignature signature, const char* output_name,
                                            LiteRtTensor* tensor) {
  if (!signature || !output_name || !tensor) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  return TensorNamed(signature->outputs, output_name, tensor);
}

LiteRtStatus LiteRtGetSignatureOutputTensorByIndex(LiteRtSignature signature,
                                                   LiteRtParamIndex output_idx,
                                                   LiteRtTensor* tensor) {
  if (!signature || !tensor) return kLiteRtStatusErrorInvalidArgument;
  return TensorAt(signature->outputs, output_idx, tensor);
}

}  // extern "C"
