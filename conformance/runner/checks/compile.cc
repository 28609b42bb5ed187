// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class compile.

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/vendor/compile_specs.h"
#include "conformance/runner/vendor/resources.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit::conformance::checks::compile {
namespace {

constexpr char kUnknownSoc[] = "npukit-no-such-soc";
constexpr int kLeakCycles = 8;

litert::Expected<Artifacts> CompileAndRead(const VendorPlugin& plugin, const char* soc,
                                           Model& partitions) {
  LITERT_ASSIGN_OR_RETURN(const VendorResult result, plugin.Compile(soc, partitions));
  return result.Read();
}

}  // namespace

CheckAnswer calls(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const Artifacts* artifacts, bench.artifacts());
  CheckReport report = CheckReport::Pass();
  size_t bytes = 0;
  for (const auto& module : artifacts->modules) bytes += module.size();
  report.numbers = {{"partitions", static_cast<double>(artifacts->calls.size())},
                    {"modules", static_cast<double>(artifacts->modules.size())},
                    {"bytecode_bytes", static_cast<double>(bytes)}};
  return report;
}

CheckAnswer entry_points(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const Artifacts* artifacts, bench.artifacts());
  std::set<std::pair<size_t, std::string>> observed;
  for (const Artifacts::Call& call : artifacts->calls) {
    NPUKIT_CHECK_THAT(!call.entry_point.empty(), "an entry point has no name");
    NPUKIT_CHECK_THAT(
        observed.emplace(call.module, call.entry_point).second,
        fmt::format("entry point '{}' stands twice in module {}", call.entry_point, call.module));
  }
  return CheckReport::Pass();
}

CheckAnswer bounds(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(PartitionedModel * partitioned, bench.partitioned());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  const LiteRtCompilerPluginApi& api = plugin->api();
  LITERT_ASSIGN_OR_RETURN(const VendorResult result,
                          plugin->Compile(nullptr, *partitioned->bodies));
  LITERT_ASSIGN_OR_RETURN(const Artifacts artifacts, result.Read());
  constexpr LiteRtParamIndex kMax = std::numeric_limits<LiteRtParamIndex>::max();
  const void* bytes = nullptr;
  size_t size_bytes = 0;
  LiteRtParamIndex module = 0;
  const auto get_code = [&](LiteRtParamIndex i, const void** b, size_t* s) {
    return VendorCall("LiteRtGetCompiledResultByteCode", api.get_compiled_result_byte_code,
                      result.handle(), i, b, s);
  };
  const auto get_info = [&](LiteRtParamIndex i, const void** b, size_t* s, LiteRtParamIndex* m) {
    return VendorCall("LiteRtGetCompiledResultCallInfo", api.get_compiled_result_call_info,
                      result.handle(), i, b, s, m);
  };
  for (LiteRtParamIndex past : {artifacts.modules.size(), artifacts.modules.size() + 1, kMax}) {
    NPUKIT_CHECK_THAT(
        get_code(past, &bytes, &size_bytes) != kLiteRtStatusOk,
        fmt::format("module {} exists, there are {}", past, artifacts.modules.size()));
  }
  for (LiteRtParamIndex past : {artifacts.calls.size(), artifacts.calls.size() + 1, kMax}) {
    NPUKIT_CHECK_THAT(get_info(past, &bytes, &size_bytes, &module) != kLiteRtStatusOk,
                      fmt::format("call {} exists, there are {}", past, artifacts.calls.size()));
  }
  NPUKIT_CHECK_THAT(get_code(0, nullptr, &size_bytes) != kLiteRtStatusOk,
                    "a null bytecode pointer was taken");
  NPUKIT_CHECK_THAT(get_code(0, &bytes, nullptr) != kLiteRtStatusOk,
                    "a null size pointer was taken");
  NPUKIT_CHECK_THAT(get_info(0, nullptr, &size_bytes, &module) != kLiteRtStatusOk,
                    "a null call info pointer was taken");
  NPUKIT_CHECK_THAT(get_info(0, &bytes, &size_bytes, nullptr) != kLiteRtStatusOk,
                    "a null module pointer was taken");
  const LiteRtStatus no_count =
      VendorCall("LiteRtGetNumCompiledResultCalls", api.get_compiled_result_num_calls,
                 result.handle(), nullptr);
  NPUKIT_CHECK_THAT(no_count != kLiteRtStatusOk, "a null call count pointer was taken");
  return CheckReport::Pass();
}

CheckAnswer handles(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  std::optional<LoadedPlugin> plugin;
  LITERT_ASSIGN_OR_RETURN(
      const bool has_executables,
      Witness::Get().Observe<bool>("executables", [&]() -> litert::Expected<bool> {
        LITERT_ASSIGN_OR_RETURN(LoadedPlugin loaded,
                                LoadedPlugin::Load(bench.under_test().plugin_path));
        plugin.emplace(std::move(loaded));
        return plugin->has_executables();
      }));
  if (!has_executables) return CheckReport::Skip("the plugin has no executable handles");
  const auto applied = Witness::Get().ObserveStatus("apply", [&]() -> litert::Expected<void> {
    ApplyOptions options{.drop_bytecode_as_litert = true};
    options.placement.specs = SpecRequests(bench.under_test());
    const LoadedPlugin* const plugins[] = {&*plugin};
    LITERT_RETURN_IF_ERROR(ApplyPlugins(*model, plugins, options));
    return {};
  });
  NPUKIT_CHECK_THAT(applied.HasValue(),
                    "compiled ahead of time by a host that keeps no bytecode "
                    "of a module with a handle, as LiteRT 2.2.0: " +
                        applied.Error().Message());
  return CheckReport::Pass();
}

CheckAnswer stable(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(PartitionedModel * partitioned, bench.partitioned());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(const Artifacts* first, bench.artifacts());
  for (int call = 2; call <= 3; ++call) {
    LITERT_ASSIGN_OR_RETURN(const Artifacts again,
                            CompileAndRead(*plugin, nullptr, *partitioned->bodies));
    const std::string difference = ArtifactDifference(*first, again);
    NPUKIT_CHECK_THAT(difference.empty(), fmt::format("on call {} {}", call, difference));
  }
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin other, bench.NewPlugin());
  LITERT_ASSIGN_OR_RETURN(const Artifacts others,
                          CompileAndRead(other, nullptr, *partitioned->bodies));
  const std::string difference = ArtifactDifference(*first, others);
  NPUKIT_CHECK_THAT(difference.empty(), "from another instance " + difference);
  return CheckReport::Pass();
}

CheckAnswer read_only(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(PartitionedModel * partitioned, bench.partitioned());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(const std::string before, ModelDigest(*partitioned->bodies));
  LITERT_RETURN_IF_ERROR(CompileAndRead(*plugin, nullptr, *partitioned->bodies));
  LITERT_ASSIGN_OR_RETURN(const std::string after, ObserveModelDigest(*partitioned->bodies));
  NPUKIT_CHECK_THAT(before == after, "the partitions are others after Compile");
  return CheckReport::Pass();
}

CheckAnswer results_apart(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(PartitionedModel * partitioned, bench.partitioned());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(VendorResult made_first, plugin->Compile(nullptr, *partitioned->bodies));
  LITERT_ASSIGN_OR_RETURN(VendorResult made_second, plugin->Compile(nullptr, *partitioned->bodies));
  std::optional<VendorResult> first(std::move(made_first));
  const VendorResult second = std::move(made_second);
  LITERT_ASSIGN_OR_RETURN(const bool is_same,
                          Witness::Get().Observe<bool>("handles", [&]() -> litert::Expected<bool> {
                            return first->handle() == second.handle();
                          }));
  NPUKIT_CHECK_THAT(!is_same, "two results have the same handle");
  LITERT_ASSIGN_OR_RETURN(const Artifacts of_first, first->Read());
  LITERT_ASSIGN_OR_RETURN(const Artifacts of_second, second.Read());
  const std::string difference = ArtifactDifference(of_first, of_second);
  NPUKIT_CHECK_THAT(difference.empty(), "of two results " + difference);
  first.reset();
  LITERT_ASSIGN_OR_RETURN(const Artifacts left, second.Read());
  NPUKIT_CHECK_THAT(left == of_second, "a result changes when another one is destroyed");
  return CheckReport::Pass();
}

CheckAnswer each_soc(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  if (bench.claims().socs.empty()) return CheckReport::Skip("no SoC is claimed");
  for (const std::string& soc : bench.claims().socs) {
    LITERT_ASSIGN_OR_RETURN(const PartitionedModel partitioned,
                            PartitionWith(*plugin, soc.c_str(), *model));
    NPUKIT_CHECK_THAT(!partitioned.partitions.empty(), "nothing is selected on " + soc);
    const auto artifacts = CompileAndRead(*plugin, soc.c_str(), *partitioned.bodies);
    NPUKIT_CHECK_THAT(artifacts.HasValue(), "on " + soc + ": " + artifacts.Error().Message());
    NPUKIT_CHECK_THAT(artifacts->calls.size() == partitioned.partitions.size(),
                      fmt::format("on {}: {} calls for {} partitions", soc, artifacts->calls.size(),
                                  partitioned.partitions.size()));
  }
  return CheckReport::Pass();
}

CheckAnswer unknown_soc(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(PartitionedModel * partitioned, bench.partitioned());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  NPUKIT_CHECK_THAT(!plugin->Compile(kUnknownSoc, *partitioned->bodies).HasValue(),
                    "compiles for an unknown SoC");
  return CheckReport::Pass();
}

CheckAnswer unclaimed(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  // A partition of what the plugin would leave alone.
  auto selector = [&](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    SelectorAnswer answer;
    for (const auto& op : subgraph.ops()) {
      const std::string name = ClaimName(*op);
      if (name == "odml.npu_call" || name == "odml.cpu_call" ||
          MatchClaim(bench.claims(), *op).claimed)
        continue;
      answer.selection.push_back({op.get(), 0});
    }
    return answer;
  };
  LITERT_ASSIGN_OR_RETURN(const PartitionedModel partitioned,
                          PartitionBySelector(*model, selector));
  if (partitioned.partitions.empty()) return CheckReport::Skip("every op is claimed");
  const auto artifacts = CompileAndRead(*plugin, nullptr, *partitioned.bodies);
  // Either is right. What is asked is that the call comes back.
  return CheckReport::Pass(artifacts ? "compiled" : artifacts.Error().Message());
}

CheckAnswer cycles(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(PartitionedModel * partitioned, bench.partitioned());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(
      const std::string leak, FindLeak(kLeakCycles, [&]() -> litert::Expected<void> {
        LITERT_RETURN_IF_ERROR(CompileAndRead(*plugin, nullptr, *partitioned->bodies));
        return {};
      }));
  NPUKIT_CHECK_THAT(leak.empty(), leak);
  return CheckReport::Pass();
}

}  // namespace npukit::conformance::checks::compile
