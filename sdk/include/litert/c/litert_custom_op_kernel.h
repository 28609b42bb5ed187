// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A custom operator that the application brings along: the functions that the
// host calls to run it on the CPU. `user_data` is what was given to
// LiteRtAddCustomOpKernelOption.

#ifndef ODML_LITERT_LITERT_C_LITERT_CUSTOM_OP_KERNEL_H_
#define ODML_LITERT_LITERT_C_LITERT_CUSTOM_OP_KERNEL_H_

#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"
#include "litert/c/litert_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  // Once per op; `init_data` are the custom options in the model.
  LiteRtStatus (*Init)(void* user_data, const void* init_data, size_t init_data_size);
  // Whenever an input's shape has changed: writes the shapes of the outputs.
  LiteRtStatus (*GetOutputLayouts)(void* user_data, size_t num_inputs,
                                   const LiteRtLayout* input_layouts, size_t num_outputs,
                                   LiteRtLayout* output_layouts);
  LiteRtStatus (*Run)(void* user_data, size_t num_inputs, const LiteRtTensorBuffer* inputs,
                      size_t num_outputs, LiteRtTensorBuffer* outputs);
  LiteRtStatus (*Destroy)(void* user_data);
} LiteRtCustomOpKernel;

LITERT_ABI_ASSERT(sizeof(LiteRtCustomOpKernel) == 4 * sizeof(void*));

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_CUSTOM_OP_KERNEL_H_
