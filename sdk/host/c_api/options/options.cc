// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/options/options.h"

#include "litert/c/litert_options.h"
#include "sdk/host/c_api/options/opaque_options.h"

std::unique_ptr<LiteRtOptionsT> LiteRtOptionsT::Share() const {
  auto copy = std::make_unique<LiteRtOptionsT>();
  copy->hardware_accelerators = hardware_accelerators;
  copy->custom_ops = custom_ops;
  copy->external_tensors = external_tensors;
  LiteRtOpaqueOptions* end = &copy->opaque_options;
  for (const LiteRtOpaqueOptionsT* item = opaque_options; item != nullptr; item = item->next) {
    *end = new LiteRtOpaqueOptionsT(*item);
    (*end)->next = nullptr;
    end = &(*end)->next;
  }
  return copy;
}

extern "C" {

LiteRtStatus LiteRtCreateOptions(LiteRtOptions* options) {
  if (!options) return kLiteRtStatusErrorInvalidArgument;
  *options = new LiteRtOptionsT();
  return kLiteRtStatusOk;
}

void LiteRtDestroyOptions(LiteRtOptions options) { delete options; }

LiteRtStatus LiteRtSetOptionsHardwareAccelerators(LiteRtOptions options,
                                                  LiteRtHwAcceleratorSet hardware_accelerators) {
  constexpr LiteRtHwAcceleratorSet kKnown =
      kLiteRtHwAcceleratorCpu | kLiteRtHwAcceleratorGpu | kLiteRtHwAcceleratorNpu;
  if (!options || (hardware_accelerators & ~kKnown) != 0) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  options->hardware_accelerators = hardware_accelerators;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetOptionsHardwareAccelerators(LiteRtOptions options,
                                                  LiteRtHwAcceleratorSet* hardware_accelerators) {
  if (!options || !hardware_accelerators) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *hardware_accelerators = options->hardware_accelerators;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtAddOpaqueOptions(LiteRtOptions options, LiteRtOpaqueOptions opaque_options) {
  if (!options || !opaque_options) return kLiteRtStatusErrorInvalidArgument;
  return LiteRtAppendOpaqueOptions(&options->opaque_options, opaque_options);
}

LiteRtStatus LiteRtGetOpaqueOptions(LiteRtOptions options, LiteRtOpaqueOptions* opaque_options) {
  if (!options || !opaque_options) return kLiteRtStatusErrorInvalidArgument;
  *opaque_options = options->opaque_options;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtAddCustomOpKernelOption(LiteRtOptions options, const char* custom_op_name,
                                           int custom_op_version,
                                           const LiteRtCustomOpKernel* custom_op_kernel,
                                           void* custom_op_kernel_user_data) {
  if (!options || !custom_op_name || !custom_op_kernel) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  options->custom_ops.push_back(
      {custom_op_name, custom_op_version, *custom_op_kernel, custom_op_kernel_user_data});
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtAddExternalTensorBinding(LiteRtOptions options, const char* signature_name,
                                            const char* tensor_name, void* data, int size_bytes) {
  if (!options || !signature_name || !tensor_name || !data || size_bytes < 0) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  options->external_tensors.push_back({signature_name, tensor_name, data, size_bytes});
  return kLiteRtStatusOk;
}

}  // extern "C"
