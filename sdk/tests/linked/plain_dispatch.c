// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The dispatch library of plain_plugin.c, in C.

#include <stdlib.h>
#include <string.h>

#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/tests/linked/behaviour.h"
#include "sdk/tests/linked/plain_vendor.h"

enum { kMaxBuffers = 16 };

// A buffer's handle is its position, from 1.
struct LiteRtDispatchDeviceContextT {
  LiteRtTensorBuffer buffers[kMaxBuffers];
};

struct LiteRtDispatchInvocationContextT {
  LiteRtDispatchDeviceContext device;
  int operands[2];
  LiteRtTensorBufferHandle inputs[2];
  LiteRtTensorBufferHandle output;
};

static LiteRtStatus Initialize(LiteRtEnvironment environment, LiteRtOptions options) {
  (void)environment;
  (void)options;
  return kLiteRtStatusOk;
}

static LiteRtStatus GetVendorId(const char** id) {
  *id = "Plain";
  return kLiteRtStatusOk;
}

static LiteRtStatus GetBuildId(const char** id) {
  *id = "in C";
  return kLiteRtStatusOk;
}

static LiteRtStatus GetCapabilities(int* capabilities) {
  *capabilities = kLiteRtDispatchCapabilitiesBasic;
  return kLiteRtStatusOk;
}

static LiteRtStatus CheckCompatibility(LiteRtApiVersion version, LiteRtEnvironmentOptions env,
                                       LiteRtOptions options) {
  (void)version;
  (void)env;
  (void)options;
  return HasLinkedFault(kLinkedFaultIncompatible) ? kLiteRtStatusErrorUnsupportedRuntimeVersion
                                                  : kLiteRtStatusOk;
}

static LiteRtStatus CreateDevice(LiteRtOptions options, LiteRtDispatchDeviceContext* device) {
  (void)options;
  *device = calloc(1, sizeof(**device));
  return *device == NULL ? kLiteRtStatusErrorMemoryAllocationFailure : kLiteRtStatusOk;
}

static LiteRtStatus DestroyDevice(LiteRtDispatchDeviceContext device) {
  free(device);
  return kLiteRtStatusOk;
}

static LiteRtStatus RegisterBuffer(LiteRtDispatchDeviceContext device, LiteRtTensorBuffer buffer,
                                   LiteRtTensorBufferHandle* handle) {
  for (int i = 0; i < kMaxBuffers; ++i) {
    if (device->buffers[i] != NULL) continue;
    device->buffers[i] = buffer;
    *handle = (LiteRtTensorBufferHandle)i + 1;
    return kLiteRtStatusOk;
  }
  return kLiteRtStatusErrorRuntimeFailure;
}

static LiteRtStatus UnregisterBuffer(LiteRtDispatchDeviceContext device,
                                     LiteRtTensorBufferHandle handle) {
  device->buffers[handle - 1] = NULL;
  return kLiteRtStatusOk;
}

static LiteRtStatus CreateInvocation(LiteRtDispatchDeviceContext device,
                                     LiteRtDispatchExecutableType type,
                                     const LiteRtMemBuffer* bytecode, const char* function_name,
                                     int num_inputs, int num_outputs,
                                     LiteRtDispatchInvocationContext* invocation) {
  (void)type;
  const char* bytes = (const char*)bytecode->base_addr + bytecode->offset;
  if (bytecode->size != sizeof(kPlainBytecode) - 1 ||
      memcmp(bytes, kPlainBytecode, bytecode->size) != 0 || strlen(function_name) < 2 ||
      num_inputs > 2 || num_outputs != 1) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *invocation = calloc(1, sizeof(**invocation));
  if (*invocation == NULL) return kLiteRtStatusErrorMemoryAllocationFailure;
  (*invocation)->device = device;
  (*invocation)->operands[0] = function_name[0] - '0';
  (*invocation)->operands[1] = function_name[1] - '0';
  return kLiteRtStatusOk;
}

static LiteRtStatus DestroyInvocation(LiteRtDispatchInvocationContext invocation) {
  free(invocation);
  return kLiteRtStatusOk;
}

static LiteRtStatus GetRequirements(LiteRtDispatchInvocationContext invocation, int index,
                                    const LiteRtRankedTensorType* type,
                                    LiteRtTensorBufferRequirements* requirements) {
  (void)invocation;
  (void)index;
  size_t size_bytes = sizeof(float);
  for (unsigned i = 0; i < type->layout.rank; ++i) size_bytes *= type->layout.dimensions[i];
  const LiteRtTensorBufferType host = kLiteRtTensorBufferTypeHostMemory;
  return LiteRtCreateTensorBufferRequirements(1, &host, size_bytes, 0, NULL, requirements);
}

static LiteRtStatus AttachInput(LiteRtDispatchInvocationContext invocation, int index,
                                LiteRtTensorBufferHandle handle) {
  invocation->inputs[index] = handle;
  return kLiteRtStatusOk;
}

static LiteRtStatus AttachOutput(LiteRtDispatchInvocationContext invocation, int index,
                                 LiteRtTensorBufferHandle handle) {
  (void)index;
  invocation->output = handle;
  return kLiteRtStatusOk;
}

static LiteRtStatus Detach(LiteRtDispatchInvocationContext invocation, int index,
                           LiteRtTensorBufferHandle handle) {
  (void)invocation;
  (void)index;
  (void)handle;
  return kLiteRtStatusOk;
}

// Adds `sign` times a buffer's floats to `sums`.
static LiteRtStatus Accumulate(LiteRtTensorBuffer buffer, float sign, float* sums, size_t num) {
  void* memory = NULL;
  const LiteRtStatus status =
      LiteRtLockTensorBuffer(buffer, &memory, kLiteRtTensorBufferLockModeRead);
  if (status != kLiteRtStatusOk) return status;
  for (size_t i = 0; i < num; ++i) sums[i] += sign * ((const float*)memory)[i];
  return LiteRtUnlockTensorBuffer(buffer);
}

static LiteRtStatus Invoke(LiteRtDispatchInvocationContext invocation) {
  LiteRtTensorBuffer* const buffers = invocation->device->buffers;
  LiteRtTensorBuffer output = buffers[invocation->output - 1];
  size_t size_bytes = 0;
  LiteRtStatus status = LiteRtGetTensorBufferPackedSize(output, &size_bytes);
  if (status != kLiteRtStatusOk) return status;
  float* sums = calloc(1, size_bytes);
  if (sums == NULL) return kLiteRtStatusErrorMemoryAllocationFailure;
  for (int i = 0; i < 2 && status == kLiteRtStatusOk; ++i) {
    const LiteRtTensorBufferHandle handle = invocation->inputs[invocation->operands[i]];
    status =
        Accumulate(buffers[handle - 1], i == 0 ? 1.0f : -1.0f, sums, size_bytes / sizeof(float));
  }
  void* memory = NULL;
  if (status == kLiteRtStatusOk) {
    status = LiteRtLockTensorBuffer(output, &memory, kLiteRtTensorBufferLockModeWrite);
  }
  if (status == kLiteRtStatusOk) {
    memcpy(memory, sums, size_bytes);
    status = LiteRtUnlockTensorBuffer(output);
  }
  free(sums);
  return status;
}

static LiteRtStatus GetApi(LiteRtDispatchApi* api) {
  // The rest may be null.
  static LiteRtDispatchInterface interface = {
      .initialize = Initialize,
      .get_vendor_id = GetVendorId,
      .get_build_id = GetBuildId,
      .get_capabilities = GetCapabilities,
      .device_context_create = CreateDevice,
      .device_context_destroy = DestroyDevice,
      .get_input_requirements = GetRequirements,
      .get_output_requirements = GetRequirements,
      .register_tensor_buffer = RegisterBuffer,
      .unregister_tensor_buffer = UnregisterBuffer,
      .invocation_context_create = CreateInvocation,
      .invocation_context_destroy = DestroyInvocation,
      .attach_input = AttachInput,
      .attach_output = AttachOutput,
      .detach_input = Detach,
      .detach_output = Detach,
      .invoke = Invoke,
      .check_runtime_compatibility = CheckCompatibility,
  };
  *api = (LiteRtDispatchApi){
      .version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH},
      .interface = &interface,
  };
  return kLiteRtStatusOk;
}

static const NpukitStaticSymbol kSymbols[] = {
    {"LiteRtDispatchGetApi", (NpukitStaticFunction)GetApi},
};
const NpukitStaticPlugin kPlainDispatch = {
    .struct_size = sizeof(NpukitStaticPlugin),
    .kind = kNpukitStaticPluginDispatch,
    .name = "Plain",
    .symbols = kSymbols,
    .num_symbols = 1,
};
