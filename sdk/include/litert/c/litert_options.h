// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How a model is to be compiled: for which hardware, with which vendor options,
// custom operators and external tensors.

#ifndef ODML_LITERT_LITERT_C_LITERT_OPTIONS_H_
#define ODML_LITERT_LITERT_C_LITERT_OPTIONS_H_

#include "litert/c/litert_common.h"
#include "litert/c/litert_custom_op_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

LiteRtStatus LiteRtCreateOptions(LiteRtOptions* options);
void LiteRtDestroyOptions(LiteRtOptions options);

// Hardware that may be used; kLiteRtHwAcceleratorNone to begin with.
LiteRtStatus LiteRtSetOptionsHardwareAccelerators(LiteRtOptions options,
                                                  LiteRtHwAcceleratorSet hardware_accelerators);
LiteRtStatus LiteRtGetOptionsHardwareAccelerators(LiteRtOptions options,
                                                  LiteRtHwAcceleratorSet* hardware_accelerators);

// Appends to the vendor options, which `options` then owns.
LiteRtStatus LiteRtAddOpaqueOptions(LiteRtOptions options, LiteRtOpaqueOptions opaque_options);

// Lends the first of the vendor options; null if there are none.
LiteRtStatus LiteRtGetOpaqueOptions(LiteRtOptions options, LiteRtOpaqueOptions* opaque_options);

// Registers a CPU kernel for a custom operator. Name and function table are
// copied; `custom_op_kernel_user_data` stays the caller's.
LiteRtStatus LiteRtAddCustomOpKernelOption(LiteRtOptions options, const char* custom_op_name,
                                           int custom_op_version,
                                           const LiteRtCustomOpKernel* custom_op_kernel,
                                           void* custom_op_kernel_user_data);

// Binds a tensor of a signature to the caller's memory, which outlives the
// compiled model and has the tensor's exact size.
LiteRtStatus LiteRtAddExternalTensorBinding(LiteRtOptions options, const char* signature_name,
                                            const char* tensor_name, void* data, int size_bytes);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_OPTIONS_H_
