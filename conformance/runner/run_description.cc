// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/run_description.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "conformance/runner/report_files.h"
#include "conformance/runner/run_request.h"
#include "conformance/verdict/claim_coverage.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "npukit/compile_spec.h"
#include "sdk/tools/command_line/shell_word.h"
#include "sdk/tools/command_line/version.h"

namespace npukit::conformance {
namespace {

std::string CommandOf(const ConformArguments& arguments) {
  std::string command = "npukit conform";
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) command += fmt::format(" {} {}", option, tools::ShellWord(value));
  };
  add("--plugin-dir", arguments.plugin_dir);
  add("--plugin", arguments.plugin);
  for (const std::string& suite : arguments.suites) add("--suite", suite);
  for (const std::string& model : arguments.models) add("--model", model);
  for (const std::string& folder : arguments.op_package_dirs) add("--op-package-dir", folder);
  add("--claims", arguments.claims);
  for (const std::string& spec : arguments.specs) add("--spec", spec);
  add("--soc-file", arguments.soc_file);
  for (const std::string& device : arguments.devices) add("--device", device);
  add("--device-dir", arguments.device_dir);
  if (arguments.compile_on_device) command += " --compile-on-device";
  add("--profile", arguments.profile);
  add("--waivers", arguments.waivers);
  add("--baseline", arguments.baseline);
  if (arguments.seed != 1) add("--seed", fmt::format("{}", arguments.seed));
  if (arguments.timeout_s) add("--timeout", fmt::format("{}", *arguments.timeout_s));
  return command;
}

std::vector<std::string> SpecTexts(const ConformArguments& arguments) {
  std::vector<std::string> texts = arguments.specs;
  if (!arguments.soc_file.empty()) texts.push_back(NPUKIT_SPEC_SOC_FILE "=" + arguments.soc_file);
  return texts;
}

// The files that this program consists of.
void NameKit(RunInfo& info) {
  info.kit_digest = FileDigest("/proc/self/exe");
  Dl_info host = {};
  if (dladdr(reinterpret_cast<const void*>(&LiteRtCreateTensorBufferRequirements), &host) != 0)
    info.host_digest = FileDigest(host.dli_fname);
}

}  // namespace

std::string BaselinePath(const ConformArguments& arguments, const PluginUnderTest& under_test) {
  // Of other options or another SoC are the cycles beside the plugin no measure.
  const bool is_as_recorded = under_test.specs.empty();
  if (!arguments.baseline.empty() || !is_as_recorded) return arguments.baseline;
  return DefaultBaselinePath(under_test);
}

RunInfo DescribeRun(const ConformArguments& arguments, const PluginUnderTest& under_test,
                    const std::vector<Suite>& suites, const Shard& shard) {
  RunInfo info;
  info.kit_version = tools::Version();
  info.manufacturer = under_test.manufacturer;
  info.plugin = under_test.plugin_path;
  info.dispatch = under_test.dispatch_path;
  info.claims = under_test.claims.file;
  for (const Suite& suite : suites) info.suites.push_back(suite.name);
  info.specs = SpecTexts(arguments);
  info.filter = arguments.filter;
  info.profile = arguments.profile;
  info.shard_index = shard.index;
  info.shard_count = shard.count;
  info.seed = arguments.seed;
  info.command = CommandOf(arguments);
  const bool is_there = under_test.device && !under_test.device->plugin_path.empty();
  info.plugin_digest = FileDigest(is_there ? under_test.device->plugin_path : info.plugin);
  info.dispatch_digest =
      FileDigest(under_test.device ? under_test.device->library_path : info.dispatch);
  info.claims_digest = FileDigest(info.claims);
  info.suites_digest = SuitesDigest(suites);
  info.waivers = arguments.waivers;
  info.waivers_digest = FileDigest(info.waivers);
  info.baseline = BaselinePath(arguments, under_test);
  info.baseline_digest = FileDigest(info.baseline);
  if (arguments.observations) NameKit(info);
  info.claim_summary = Summarize(under_test.claims);
  return info;
}

}  // namespace npukit::conformance
