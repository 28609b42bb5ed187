// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class abi that ask the plugin who it is and what it supports.

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::abi {
namespace {

// The stamp in a compiled model holds 123 characters.
constexpr size_t kMaxNameLength = 123;

bool IsPrintable(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isprint(c) != 0; });
}

constexpr LiteRtApiVersion kHostVersion = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR,
                                           LITERT_API_VERSION_PATCH};

std::string VersionText(const LiteRtApiVersion& version) {
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

litert::Expected<std::string> AskManufacturer(const LiteRtCompilerPluginApi& api) {
  constexpr char kCall[] = "LiteRtGetCompilerPluginSocManufacturer";
  return Witness::Get().Observe<std::string>(kCall, [&]() -> litert::Expected<std::string> {
    const char* name = VendorCall(kCall, api.get_compiler_plugin_soc_manufacturer);
    if (name == nullptr)
      return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, "the manufacturer is null");
    return std::string(name);
  });
}

struct ObservedTransformations {
  std::vector<std::string> names;  // empty where there is none
  std::vector<uint64_t> has_pattern;
  static auto Fields(auto& self) { return std::tie(self.names, self.has_pattern); }
  bool IsSound() const { return names.size() == has_pattern.size(); }
};

template <typename Function>
litert::Expected<ObservedTransformations> AskTransformations(const char* name, Function get,
                                                             LiteRtCompilerPlugin plugin) {
  LiteRtTransformation* list = nullptr;
  LiteRtParamIndex count = 0;
  const LiteRtStatus status = VendorCall(name, get, plugin, &list, &count);
  if (status != kLiteRtStatusOk) return CallFailed(name, status);
  if (count > 0 && list == nullptr) {
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                              fmt::format("{} transformations at a null pointer", count));
  }
  ObservedTransformations observed;
  for (LiteRtParamIndex i = 0; i < count; ++i) {
    observed.names.emplace_back(list[i].name == nullptr ? "" : list[i].name);
    observed.has_pattern.push_back(list[i].pattern != nullptr ? 1 : 0);
  }
  return observed;
}

}  // namespace

CheckAnswer version(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompilerPluginApi* api, bench.api());
  constexpr char kCall[] = "LiteRtGetCompilerPluginVersion";
  LITERT_ASSIGN_OR_RETURN(
      const std::string version,
      Witness::Get().Observe<std::string>(kCall, [&]() -> litert::Expected<std::string> {
        LiteRtApiVersion given = {-1, -1, -1};
        const LiteRtStatus status = VendorCall(kCall, api->get_compiler_plugin_version, &given);
        if (status != kLiteRtStatusOk) return CallFailed(kCall, status);
        return VersionText(given);
      }));
  NPUKIT_CHECK_THAT(version == VersionText(kHostVersion),
                    "the version is " + version + ", expected " + VersionText(kHostVersion));
  const LiteRtStatus on_null =
      VendorCall("LiteRtGetCompilerPluginVersion(null)", api->get_compiler_plugin_version, nullptr);
  NPUKIT_CHECK_THAT(on_null != kLiteRtStatusOk,
                    "LiteRtGetCompilerPluginVersion(null) gave kLiteRtStatusOk");
  return CheckReport::Pass();
}

CheckAnswer manufacturer(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompilerPluginApi* api, bench.api());
  LITERT_ASSIGN_OR_RETURN(const std::string name, AskManufacturer(*api));
  NPUKIT_CHECK_THAT(!name.empty() && name.size() <= kMaxNameLength && IsPrintable(name),
                    "the manufacturer '" + name + "' is empty, too long or not printable");
  LITERT_ASSIGN_OR_RETURN(const std::string second, AskManufacturer(*api));
  NPUKIT_CHECK_THAT(name == second, "the manufacturer changes from call to call");
  NPUKIT_CHECK_THAT(
      name == bench.claims().manufacturer,
      "the manufacturer is '" + name + "', the claims say '" + bench.claims().manufacturer + "'");
  return CheckReport::Pass(name);
}

CheckAnswer hardware(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  const auto get = plugin->api().get_compiler_plugin_supported_hardware;
  constexpr char kCall[] = "LiteRtGetCompilerPluginSupportedHardware";
  LITERT_ASSIGN_OR_RETURN(
      const uint64_t hardware,
      Witness::Get().Observe<uint64_t>(kCall, [&]() -> litert::Expected<uint64_t> {
        LiteRtHwAccelerators given = kLiteRtHwAcceleratorNone;
        const LiteRtStatus status = VendorCall(kCall, get, plugin->handle(), &given);
        if (status != kLiteRtStatusOk) return CallFailed(kCall, status);
        return static_cast<uint64_t>(given);
      }));
  NPUKIT_CHECK_THAT((hardware & kLiteRtHwAcceleratorNpu) != 0,
                    fmt::format("the NPU is not among the supported hardware ({})", hardware));
  const LiteRtStatus no_result = VendorCall(
      "LiteRtGetCompilerPluginSupportedHardware(plugin, null)", get, plugin->handle(), nullptr);
  NPUKIT_CHECK_THAT(no_result != kLiteRtStatusOk, "a null result pointer gave kLiteRtStatusOk");
  LiteRtHwAccelerators unused = kLiteRtHwAcceleratorNone;
  const LiteRtStatus no_plugin = VendorCall("LiteRtGetCompilerPluginSupportedHardware(null)", get,
                                            LiteRtCompilerPlugin{}, &unused);
  NPUKIT_CHECK_THAT(no_plugin != kLiteRtStatusOk, "a null plugin gave kLiteRtStatusOk");
  return CheckReport::Pass();
}

CheckAnswer soc_list(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> names, plugin->SocModels());
  for (const std::string& name : names) {
    NPUKIT_CHECK_THAT(!name.empty() && name.size() <= kMaxNameLength && IsPrintable(name),
                      "SoC '" + name + "' is empty, too long or not printable");
  }
  const std::set<std::string> listed(names.begin(), names.end());
  NPUKIT_CHECK_THAT(listed.size() == names.size(), "a SoC is listed twice");
  const std::set<std::string> claimed(bench.claims().socs.begin(), bench.claims().socs.end());
  for (const std::string& name : claimed) {
    NPUKIT_CHECK_THAT(listed.contains(name), "SoC '" + name + "' is claimed, but not listed");
  }
  for (const std::string& name : listed) {
    NPUKIT_CHECK_THAT(claimed.contains(name), "SoC '" + name + "' is listed, but not claimed");
  }
  LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> again, plugin->SocModels());
  NPUKIT_CHECK_THAT(again == names, "the list of SoCs changes from call to call");
  return CheckReport::Pass(fmt::format("{} SoCs", names.size()));
}

CheckAnswer soc_bounds(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> names, plugin->SocModels());
  const auto get = plugin->api().get_compiler_plugin_supported_soc_model;
  const auto count = plugin->api().get_num_compiler_plugin_supported_models;
  for (LiteRtParamIndex index :
       {names.size(), names.size() + 1, std::numeric_limits<LiteRtParamIndex>::max()}) {
    const char* name = nullptr;
    const std::string call = fmt::format("LiteRtGetCompilerPluginSupportedSocModel({})", index);
    const LiteRtStatus status = VendorCall(call, get, plugin->handle(), index, &name);
    NPUKIT_CHECK_THAT(status != kLiteRtStatusOk,
                      fmt::format("{} gave kLiteRtStatusOk, there are {}", call, names.size()));
  }
  const LiteRtStatus no_result = VendorCall("LiteRtGetCompilerPluginSupportedSocModel(null)", get,
                                            plugin->handle(), LiteRtParamIndex{0}, nullptr);
  NPUKIT_CHECK_THAT(no_result != kLiteRtStatusOk, "a null name pointer gave kLiteRtStatusOk");
  const LiteRtStatus no_count = VendorCall("LiteRtGetNumCompilerPluginSupportedSocModels(null)",
                                           count, plugin->handle(), nullptr);
  NPUKIT_CHECK_THAT(no_count != kLiteRtStatusOk, "a null count pointer gave kLiteRtStatusOk");
  LiteRtParamIndex number = 0;
  const LiteRtStatus no_plugin =
      VendorCall("LiteRtGetNumCompilerPluginSupportedSocModels(null plugin)", count,
                 LiteRtCompilerPlugin{}, &number);
  NPUKIT_CHECK_THAT(no_plugin != kLiteRtStatusOk, "a null plugin gave kLiteRtStatusOk");
  return CheckReport::Pass();
}

CheckAnswer transformations(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  const auto get = plugin->api().register_all_transformations;
  constexpr const char* kName = "LiteRtCompilerPluginRegisterAllTransformations";
  LITERT_ASSIGN_OR_RETURN(const ObservedTransformations observed,
                          Witness::Get().Observe<ObservedTransformations>(kName, [&] {
                            return AskTransformations(kName, get, plugin->handle());
                          }));
  std::set<std::string> names;
  for (size_t i = 0; i < observed.names.size(); ++i) {
    NPUKIT_CHECK_THAT(observed.has_pattern[i] != 0,
                      fmt::format("transformation {} has no pattern", i));
    NPUKIT_CHECK_THAT(!observed.names[i].empty(), fmt::format("transformation {} has no name", i));
    NPUKIT_CHECK_THAT(names.insert(observed.names[i]).second,
                      "two transformations are named " + observed.names[i]);
  }
  LiteRtTransformation* list = nullptr;
  LiteRtParamIndex count = 0;
  const LiteRtStatus no_list = VendorCall(kName, get, plugin->handle(), nullptr, &count);
  NPUKIT_CHECK_THAT(no_list != kLiteRtStatusOk, "a null list pointer gave kLiteRtStatusOk");
  const LiteRtStatus no_count = VendorCall(kName, get, plugin->handle(), &list, nullptr);
  NPUKIT_CHECK_THAT(no_count != kLiteRtStatusOk, "a null count pointer gave kLiteRtStatusOk");
  return CheckReport::Pass(fmt::format("{} transformations", observed.names.size()));
}

CheckAnswer compatibility(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  const auto check = [&](const LiteRtApiVersion& version, const char* soc) {
    return VendorCall("LiteRtCompilerPluginCheckCompilerCompatibility",
                      plugin->api().check_compiler_compatibility, version, plugin->handle(),
                      LiteRtEnvironmentOptions{}, LiteRtOptions{}, soc);
  };
  const LiteRtStatus by_default = check(kHostVersion, nullptr);
  NPUKIT_CHECK_THAT(by_default == kLiteRtStatusOk,
                    "the default SoC gave " + StatusText(by_default));
  for (const std::string& soc : bench.claims().socs) {
    const LiteRtStatus status = check(kHostVersion, soc.c_str());
    NPUKIT_CHECK_THAT(status == kLiteRtStatusOk, "SoC '" + soc + "' gave " + StatusText(status));
  }
  const LiteRtStatus other = check({kHostVersion.major + 98, 0, 0}, nullptr);
  NPUKIT_CHECK_THAT(other != kLiteRtStatusOk, "API version 98.0.0 gave kLiteRtStatusOk");
  return CheckReport::Pass();
}

}  // namespace npukit::conformance::checks::abi
