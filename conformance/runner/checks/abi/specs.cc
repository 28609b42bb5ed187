// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// abi.compile_specs: what users pass on to the compiler plugin (npukit/compile_spec.h). A plugin that
// takes anything leaves a misspelt key without effect, and the user is not told.

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/process/stage.h"
#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "sdk/host/model/metadata/compile_spec.h"
#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit::conformance::checks::abi {
namespace {

CompileSpec MakeSpec(const std::string& key, std::string_view value) {
  return {.key = key, .bytes = {value.begin(), value.end()}};
}

// A plugin that is there only where vendor code is.
class SpecTaker {
 public:
  static litert::Expected<SpecTaker> Load(const std::string& path) {
    SpecTaker taker;
    LITERT_RETURN_IF_ERROR(
        Witness::Get().ObserveStatus("compiler plugin", [&]() -> litert::Expected<void> {
          SetStage("loading the compiler plugin");
          LITERT_ASSIGN_OR_RETURN(LoadedPlugin loaded, LoadedPlugin::Load(path));
          taker.plugin_.emplace(std::move(loaded));
          return {};
        }));
    return taker;
  }

  LiteRtStatus Set(size_t partition, const std::vector<CompileSpec>& specs) const {
    return Witness::Get().ObserveCode("NpukitSetCompileSpecs", [&] {
      SetStage("NpukitSetCompileSpecs");
      const auto set = plugin_->SetCompileSpecs(partition, specs);
      return set ? kLiteRtStatusOk : set.Error().Status();
    });
  }

 private:
  std::optional<LoadedPlugin> plugin_;
};

}  // namespace

CheckAnswer compile_specs(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const SpecTaker plugin, SpecTaker::Load(bench.under_test().plugin_path));
  for (const size_t partition : {NPUKIT_ALL_PARTITIONS, size_t{0}}) {
    const LiteRtStatus unknown =
        plugin.Set(partition, {MakeSpec("npukit.conform.no_such_spec", "1")});
    NPUKIT_CHECK_THAT(unknown != kLiteRtStatusOk, "takes a compile spec that it can't know");
    NPUKIT_CHECK_THAT(
        unknown == kLiteRtStatusErrorUnsupported,
        fmt::format("a compile spec that it can't know gives {}, expected {} (Unsupported)",
                    static_cast<int>(unknown), static_cast<int>(kLiteRtStatusErrorUnsupported)));
  }
  // Keys whose meaning npukit fixes, with values that nobody can use.
  for (const auto& [key, value] : {std::pair(NPUKIT_SPEC_SOC_FILE, "/npukit/conform/no/such/file"),
                                   std::pair(NPUKIT_SPEC_ENABLE_JIT, "perhaps")}) {
    NPUKIT_CHECK_THAT(plugin.Set(NPUKIT_ALL_PARTITIONS, {MakeSpec(key, value)}) != kLiteRtStatusOk,
                      fmt::format("takes '{}' for the compile spec '{}'", value, key));
  }
  NPUKIT_CHECK_THAT(plugin.Set(NPUKIT_ALL_PARTITIONS, {}) == kLiteRtStatusOk,
                    "compile specs can't be cleared");
  return CheckReport::Pass();
}

}  // namespace npukit::conformance::checks::abi
