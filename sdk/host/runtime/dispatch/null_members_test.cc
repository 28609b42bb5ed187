// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Dispatch libraries of each generation that lack one of their functions, each in turn. The host names
// what is missing, or does without, and calls no null pointer.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"
#include "sdk/host/runtime/dispatch/dispatch_devices.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"
#include "tests/support/in_child.h"
#include "tests/support/temporary_folder.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A copy of a test library for each case: the host and the dynamic linker know files by what they are.
class NullDispatchMembers : public testing::Test {
 protected:
  ~NullDispatchMembers() override { unsetenv("NPUKIT_TEST_NULL_MEMBER"); }

  // A library of that variant, with the member of the table left out.
  std::string CopyWithout(const std::string& variant, const char* table, size_t position) {
    setenv("NPUKIT_TEST_NULL_MEMBER", fmt::format("{} {}", table, position).c_str(), 1);
    const std::string path =
        fmt::format("{}/{}/libLiteRtDispatch_TestDevice.so", folder_.path(), ++num_copies_);
    std::error_code error;
    std::filesystem::create_directory(std::filesystem::path(path).parent_path(), error);
    std::filesystem::copy_file(
        fmt::format("{}/{}/libLiteRtDispatch_TestDevice.so", NPUKIT_TEST_DISPATCH_DIR, variant),
        path, error);
    EXPECT_FALSE(error) << error.message();
    return path;
  }

 private:
  TemporaryFolder folder_;
  int num_copies_ = 0;
};

std::string TextOf(const litert::Expected<void>& result) {
  return result ? std::string() : result.Error().Message() + "\n";
}

// Calls all that a host may call, in a process of its own: the errors of what must go well, and "async"
// and "scratchpads" where the library has them.
std::string UseAll(const std::string& path) {
  return InChild([&]() -> std::string {
    const auto library = DispatchLibrary::Load(path);
    if (!library) return library.Error().Message();
    std::string told = (*library)->has_async() ? "async\n" : "";
    if ((*library)->has_scratchpads()) return told + "scratchpads\n";
    const uint8_t bytecode[3] = {};
    DispatchDevices devices({path});
    auto loaded = devices.Load(
        {.bytecode = bytecode, .entry_point = "main", .num_inputs = 1, .num_outputs = 2});
    if (!loaded) return told + loaded.Error().Message();
    devices.EndLoading();
    devices.CallHooks(kLiteRtHookTypeRuntimeStart);
    DispatchInvocation& invocation = *loaded->invocation;
    told += TextOf(invocation.SetSchedulingInfo(nullptr));
    told += TextOf(invocation.SetOptions(nullptr));
    // These the test's libraries do not support.
    if (invocation.Invoke() || invocation.StartMetrics(0) || invocation.StopMetrics())
      told += "did what it can't do\n";
    told += TextOf(invocation.Close());
    told += TextOf(devices.Close());
    return told;
  });
}

constexpr const char* kMembers[] = {"initialize",
                                    "get_vendor_id",
                                    "get_build_id",
                                    "get_capabilities",
                                    "device_context_create",
                                    "device_context_destroy",
                                    "get_input_requirements",
                                    "get_output_requirements",
                                    "register_tensor_buffer",
                                    "unregister_tensor_buffer",
                                    "invocation_context_create",
                                    "invocation_context_destroy",
                                    "invocation_context_set_scheduling_info",
                                    "attach_input",
                                    "attach_output",
                                    "detach_input",
                                    "detach_output",
                                    "invoke",
                                    "start_metrics_collection",
                                    "stop_metrics_collection",
                                    "get_num_metrics",
                                    "get_metric",
                                    "destroy_metrics",
                                    "check_runtime_compatibility",
                                    "invocation_context_set_options"};
static_assert(std::size(kMembers) == sizeof(LiteRtDispatchInterface) / sizeof(void*));

bool IsOptional(const std::string& member) {
  return member.find("metric") != std::string::npos || member.find("_set_") != std::string::npos;
}

TEST_F(NullDispatchMembers, OfTheBasicTableOfEachGeneration) {
  const struct {
    const char* variant;
    std::vector<std::string> absent;  // functions that the generation does not have
  } kGenerations[] = {
      {"210",
       {"invocation_context_set_scheduling_info", "check_runtime_compatibility",
        "invocation_context_set_options"}},
      {"212", {"invocation_context_set_scheduling_info", "invocation_context_set_options"}},
      {"213", {}},
      {"214", {}},
      {"215", {}},
      {"216", {}},
      {"220", {}},
      {"queried_plain", {}}};
  for (const auto& generation : kGenerations) {
    size_t position = 0;
    for (const std::string member : kMembers) {
      if (std::ranges::find(generation.absent, member) != generation.absent.end()) continue;
      SCOPED_TRACE(fmt::format("{} without {}", generation.variant, member));
      const std::string path = CopyWithout(generation.variant, "basic", position++);
      if (IsOptional(member)) {
        EXPECT_EQ(UseAll(path), "");
        continue;
      }
      EXPECT_THAT(UseAll(path),
                  AllOf(HasSubstr(path), HasSubstr("left these functions null: " + member)));
    }
  }
}

// Hooks stand behind the functions that all have.
TEST_F(NullDispatchMembers, OfHooks) {
  for (const char* const variant : {"220_hooks", "queried_hooks"}) {
    SCOPED_TRACE(variant);
    EXPECT_EQ(UseAll(CopyWithout(variant, "basic", std::size(kMembers))), "");
  }
}

// Runs are synchronous then.
TEST_F(NullDispatchMembers, OfTheAsyncTable) {
  for (size_t position = 0; position < 3; ++position) {
    const bool is_needed = position < 2;
    const std::string told = UseAll(CopyWithout("async", "async", position));
    EXPECT_EQ(told.starts_with("async\n"), !is_needed) << position << ": " << told;
    EXPECT_EQ(told.find("ended by"), std::string::npos) << position << ": " << told;
  }
}

// Without one of the functions that loading takes, the library is used as one without scratchpads.
TEST_F(NullDispatchMembers, OfTheTableOfGraphs) {
  constexpr size_t kFunctions = 18;
  for (size_t position = 0; position < kFunctions; ++position) {
    SCOPED_TRACE(position);
    const bool is_needed = position < 11 || position == 14 || position > 15;
    EXPECT_EQ(UseAll(CopyWithout("220_scratchpads", "graph", position)),
              is_needed ? "" : "scratchpads\n");
  }
}

}  // namespace
}  // namespace npukit
