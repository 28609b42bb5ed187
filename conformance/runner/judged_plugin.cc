// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/judged_plugin.h"

#include <utility>
#include <vector>

#include "conformance/runner/report_files.h"
#include "conformance/runner/vendor/compile_specs.h"
#include "litert/cc/litert_macros.h"
#include "sdk/tools/flags/compile_spec_flags.h"

namespace npukit::conformance {
namespace {

// Which vendor is judged: that of this machine's compiler plugin, or, where the device compiles and that vendor has none
// here, that of the device's.
litert::Expected<PluginUnderTest> FindLibraries(const ConformArguments& arguments) {
  const bool may_be_there = arguments.compile_on_device && !arguments.devices.empty();
  if (!may_be_there) return FindPluginUnderTest(arguments.plugin_dir, arguments.plugin);
  const std::string folder = DeviceFolderOf(arguments);
  if (arguments.plugin_dir.empty())
    return FindPluginOnDevice(arguments.devices, folder, arguments.plugin);
  auto here = FindPluginUnderTest(arguments.plugin_dir, arguments.plugin);
  const bool is_ambiguous = !here && here.Error().Status() == kLiteRtStatusErrorInvalidArgument;
  if (is_ambiguous || (here && HasDevicePlugin(folder, here->manufacturer))) return here;
  auto there = FindPluginOnDevice(arguments.devices, folder, arguments.plugin);
  return here && there && here->manufacturer == there->manufacturer ? std::move(here)
                                                                    : std::move(there);
}

litert::Expected<void> ReadSpecs(const ConformArguments& arguments, PluginUnderTest& under_test) {
  std::vector<CompileSpecRequest> asked;
  for (const std::string& text : arguments.specs) {
    LITERT_ASSIGN_OR_RETURN(asked.emplace_back(), tools::ParseCompileSpec(text));
  }
  if (!arguments.soc_file.empty()) {
    LITERT_ASSIGN_OR_RETURN(asked.emplace_back(), tools::SocFileSpec(arguments.soc_file));
  }
  return SetRunSpecs(asked, under_test);
}

// Wrong usage, if anything.
litert::Expected<void> Complete(const ConformArguments& arguments, PluginUnderTest& under_test) {
  const auto wrong = [](const char* why) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, why);
  };
  if (!arguments.devices.empty()) {
    LITERT_RETURN_IF_ERROR(MoveToDevices(arguments.devices, DeviceFolderOf(arguments),
                                         arguments.compile_on_device, under_test));
    if (under_test.device && arguments.no_isolation)
      return wrong("--device and --no-isolation exclude each other");
  }
  if (arguments.compile_on_device && !under_test.device)
    return wrong("--compile-on-device needs --device");
  under_test.seed = arguments.seed;
  under_test.isolate = !arguments.no_isolation;
  return ReadSpecs(arguments, under_test);
}

}  // namespace

std::string DeviceFolderOf(const ConformArguments& arguments) {
  return arguments.device_dir.empty() ? arguments.plugin_dir : arguments.device_dir;
}

std::optional<PluginUnderTest> FindJudged(const ConformArguments& arguments, int& exit_code) {
  auto found = FindLibraries(arguments);
  if (!found) {
    const bool is_usage = found.Error().Status() == kLiteRtStatusErrorInvalidArgument;
    exit_code = ReportError(is_usage ? kExitUsage : kExitNotLoaded, found.Error().Message());
    return std::nullopt;
  }
  if (const auto complete = Complete(arguments, *found); !complete) {
    exit_code = ReportError(kExitUsage, complete.Error().Message());
    return std::nullopt;
  }
  return std::move(*found);
}

}  // namespace npukit::conformance
