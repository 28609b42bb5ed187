// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_MEDIATEK_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_MEDIATEK_OPTIONS_H_

// Options of MediaTek's plugin.

#include <string>

#include "litert/c/litert_common.h"
#include "litert/c/options/litert_mediatek_options.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/options/litert_owned_options.h"

namespace litert::mediatek {

class MediatekOptions
    : public internal::OwnedOptions<LrtMediatekOptions*, LrtCreateMediatekOptions,
                                    LrtDestroyMediatekOptions, LrtGetOpaqueMediatekOptionsData> {
 public:
  enum class NeronSDKVersion : int {
    kVersion7 = kLiteRtMediatekOptionsNeronSDKVersionTypeVersion7,
    kVersion8 = kLiteRtMediatekOptionsNeronSDKVersionTypeVersion8,
    kVersion9 = kLiteRtMediatekOptionsNeronSDKVersionTypeVersion9,
  };
  enum class PerformanceMode : int {
    kLowPower = kLiteRtMediatekNeuronAdapterPerformanceModeNeuronPreferLowPower,
    kFastSingleAnswer = kLiteRtMediatekNeuronAdapterPerformanceModeNeuronPreferFastSingleAnswer,
    kSustainedSpeed = kLiteRtMediatekNeuronAdapterPerformanceModeNeuronPreferSustainedSpeed,
    kTurboBoost = kLiteRtMediatekNeuronAdapterPerformanceModeNeuronPreferTurboBoost,
  };
  enum class OptimizationHint : int {
    kNormal = kLiteRtMediatekNeuronAdapterOptimizationHintNormal,
    kLowLatency = kLiteRtMediatekNeuronAdapterOptimizationHintLowLatency,
    kDeepFusion = kLiteRtMediatekNeuronAdapterOptimizationHintDeepFusion,
    kBatchProcessing = kLiteRtMediatekNeuronAdapterOptimizationHintBatchProcessing,
  };

  MediatekOptions() = delete;

  static Expected<MediatekOptions> Create() {
    LITERT_ASSIGN_OR_RETURN(LrtMediatekOptions * options, CreateHandle());
    return MediatekOptions(options);
  }
  static const char* Discriminator() { return "mediatek"; }

#define LITERT_INTERNAL_OPTION(type, c_type, name, c_name)                                         \
  void Set##name(type value) { LrtSetMediatekOptions##c_name(Get(), static_cast<c_type>(value)); } \
  type Get##name() const {                                                                         \
    c_type value{};                                                                                \
    LrtGetMediatekOptions##c_name(Get(), &value);                                                  \
    return static_cast<type>(value);                                                               \
  }
  LITERT_INTERNAL_OPTION(NeronSDKVersion, LiteRtMediatekOptionsNeronSDKVersionType,
                         NeronSDKVersionType, NeronSDKVersionType)
  LITERT_INTERNAL_OPTION(PerformanceMode, LiteRtMediatekNeuronAdapterPerformanceMode,
                         PerformanceMode, PerformanceMode)
  LITERT_INTERNAL_OPTION(OptimizationHint, LiteRtMediatekNeuronAdapterOptimizationHint,
                         OptimizationHint, OptimizationHint)
  LITERT_INTERNAL_OPTION(bool, bool, EnableGemmaCompilerOptimizations, GemmaCompilerOptimizations)
  LITERT_INTERNAL_OPTION(bool, bool, EnableL1CacheOptimizations, L1CacheOptimizations)
  LITERT_INTERNAL_OPTION(bool, bool, DisableDlaDirRemoval, DisableDlaDirRemoval)
#undef LITERT_INTERNAL_OPTION

  // Text got lives until it is set again.
#define LITERT_INTERNAL_TEXT_OPTION(name)                                                         \
  void Set##name(const std::string& value) { LrtSetMediatekOptions##name(Get(), value.c_str()); } \
  internal::StringView Get##name() const {                                                        \
    const char* value = "";                                                                       \
    LrtGetMediatekOptions##name(Get(), &value);                                                   \
    return value;                                                                                 \
  }
  LITERT_INTERNAL_TEXT_OPTION(MediatekDlaDir)
  LITERT_INTERNAL_TEXT_OPTION(AotCompilationOptions)
#undef LITERT_INTERNAL_TEXT_OPTION

 private:
  explicit MediatekOptions(LrtMediatekOptions* options) : OwnedOptions(options) {}
};

}  // namespace litert::mediatek

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_MEDIATEK_OPTIONS_H_
