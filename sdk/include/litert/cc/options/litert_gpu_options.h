// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_GPU_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_GPU_OPTIONS_H_

// Options of the GPU accelerator; npukit has none and passes them on.

#include "litert/c/litert_common.h"
#include "litert/c/options/litert_gpu_options.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/options/litert_owned_options.h"

namespace litert {

// Setters give kLiteRtStatusErrorInvalidArgument for null text, and after Release().
class GpuOptions : public internal::OwnedOptions<LrtGpuOptions*, LrtCreateGpuOptions,
                                                 LrtDestroyGpuOptions, LrtGetOpaqueGpuOptionsData> {
 public:
  enum class Precision : int {
    kDefault = kLiteRtDelegatePrecisionDefault,
    kFp16 = kLiteRtDelegatePrecisionFp16,
    kFp32 = kLiteRtDelegatePrecisionFp32,
    kFp16WithFp32Accum = 3,  // since v2.2.0
  };
  enum class BufferStorageType : int {
    kDefault = kLiteRtDelegateBufferStorageTypeDefault,
    kBuffer = kLiteRtDelegateBufferStorageTypeBuffer,
    kTexture2D = kLiteRtDelegateBufferStorageTypeTexture2D,
  };
  enum class Backend : int {
    kAutomatic = kLiteRtGpuBackendAutomatic,
    kOpenCl = kLiteRtGpuBackendOpenCl,
    kWebGpu = kLiteRtGpuBackendWebGpu,
    kOpenGl = kLiteRtGpuBackendOpenGl,
  };
  enum class Priority : int {
    kDefault = kLiteRtGpuPriorityDefault,
    kLow = kLiteRtGpuPriorityLow,
    kNormal = kLiteRtGpuPriorityNormal,
    kHigh = kLiteRtGpuPriorityHigh,
  };
  enum class SyncExecutionModeWaitType : int {
    kDefault = kLiteRtGpuWaitTypeDefault,
    kPassive = kLiteRtGpuWaitTypePassive,
    kActive = kLiteRtGpuWaitTypeActive,
    kDoNotWait = kLiteRtGpuWaitTypeDoNotWait,
  };

  GpuOptions() = default;
  // Owns them.
  explicit GpuOptions(LrtGpuOptions* options) : OwnedOptions(options) {}

  static Expected<GpuOptions> Create() {
    LITERT_ASSIGN_OR_RETURN(LrtGpuOptions * options, CreateHandle());
    return GpuOptions(options);
  }
  static const char* GetPayloadIdentifier() { return LrtGetGpuOptionsIdentifier(); }
  static const char* Discriminator() { return LrtGetGpuOptionsIdentifier(); }

  Expected<void> SetPrecision(Precision value) {
    LITERT_RETURN_IF_ERROR(LrtSetGpuAcceleratorCompilationOptionsPrecision(
        Get(), static_cast<LiteRtDelegatePrecision>(value)));
    return {};
  }
  Expected<void> SetBufferStorageType(BufferStorageType value) {
    LITERT_RETURN_IF_ERROR(LrtSetGpuAcceleratorCompilationOptionsUseBufferStorageType(
        Get(), static_cast<LiteRtDelegateBufferStorageType>(value)));
    return {};
  }
  Expected<void> SetBackend(Backend value) {
    LITERT_RETURN_IF_ERROR(LrtSetGpuOptionsGpuBackend(Get(), static_cast<LiteRtGpuBackend>(value)));
    return {};
  }
  Expected<void> SetPriority(Priority value) {
    LITERT_RETURN_IF_ERROR(
        LrtSetGpuOptionsGpuPriority(Get(), static_cast<LiteRtGpuPriority>(value)));
    return {};
  }
  LiteRtStatus SetSyncExecutionModeWaitType(SyncExecutionModeWaitType value) {
    return LrtSetGpuAcceleratorRuntimeOptionsWaitType(Get(), static_cast<LiteRtGpuWaitType>(value));
  }

#define LITERT_INTERNAL_OPTION(name, type, function) \
  LiteRtStatus name(type value) { return function(Get(), value); }
  LITERT_INTERNAL_OPTION(EnableConstantTensorSharing, bool, LrtSetGpuOptionsConstantTensorsSharing)
  LITERT_INTERNAL_OPTION(SetMadviseOriginalSharedTensors, bool,
                         LrtSetGpuAcceleratorCompilationOptionsMadviseOriginalSharedTensors)
  LITERT_INTERNAL_OPTION(SetConvertWeightsOnGpu, bool,
                         LrtSetGpuAcceleratorRuntimeOptionsConvertWeightsOnGpu)
  LITERT_INTERNAL_OPTION(WaitForWeightsConversionComplete, bool,
                         LrtSetGpuAcceleratorRuntimeOptionsWaitForWeightsConversionComplete)
  LITERT_INTERNAL_OPTION(EnableInfiniteFloatCapping, bool, LrtSetGpuOptionsInfiniteFloatCapping)
  LITERT_INTERNAL_OPTION(EnableBenchmarkMode, bool, LrtSetGpuOptionsBenchmarkMode)
  LITERT_INTERNAL_OPTION(EnableAllowSrcQuantizedFcConvOps, bool,
                         LrtSetGpuAcceleratorCompilationOptionsAllowSrcQuantizedFcConvOps)
  LITERT_INTERNAL_OPTION(HintWaitingForCompletion, bool,
                         LrtSetGpuAcceleratorRuntimeOptionsHintWaitingForCompletion)
  LITERT_INTERNAL_OPTION(SetPreferTextureWeights, bool,
                         LrtSetGpuAcceleratorCompilationOptionsPreferTextureWeights)
  LITERT_INTERNAL_OPTION(SetSerializationDir, const char*,
                         LrtSetGpuAcceleratorCompilationOptionsSerializationDir)
  LITERT_INTERNAL_OPTION(SetModelCacheKey, const char*,
                         LrtSetGpuAcceleratorCompilationOptionsModelCacheKey)
  LITERT_INTERNAL_OPTION(SetWeightCacheFd, int, LrtSetGpuAcceleratorCompilationOptionsWeightCacheFd)
  LITERT_INTERNAL_OPTION(SetProgramCacheFd, int,
                         LrtSetGpuAcceleratorCompilationOptionsProgramCacheFd)
  LITERT_INTERNAL_OPTION(SetSerializeProgramCache, bool,
                         LrtSetGpuAcceleratorCompilationOptionsSerializeProgramCache)
  LITERT_INTERNAL_OPTION(SetSerializeExternalTensors, bool,
                         LrtSetGpuAcceleratorCompilationOptionsSerializeExternalTensors)
  LITERT_INTERNAL_OPTION(EnableExternalTensorsMode, bool, LrtSetGpuOptionsExternalTensorsMode)
  LITERT_INTERNAL_OPTION(AddExternalTensorPattern, const char*,
                         LrtAddGpuOptionsExternalTensorPattern)
  LITERT_INTERNAL_OPTION(AddBufferStorageTensorPattern, const char*,
                         LrtAddGpuOptionsBufferStorageTensorPattern)
  LITERT_INTERNAL_OPTION(SetSharedTensorMaps, void*,
                         LrtSetGpuAcceleratorCompilationOptionsSharedTensorMaps)
  LITERT_INTERNAL_OPTION(SetNumStepsOfCommandBufferPreparations, int,
                         LrtSetGpuAcceleratorRuntimeOptionsNumStepsOfCommandBufferPreparations)
  LITERT_INTERNAL_OPTION(SetUseMetalArgumentBuffers, bool, LrtSetGpuOptionsUseMetalArgumentBuffers)
  LITERT_INTERNAL_OPTION(EnableMetalResidencySet, bool, LrtSetGpuOptionsMetalResidencySet)
  LITERT_INTERNAL_OPTION(SetPreferredDeviceSubstr, const char*,
                         LrtSetGpuAcceleratorRuntimeOptionsPreferredDeviceSubstr)
  LITERT_INTERNAL_OPTION(SetNumThreadsToUpload, int,
                         LrtSetGpuAcceleratorRuntimeOptionsNumThreadsToUpload)
  LITERT_INTERNAL_OPTION(SetNumThreadsToCompile, int,
                         LrtSetGpuAcceleratorRuntimeOptionsNumThreadsToCompile)
  LITERT_INTERNAL_OPTION(SetHintFullyDelegatedToSingleDelegate, bool,
                         LrtSetGpuOptionsHintFullyDelegatedToSingleDelegate)
  LITERT_INTERNAL_OPTION(DisableShaderOptimization, bool,
                         LrtSetGpuAcceleratorCompilationOptionsDisableShaderOptimization)
  LITERT_INTERNAL_OPTION(CacheCompiledProgramsOnly, bool,
                         LrtSetGpuAcceleratorCompilationOptionsCacheCompiledProgramsOnly)
  LITERT_INTERNAL_OPTION(SetKernelBatchSize, int, LrtSetGpuAcceleratorRuntimeOptionsKernelBatchSize)
#undef LITERT_INTERNAL_OPTION
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_GPU_OPTIONS_H_
