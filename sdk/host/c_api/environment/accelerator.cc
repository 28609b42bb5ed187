// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// litert/c/internal/litert_accelerator.h.

#include "sdk/host/c_api/environment/accelerator.h"

#include "litert/c/internal/litert_accelerator.h"
#include "litert/vendors/c/litert_linked_in.h"
#include "sdk/host/c_api/environment/environment.h"
#include "sdk/host/library/linked_plugins.h"

namespace {

constexpr LiteRtApiVersion kVersion = {1, 0, 0};

// In the order of their indices.
struct Accelerators {
  LiteRtAcceleratorT* list[2];
  size_t count;
};

Accelerators Of(LiteRtEnvironment environment) {
  const LiteRtEnvironmentOptionsT& options = environment->options();
  const bool has_npu = options.Has(kLiteRtEnvOptionTagCompilerPluginLibraryDir) ||
                       options.Has(kLiteRtEnvOptionTagDispatchLibraryDir) ||
                       !npukit::LinkedPaths(kNpukitStaticPluginDispatch).empty();
  if (has_npu) return {{&environment->npu(), &environment->cpu()}, 2};
  return {{&environment->cpu()}, 1};
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtGetNumAccelerators(LiteRtEnvironment environment,
                                      LiteRtParamIndex* num_accelerators) {
  if (!environment || !num_accelerators) return kLiteRtStatusErrorInvalidArgument;
  *num_accelerators = Of(environment).count;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetAccelerator(LiteRtEnvironment environment, LiteRtParamIndex index,
                                  LiteRtAccelerator* accelerator) {
  if (!environment || !accelerator) return kLiteRtStatusErrorInvalidArgument;
  const Accelerators accelerators = Of(environment);
  if (index >= accelerators.count) return kLiteRtStatusErrorIndexOOB;
  *accelerator = accelerators.list[index];
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetAcceleratorName(LiteRtAcceleratorConst accelerator, char const** name) {
  if (!accelerator || !name) return kLiteRtStatusErrorInvalidArgument;
  *name = accelerator->name;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetAcceleratorId(LiteRtAcceleratorConst accelerator, LiteRtAcceleratorId* id) {
  if (!accelerator || !id) return kLiteRtStatusErrorInvalidArgument;
  *id = Of(accelerator->environment).list[0] == accelerator ? 0 : 1;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetAcceleratorVersion(LiteRtAcceleratorConst accelerator,
                                         LiteRtApiVersion* version) {
  if (!accelerator || !version) return kLiteRtStatusErrorInvalidArgument;
  *version = kVersion;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetAcceleratorHardwareSupport(LiteRtAcceleratorConst accelerator,
                                                 LiteRtHwAcceleratorSet* supported_hardware) {
  if (!accelerator || !supported_hardware) return kLiteRtStatusErrorInvalidArgument;
  *supported_hardware = accelerator->hardware;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetAcceleratorEnvironment(LiteRtAcceleratorConst accelerator,
                                             LiteRtEnvironment* environment) {
  if (!accelerator || !environment) return kLiteRtStatusErrorInvalidArgument;
  *environment = accelerator->environment;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtIsAcceleratorDelegateResponsibleForJitCompilation(
    LiteRtAcceleratorConst accelerator, bool* does_jit_compilation) {
  if (!accelerator || !does_jit_compilation) return kLiteRtStatusErrorInvalidArgument;
  *does_jit_compilation = false;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtRegisterNpuAccelerator(LiteRtEnvironment environment) {
  if (!environment) return kLiteRtStatusErrorInvalidArgument;
  const bool has_dispatch = environment->options().Has(kLiteRtEnvOptionTagDispatchLibraryDir) ||
                            !npukit::LinkedPaths(kNpukitStaticPluginDispatch).empty();
  return has_dispatch ? kLiteRtStatusOk : kLiteRtStatusErrorInvalidArgument;
}

struct LiteRtGpuEnvironmentT* LiteRtGetGpuEnvironment(LiteRtEnvironment) {
  return nullptr;
}

const void* LiteRtStaticLinkedAcceleratorCpuDef = nullptr;
const void* LiteRtStaticLinkedAcceleratorGpuDef = nullptr;
LiteRtStatus (*LiteRtRegisterStaticLinkedAcceleratorWebNn)(LiteRtEnvironment environment) = nullptr;

}  // extern "C"
