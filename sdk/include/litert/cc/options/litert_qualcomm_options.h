// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_QUALCOMM_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_QUALCOMM_OPTIONS_H_

// Options of Qualcomm's plugin.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/options/litert_qualcomm_options.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/options/litert_owned_options.h"

namespace litert::qualcomm {

// Getters give the fallback of litert_qualcomm_options.def for what was never set.
class QualcommOptions
    : public internal::OwnedOptions<LrtQualcommOptions, LrtCreateQualcommOptions,
                                    LrtDestroyQualcommOptions, LrtGetOpaqueQualcommOptionsData> {
 public:
  enum class LogLevel : int {
    kOff = kLiteRtQualcommLogOff,
    kError = kLiteRtQualcommLogLevelError,
    kWarn = kLiteRtQualcommLogLevelWarn,
    kInfo = kLiteRtQualcommLogLevelInfo,
    kVerbose = kLiteRtQualcommLogLevelVerbose,
    kDebug = kLiteRtQualcommLogLevelDebug,
  };
  enum class HtpPerformanceMode : int {
    kDefault = kLiteRtQualcommHtpPerformanceModeDefault,
    kSustainedHighPerformance = kLiteRtQualcommHtpPerformanceModeSustainedHighPerformance,
    kBurst = kLiteRtQualcommHtpPerformanceModeBurst,
    kHighPerformance = kLiteRtQualcommHtpPerformanceModeHighPerformance,
    kPowerSaver = kLiteRtQualcommHtpPerformanceModePowerSaver,
    kLowPowerSaver = kLiteRtQualcommHtpPerformanceModeLowPowerSaver,
    kHighPowerSaver = kLiteRtQualcommHtpPerformanceModeHighPowerSaver,
    kLowBalanced = kLiteRtQualcommHtpPerformanceModeLowBalanced,
    kBalanced = kLiteRtQualcommHtpPerformanceModeBalanced,
    kExtremePowerSaver = kLiteRtQualcommHtpPerformanceModeExtremePowerSaver,
  };
  enum class DspPerformanceMode : int {
    kDefault = kLiteRtQualcommDspPerformanceModeDefault,
    kSustainedHighPerformance = kLiteRtQualcommDspPerformanceModeSustainedHighPerformance,
    kBurst = kLiteRtQualcommDspPerformanceModeBurst,
    kHighPerformance = kLiteRtQualcommDspPerformanceModeHighPerformance,
    kPowerSaver = kLiteRtQualcommDspPerformanceModePowerSaver,
    kLowPowerSaver = kLiteRtQualcommDspPerformanceModeLowPowerSaver,
    kHighPowerSaver = kLiteRtQualcommDspPerformanceModeHighPowerSaver,
    kLowBalanced = kLiteRtQualcommDspPerformanceModeLowBalanced,
    kBalanced = kLiteRtQualcommDspPerformanceModeBalanced,
  };
  enum class HtpPerfCtrlMode : int {
    kManual = kLiteRtQualcommHtpPerfCtrlModeManual,
    kAuto = kLiteRtQualcommHtpPerfCtrlModeAuto,
  };
  enum class DspPerfCtrlMode : int {
    kManual = kLiteRtQualcommDspPerfCtrlModeManual,
    kAuto = kLiteRtQualcommDspPerfCtrlModeAuto,
  };
  enum class Profiling : int {
    kOff = kLiteRtQualcommProfilingOff,
    kBasic = kLiteRtQualcommProfilingBasic,
    kDetailed = kLiteRtQualcommProfilingDetailed,
    kLinting = kLiteRtQualcommProfilingLinting,
    kOptrace = kLiteRtQualcommProfilingOptrace,
  };
  enum class OptimizationLevel : int {
    kOptimizeForInference = kHtpOptimizeForInference,
    kOptimizeForPrepare = kHtpOptimizeForPrepare,
    kOptimizeForInferenceO3 = kHtpOptimizeForInferenceO3,
  };
  enum class GraphPriority : int {
    kDefault = kLiteRTQualcommGraphPriorityDefault,
    kLow = kLiteRTQualcommGraphPriorityLow,
    kNormal = kLiteRTQualcommGraphPriorityNormal,
    kNormalHigh = kLiteRTQualcommGraphPriorityNormalHigh,
    kHigh = kLiteRTQualcommGraphPriorityHigh,
  };
  enum class Backend : int {
    kUndefined = kLiteRtQualcommBackendUndefined,
    kGpu = kLiteRtQualcommBackendGpu,
    kHtp = kLiteRtQualcommBackendHtp,
    kDsp = kLiteRtQualcommBackendDsp,
    kIr = kLiteRtQualcommBackendIr,
    kLpai = kLiteRtQualcommBackendLpai,
  };
  enum class GraphIOTensorMemType : int {
    kRaw = kLiteRtQualcommGraphIOTensorMemTypeRaw,
    kMemHandle = kLiteRtQualcommGraphIOTensorMemTypeMemHandle,
  };
  enum class LpaiTarget : int {
    kX86 = kLiteRtQualcommLpaiTargetX86,
    kArm = kLiteRtQualcommLpaiTargetArm,
    kAdsp = kLiteRtQualcommLpaiTargetAdsp,
    kTensilica = kLiteRtQualcommLpaiTargetTensilica,
  };
  enum class LpaiClientPerfType : int {
    kDefault = kLiteRtQualcommLpaiClientPerfTypeDefault,
    kRealTime = kLiteRtQualcommLpaiClientPerfTypeRealTime,
    kNonRealTime = kLiteRtQualcommLpaiClientPerfTypeNonRealTime,
  };
  enum class LpaiCoreAffinityType : int {
    kDefault = kLiteRtQualcommLpaiCoreAffinityTypeDefault,
    kSoft = kLiteRtQualcommLpaiCoreAffinityTypeSoft,
    kHard = kLiteRtQualcommLpaiCoreAffinityTypeHard,
  };

  QualcommOptions() = default;
  // Owns them.
  explicit QualcommOptions(LrtQualcommOptions options) : OwnedOptions(options) {}

  static Expected<QualcommOptions> Create() {
    LITERT_ASSIGN_OR_RETURN(LrtQualcommOptions options, CreateHandle());
    return QualcommOptions(options);
  }
  static const char* Discriminator() { return LrtQualcommOptionsGetIdentifier(); }

  // SetX(value) and GetX() of one option.
#define LITERT_INTERNAL_OPTION(type, c_type, name)                                               \
  void Set##name(type value) { LrtQualcommOptionsSet##name(Get(), static_cast<c_type>(value)); } \
  type Get##name() const { return Value<type>(LrtQualcommOptionsGet##name); }
#define LITERT_INTERNAL_ENUM_OPTION(name) \
  LITERT_INTERNAL_OPTION(name, LrtQualcommOptions##name, name)
  // Text got lives until it is set again.
#define LITERT_INTERNAL_TEXT_OPTION(name)                                                         \
  void Set##name(const std::string& value) { LrtQualcommOptionsSet##name(Get(), value.c_str()); } \
  internal::StringView Get##name() const {                                                        \
    const char* value = "";                                                                       \
    LrtQualcommOptionsGet##name(Get(), &value);                                                   \
    return value;                                                                                 \
  }

  LITERT_INTERNAL_ENUM_OPTION(LogLevel)
  LITERT_INTERNAL_ENUM_OPTION(HtpPerformanceMode)
  LITERT_INTERNAL_ENUM_OPTION(DspPerformanceMode)
  LITERT_INTERNAL_ENUM_OPTION(HtpPerfCtrlMode)
  LITERT_INTERNAL_ENUM_OPTION(DspPerfCtrlMode)
  LITERT_INTERNAL_ENUM_OPTION(Profiling)
  LITERT_INTERNAL_ENUM_OPTION(OptimizationLevel)
  LITERT_INTERNAL_ENUM_OPTION(GraphPriority)
  LITERT_INTERNAL_ENUM_OPTION(Backend)
  LITERT_INTERNAL_ENUM_OPTION(GraphIOTensorMemType)
  LITERT_INTERNAL_ENUM_OPTION(LpaiTarget)
  LITERT_INTERNAL_ENUM_OPTION(LpaiClientPerfType)
  LITERT_INTERNAL_ENUM_OPTION(LpaiCoreAffinityType)
  LITERT_INTERNAL_OPTION(bool, bool, UseHtpPreference)
  LITERT_INTERNAL_OPTION(bool, bool, UseQint16AsQuint16)
  LITERT_INTERNAL_OPTION(bool, bool, UseInt64BiasAsInt32)
  LITERT_INTERNAL_OPTION(bool, bool, EnableWeightSharing)
  LITERT_INTERNAL_OPTION(bool, bool, EnableJustInTime)
  LITERT_INTERNAL_OPTION(bool, bool, UseConvHMX)
  LITERT_INTERNAL_OPTION(bool, bool, UseFoldReLU)
  LITERT_INTERNAL_OPTION(int32_t, int32_t, HtpPPoint)
  LITERT_INTERNAL_OPTION(uint32_t, uint32_t, VtcmSize)
  LITERT_INTERNAL_OPTION(uint32_t, uint32_t, NumHvxThreads)
  LITERT_INTERNAL_OPTION(uint32_t, uint32_t, LpaiFps)
  LITERT_INTERNAL_OPTION(uint32_t, uint32_t, LpaiFtrtRatio)
  LITERT_INTERNAL_OPTION(uint32_t, uint32_t, LpaiCoreSelection)
  LITERT_INTERNAL_TEXT_OPTION(IrJsonDir)
  LITERT_INTERNAL_TEXT_OPTION(DlcDir)
  LITERT_INTERNAL_TEXT_OPTION(SaverOutputDir)
  LITERT_INTERNAL_TEXT_OPTION(SchematicDir)
  LITERT_INTERNAL_TEXT_OPTION(GraphTransform)

#undef LITERT_INTERNAL_TEXT_OPTION
#undef LITERT_INTERNAL_ENUM_OPTION
#undef LITERT_INTERNAL_OPTION

  // The tensors whose values are written out, by id.
  void SetDumpTensorIds(const std::vector<int32_t>& ids) {
    LrtQualcommOptionsSetDumpTensorIds(Get(), ids.data(), ids.size());
  }
  std::vector<int32_t> GetDumpTensorIds() const {
    const int32_t* ids = nullptr;
    size_t count = 0;
    LrtQualcommOptionsGetDumpTensorIds(Get(), &ids, &count);
    return {ids, ids + count};
  }

  // An op package of the vendor's SDK: its name, the function that provides its interface, its
  // libraries for compiling and running, and the target.
  struct CustomOpPackage {
    std::string name;
    std::string interface_provider;
    std::string compile_package_path;
    std::string dispatch_package_path;
    std::string target;
  };
  LiteRtStatus SetCustomOpPackage(const CustomOpPackage& package) {
    return LrtQualcommOptionsSetCustomOpPackage(
        Get(), package.name.c_str(), package.interface_provider.c_str(),
        package.compile_package_path.c_str(), package.dispatch_package_path.c_str(),
        package.target.c_str());
  }
  // All empty where none was set.
  CustomOpPackage GetCustomOpPackage() const {
    const char* name = "";
    const char* provider = "";
    const char* compile_path = "";
    const char* dispatch_path = "";
    const char* target = "";
    LrtQualcommOptionsGetCustomOpPackage(Get(), &name, &provider, &compile_path, &dispatch_path,
                                         &target);
    return {name, provider, compile_path, dispatch_path, target};
  }
};

}  // namespace litert::qualcomm

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_QUALCOMM_OPTIONS_H_
