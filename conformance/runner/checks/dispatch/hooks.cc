// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The check of class dispatch on hooks (litert_profiler_types.h), called as LiteRT calls them.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/c/litert_profiler_types.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {

// Of a later LiteRT.
constexpr auto kTypeToCome = static_cast<LiteRtHookType>(1000);

struct Hooks {
  LiteRtHook hook = nullptr;  // null: the library wants none
  void* user_data = nullptr;

  void Call(LiteRtHookType type) const {
    if (hook == nullptr) return;
    VendorCall("the hook", hook, type, static_cast<const void*>(nullptr), size_t{0}, user_data);
  }
};

// What a wrong call answers; empty if all are errors.
std::string Misuse(DispatchExtras::GetHooks get_hooks, LiteRtDispatchDeviceContext device) {
  LiteRtHook hook = nullptr;
  void* user_data = nullptr;
  const auto takes = [&](const char* name, LiteRtDispatchDeviceContext of, LiteRtHook* to,
                         void** data) {
    return VendorCall(name, get_hooks, of, to, data) == kLiteRtStatusOk;
  };
  if (takes("get_hooks(null device)", nullptr, &hook, &user_data))
    return "get_hooks took a null device";
  if (takes("get_hooks(null hook)", device, nullptr, &user_data))
    return "get_hooks took a null pointer for the hook";
  if (takes("get_hooks(null user data)", device, &hook, nullptr))
    return "get_hooks took a null pointer for the user data";
  return {};
}

// A model's life with all its hooks.
CheckAnswer RunHooked(VendorDevice& device, const PartitionSource& source, const FreshRuns& fresh,
                      const Hooks& hooks) {
  hooks.Call(kLiteRtHookTypeCompilerStart);
  LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(device, source));
  hooks.Call(kLiteRtHookTypeCompilerStop);
  for (size_t run = 0; run < 2 * fresh.inputs.size(); ++run) {
    const size_t set = run % fresh.inputs.size();
    hooks.Call(kLiteRtHookTypeRuntimeStart);
    LITERT_ASSIGN_OR_RETURN(const OutputSet outputs, loaded->Run(fresh.inputs[set]));
    hooks.Call(kLiteRtHookTypeRuntimeStop);
    const std::string difference = OutputDifference(fresh.outputs[set], outputs);
    NPUKIT_CHECK_THAT(difference.empty(), "a run between the calls of a hook: " + difference);
    hooks.Call(kTypeToCome);
  }
  hooks.Call(kLiteRtHookTypeStopAndProcess);
  LITERT_RETURN_IF_ERROR(loaded->Close());
  return CheckReport::Pass();
}

}  // namespace

CheckAnswer hooks(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    DispatchExtras::GetHooks get_hooks = nullptr;
    LITERT_ASSIGN_OR_RETURN(
        const bool has_hooks,
        Witness::Get().Observe<bool>("get_hooks there", [&]() -> litert::Expected<bool> {
          get_hooks = device->library().tables().extras.get_hooks;
          return get_hooks != nullptr;
        }));
    if (!has_hooks) return CheckReport::Skip("the library has no hooks");
    std::string wrong = Misuse(get_hooks, device->context());
    NPUKIT_CHECK_THAT(wrong.empty(), std::move(wrong));
    Hooks given;
    const LiteRtStatus status =
        VendorCall("get_hooks", get_hooks, device->context(), &given.hook, &given.user_data);
    NPUKIT_CHECK_THAT(status == kLiteRtStatusOk, "get_hooks gave " + StatusText(status));
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    LITERT_ASSIGN_OR_RETURN(CheckReport report, RunHooked(*device, source, fresh, given));
    if (report.answer == CheckReport::Answer::kFail) return report;
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
