// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ops and the op list of litert_model.h.

#include "sdk/host/model/graph/op.h"

#include "litert/c/litert_model.h"
#include "sdk/host/c_api/graph/operands.h"
#include "sdk/host/partition/selection.h"

extern "C" {

LiteRtStatus LiteRtGetOpCode(LiteRtOp op, LiteRtOpCode* code) {
  if (!op || !code) return kLiteRtStatusErrorInvalidArgument;
  *code = op->code;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCustomCode(LiteRtOp op, const char** code) {
  if (!op || !code || op->code != kLiteRtOpCodeTflCustom) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *code = op->custom_code.c_str();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCustomOptions(LiteRtOp op, const uint8_t** custom_options, int32_t* size) {
  if (!op || !custom_options || !size || op->code != kLiteRtOpCodeTflCustom) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *custom_options = op->custom_options.data();
  *size = static_cast<int32_t>(op->custom_options.size());
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumOpInputs(LiteRtOp op, LiteRtParamIndex* num_inputs) {
  if (!op || !num_inputs) return kLiteRtStatusErrorInvalidArgument;
  *num_inputs = npukit::CountPresentInputs(*op);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetOpInput(LiteRtOp op, LiteRtParamIndex input_index, LiteRtTensor* input) {
  if (!op || !input) return kLiteRtStatusErrorInvalidArgument;
  npukit::Tensor* found = npukit::PresentInput(*op, input_index);
  if (!found) return kLiteRtStatusErrorIndexOOB;
  *input = found;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumOpOutputs(LiteRtOp op, LiteRtParamIndex* num_outputs) {
  if (!op || !num_outputs) return kLiteRtStatusErrorInvalidArgument;
  *num_outputs = op->outputs.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetOpOutput(LiteRtOp op, LiteRtParamIndex output_index, LiteRtTensor* output) {
  if (!op || !output) return kLiteRtStatusErrorInvalidArgument;
  if (output_index >= op->outputs.size()) return kLiteRtStatusErrorIndexOOB;
  *output = op->outputs[output_index];
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtPushOp(LiteRtOpList op_list, LiteRtOp op, LiteRtParamIndex partition_index) {
  if (!op_list || !op) return kLiteRtStatusErrorInvalidArgument;
  op_list->Push(op, partition_index);
  return kLiteRtStatusOk;
}

}  // extern "C"
