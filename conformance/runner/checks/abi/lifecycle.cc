// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class abi about objects: creating, destroying, null handles, several at a time.

#include <fmt/format.h>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/one_add.h"
#include "conformance/runner/vendor/resources.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::abi {
namespace {

constexpr int kCycles = 32;
constexpr int kThreads = 4;
constexpr int kRoundsPerThread = 16;

// What an instance says of itself, as text.
litert::Expected<std::string> Identity(const VendorPlugin& plugin) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> socs, plugin.SocModels());
  constexpr char kCall[] = "LiteRtGetCompilerPluginSupportedHardware";
  LITERT_ASSIGN_OR_RETURN(
      const uint64_t hardware,
      Witness::Get().Observe<uint64_t>(kCall, [&]() -> litert::Expected<uint64_t> {
        LiteRtHwAccelerators given = kLiteRtHwAcceleratorNone;
        const LiteRtStatus status = VendorCall(
            kCall, plugin.api().get_compiler_plugin_supported_hardware, plugin.handle(), &given);
        if (status != kLiteRtStatusOk) return CallFailed(kCall, status);
        return static_cast<uint64_t>(given);
      }));
  std::string text = fmt::format("{}", hardware);
  for (const std::string& soc : socs) text += " " + soc;
  return text;
}

// Makes instances and asks them; what one of them answers that is not `wanted`.
std::string OtherAnswer(const LiteRtCompilerPluginApi& api, const std::string& wanted) {
  for (int round = 0; round < kRoundsPerThread; ++round) {
    const auto own = VendorPlugin::Create(api);
    if (!own) return own.Error().Message();
    const auto identity = Identity(*own);
    if (!identity) return identity.Error().Message();
    if (*identity != wanted)
      return "answers '" + *identity + "', on the main thread '" + wanted + "'";
  }
  return {};
}

}  // namespace

CheckAnswer create(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompilerPluginApi* api, bench.api());
  LITERT_RETURN_IF_ERROR(VendorPlugin::Create(*api));
  const LiteRtStatus on_null =
      VendorCall("LiteRtCreateCompilerPlugin(null)", api->create_compiler_plugin, nullptr,
                 LiteRtEnvironmentOptions{}, LiteRtOptions{});
  NPUKIT_CHECK_THAT(on_null != kLiteRtStatusOk,
                    "LiteRtCreateCompilerPlugin(null) gave kLiteRtStatusOk");
  return CheckReport::Pass();
}

CheckAnswer destroy_null(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompilerPluginApi* api, bench.api());
  VendorCall("LiteRtDestroyCompilerPlugin(null)", api->destroy_compiler_plugin,
             LiteRtCompilerPlugin{});
  VendorCall("LiteRtDestroyCompiledResult(null)", api->destroy_compiled_result,
             LiteRtCompiledResult{});
  return CheckReport::Pass();
}

CheckAnswer null_arguments(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  const LiteRtCompilerPluginApi& api = plugin->api();
  const std::unique_ptr<Model> model = OneAdd();
  Subgraph* subgraph = &model->main_subgraph();
  LiteRtOpListT list;
  LiteRtCompiledResult result = nullptr;
  const LiteRtCompilerPlugin none = nullptr;
  const auto partition = [&](const char* what, LiteRtCompilerPlugin p, LiteRtSubgraph s,
                             LiteRtOpList l) {
    return VendorCall(std::string("LiteRtCompilerPluginPartition with null ") + what,
                      api.compiler_plugin_partition, p, nullptr, s, l);
  };
  const auto compile = [&](const char* what, LiteRtCompilerPlugin p, LiteRtModel m,
                           LiteRtCompiledResult* r) {
    return VendorCall(std::string("LiteRtCompilerPluginCompile with null ") + what,
                      api.compiler_plugin_compile, p, nullptr, m, r);
  };
  NPUKIT_CHECK_THAT(partition("plugin", none, subgraph, &list) != kLiteRtStatusOk,
                    "Partition took a null plugin");
  NPUKIT_CHECK_THAT(partition("subgraph", plugin->handle(), nullptr, &list) != kLiteRtStatusOk,
                    "Partition took a null subgraph");
  NPUKIT_CHECK_THAT(partition("list", plugin->handle(), subgraph, nullptr) != kLiteRtStatusOk,
                    "Partition took a null list");
  NPUKIT_CHECK_THAT(compile("plugin", none, model.get(), &result) != kLiteRtStatusOk,
                    "Compile took a null plugin");
  NPUKIT_CHECK_THAT(compile("model", plugin->handle(), nullptr, &result) != kLiteRtStatusOk,
                    "Compile took a null model");
  NPUKIT_CHECK_THAT(compile("result", plugin->handle(), model.get(), nullptr) != kLiteRtStatusOk,
                    "Compile took a null result pointer");
  return CheckReport::Pass();
}

CheckAnswer null_result(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompilerPluginApi* api, bench.api());
  const LiteRtCompiledResult none = nullptr;
  LiteRtParamIndex number = 99;
  const void* bytes = nullptr;
  size_t size_bytes = 0;
  // LiteRT asks this when nothing was selected: 0 modules is the answer that lets models pass
  // through.
  constexpr char kCount[] = "LiteRtCompiledResultNumByteCodeModules(null)";
  const auto modules =
      Witness::Get().Observe<uint64_t>(kCount, [&]() -> litert::Expected<uint64_t> {
        const LiteRtStatus status =
            VendorCall(kCount, api->get_compiled_result_num_byte_code, none, &number);
        if (status != kLiteRtStatusOk) return CallFailed(kCount, status);
        return uint64_t{number};
      });
  NPUKIT_CHECK_THAT(!modules || *modules == 0,
                    fmt::format("a null result has {} modules", modules ? *modules : 0));
  VendorCall("LiteRtGetNumCompiledResultCalls(null)", api->get_compiled_result_num_calls, none,
             &number);
  const LiteRtStatus code =
      VendorCall("LiteRtGetCompiledResultByteCode(null)", api->get_compiled_result_byte_code, none,
                 LiteRtParamIndex{0}, &bytes, &size_bytes);
  NPUKIT_CHECK_THAT(code != kLiteRtStatusOk, "a null result has bytecode");
  const LiteRtStatus call =
      VendorCall("LiteRtGetCompiledResultCallInfo(null)", api->get_compiled_result_call_info, none,
                 LiteRtParamIndex{0}, &bytes, &size_bytes, &number);
  NPUKIT_CHECK_THAT(call != kLiteRtStatusOk, "a null result has call info");
  return CheckReport::Pass(
      modules ? "" : "models without a claimed op can't pass through LiteRT's tools");
}

CheckAnswer two_instances(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompilerPluginApi* api, bench.api());
  for (const bool first_dies_first : {true, false}) {
    LITERT_ASSIGN_OR_RETURN(VendorPlugin created_first, VendorPlugin::Create(*api));
    LITERT_ASSIGN_OR_RETURN(VendorPlugin created_second, VendorPlugin::Create(*api));
    std::optional<VendorPlugin> first(std::move(created_first));
    std::optional<VendorPlugin> second(std::move(created_second));
    LITERT_ASSIGN_OR_RETURN(const bool is_same, Witness::Get().Observe<bool>(
                                                    "handles", [&]() -> litert::Expected<bool> {
                                                      return first->handle() == second->handle();
                                                    }));
    NPUKIT_CHECK_THAT(!is_same, "two instances have the same handle");
    LITERT_ASSIGN_OR_RETURN(const std::string identity, Identity(*first));
    LITERT_ASSIGN_OR_RETURN(const std::string other, Identity(*second));
    NPUKIT_CHECK_THAT(identity == other,
                      "two instances answer '" + identity + "' and '" + other + "'");
    (first_dies_first ? first : second).reset();
    LITERT_ASSIGN_OR_RETURN(const std::string left, Identity(first_dies_first ? *second : *first));
    NPUKIT_CHECK_THAT(left == identity, "an instance changes when another one is destroyed");
  }
  return CheckReport::Pass();
}

CheckAnswer threads(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompilerPluginApi* api, bench.api());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(const std::string wanted, Identity(*plugin));
  // Of each thread: other answers than that, or an error; empty if there are none.
  using Texts = std::vector<std::string>;
  LITERT_ASSIGN_OR_RETURN(
      const Texts problems,
      Witness::Get().Observe<Texts>("threads", [&]() -> litert::Expected<Texts> {
        Texts observed(kThreads);
        std::vector<std::thread> workers;
        for (std::string& problem : observed) {
          workers.emplace_back([&] { problem = OtherAnswer(*api, wanted); });
        }
        for (std::thread& worker : workers) worker.join();
        return observed;
      }));
  NPUKIT_CHECK_THAT(problems.size() == kThreads, "other threads than were started");
  for (const std::string& problem : problems) NPUKIT_CHECK_THAT(problem.empty(), problem);
  return CheckReport::Pass();
}

CheckAnswer cycles(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompilerPluginApi* api, bench.api());
  LITERT_ASSIGN_OR_RETURN(
      const std::string leak, FindLeak(kCycles, [&]() -> litert::Expected<void> {
        LITERT_ASSIGN_OR_RETURN(const VendorPlugin plugin, VendorPlugin::Create(*api));
        LITERT_RETURN_IF_ERROR(Identity(plugin));
        return {};
      }));
  NPUKIT_CHECK_THAT(leak.empty(), leak);
  return CheckReport::Pass();
}

}  // namespace npukit::conformance::checks::abi
