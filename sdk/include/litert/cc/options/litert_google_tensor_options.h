// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_GOOGLE_TENSOR_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_GOOGLE_TENSOR_OPTIONS_H_

// Options of Google Tensor's plugin.

#include <string>

#include "litert/c/litert_common.h"
#include "litert/c/options/litert_google_tensor_options.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/options/litert_owned_options.h"

namespace litert::google_tensor {

class GoogleTensorOptions
    : public internal::OwnedOptions<LrtGoogleTensorOptions, LrtCreateGoogleTensorOptions,
                                    LrtDestroyGoogleTensorOptions,
                                    LrtGetOpaqueGoogleTensorOptionsData> {
 public:
  enum class PerformanceMode : int {
    kExtremePowerSaver = kLiteRtGoogleTensorOptionsPerformanceModeExtremePowerSaver,
    kPowerSaver = kLiteRtGoogleTensorOptionsPerformanceModePowerSaver,
    kBalanced = kLiteRtGoogleTensorOptionsPerformanceModeBalanced,
    kHighPerformance = kLiteRtGoogleTensorOptionsPerformanceModeHighPerformance,
    kSustainedPerformance = kLiteRtGoogleTensorOptionsPerformanceModeSustainedPerformance,
    kBurst = kLiteRtGoogleTensorOptionsPerformanceModeBurst,
  };

  GoogleTensorOptions() = delete;

  static Expected<GoogleTensorOptions> Create() {
    LITERT_ASSIGN_OR_RETURN(LrtGoogleTensorOptions options, CreateHandle());
    return GoogleTensorOptions(options);
  }
  static const char* Discriminator() { return LrtGoogleTensorOptionsGetIdentifier(); }

#define LITERT_INTERNAL_OPTION(type, c_type, name)                      \
  void Set##name(type value) {                                          \
    LrtGoogleTensorOptionsSet##name(Get(), static_cast<c_type>(value)); \
  }                                                                     \
  type Get##name() const { return Value<type>(LrtGoogleTensorOptionsGet##name); }
  LITERT_INTERNAL_OPTION(LrtGoogleTensorOptionsTruncationType, LrtGoogleTensorOptionsTruncationType,
                         FloatTruncationType)
  LITERT_INTERNAL_OPTION(LrtGoogleTensorOptionsShardingIntensity,
                         LrtGoogleTensorOptionsShardingIntensity, ShardingIntensity)
  LITERT_INTERNAL_OPTION(PerformanceMode, LiteRtGoogleTensorOptionsPerformanceMode, PerformanceMode)
  LITERT_INTERNAL_OPTION(bool, bool, Int64ToInt32Truncation)
  LITERT_INTERNAL_OPTION(bool, bool, DumpOpTimings)
  LITERT_INTERNAL_OPTION(bool, bool, EnableLargeModelSupport)
  LITERT_INTERNAL_OPTION(bool, bool, Enable4BitCompilation)
  LITERT_INTERNAL_OPTION(bool, bool, EnableDynamicRangeQuantization)
#undef LITERT_INTERNAL_OPTION

  // Text got lives until it is set again.
#define LITERT_INTERNAL_TEXT_OPTION(name)                               \
  void Set##name(internal::StringView value) {                          \
    LrtGoogleTensorOptionsSet##name(Get(), std::string(value).c_str()); \
  }                                                                     \
  internal::StringView Get##name() const {                              \
    const char* value = "";                                             \
    LrtGoogleTensorOptionsGet##name(Get(), &value);                     \
    return value;                                                       \
  }
  LITERT_INTERNAL_TEXT_OPTION(OutputDir)
  LITERT_INTERNAL_TEXT_OPTION(OpFiltersProto)
  LITERT_INTERNAL_TEXT_OPTION(ExtraOptionsPath)
  LITERT_INTERNAL_TEXT_OPTION(ExtraOptions)
#undef LITERT_INTERNAL_TEXT_OPTION

  // Whether the memory of a signature's input, or output, is to be coherent with the CPU's caches.
  // False where nothing was set.
#define LITERT_INTERNAL_COHERENCY(name)                                                        \
  void Set##name(internal::StringView signature, internal::StringView tensor, bool coherent) { \
    LrtGoogleTensorOptionsSet##name(Get(), std::string(signature).c_str(),                     \
                                    std::string(tensor).c_str(), coherent);                    \
  }                                                                                            \
  bool Get##name(internal::StringView signature, internal::StringView tensor) const {          \
    bool coherent = false;                                                                     \
    LrtGoogleTensorOptionsGet##name(Get(), std::string(signature).c_str(),                     \
                                    std::string(tensor).c_str(), &coherent);                   \
    return coherent;                                                                           \
  }
  LITERT_INTERNAL_COHERENCY(InputCoherency)
  LITERT_INTERNAL_COHERENCY(OutputCoherency)
#undef LITERT_INTERNAL_COHERENCY

 private:
  explicit GoogleTensorOptions(LrtGoogleTensorOptions options) : OwnedOptions(options) {}
};

}  // namespace litert::google_tensor

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_GOOGLE_TENSOR_OPTIONS_H_
