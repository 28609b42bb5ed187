// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// All public C headers, for the tests that hold them against abi_facts.def.

#ifndef NPUKIT_SDK_HOST_C_API_ABI_TESTING_ABI_LAYOUT_HEADERS_H_
#define NPUKIT_SDK_HOST_C_API_ABI_TESTING_ABI_LAYOUT_HEADERS_H_

#include "litert/c/internal/litert_accelerator.h"
#include "litert/c/internal/litert_accelerator_registration.h"
#include "litert/c/internal/litert_delegate_wrapper.h"
#include "litert/c/internal/litert_dispatch_delegate.h"
#include "litert/c/internal/litert_external_litert_buffer_context.h"
#include "litert/c/internal/litert_logging.h"
#include "litert/c/internal/litert_logging_helper.h"
#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/internal/litert_tensor_buffer_registry.h"
#include "litert/c/litert_any.h"
#include "litert/c/litert_block_wise_quantization.h"
#include "litert/c/litert_builder.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_compiled_model.h"
#include "litert/c/litert_custom_op_kernel.h"
#include "litert/c/litert_custom_tensor_buffer.h"
#include "litert/c/litert_environment.h"
#include "litert/c/litert_environment_options.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_event_type.h"
#include "litert/c/litert_gl_types.h"
#include "litert/c/litert_layout.h"
#include "litert/c/litert_metrics.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"
#include "litert/c/litert_op_options.h"
#include "litert/c/litert_opaque_options.h"
#include "litert/c/litert_opencl_types.h"
#include "litert/c/litert_options.h"
#include "litert/c/litert_platform_support.h"
#include "litert/c/litert_profiler.h"
#include "litert/c/litert_profiler_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/c/litert_tensor_buffer_types.h"
#include "litert/c/litert_webgpu_types.h"
#include "litert/c/options/litert_compiler_options.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "litert/vendors/c/litert_dispatch_api.h"

#endif  // NPUKIT_SDK_HOST_C_API_ABI_TESTING_ABI_LAYOUT_HEADERS_H_
