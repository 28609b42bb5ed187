// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// The boundary of npukit/dispatch.h, through the table that the library of
// mini_dispatch.cc fills, which is linked here.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/compile_spec.h"
#include "npukit/delegate_debug.h"
#include "npukit/dispatch.h"
#include "sdk/tests/plugin/dispatch_fixture.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::StrEq;

TEST_F(DispatchTest, FillsTheTable) {
  LiteRtDispatchApi api{};
  ASSERT_EQ(LiteRtDispatchGetApi(&api), kOk);
  EXPECT_EQ(api.version.minor, 1);
  // 25 functions, of which two may be missing: LiteRT calls them before every run, and logs an error
  // where they fail.
  static_assert(sizeof(LiteRtDispatchInterface) == 25 * sizeof(void*));
  const auto* functions = reinterpret_cast<void* const*>(api.interface);
  const void* const optional[] = {&api.interface->invocation_context_set_scheduling_info,
                                  &api.interface->invocation_context_set_options};
  for (int i = 0; i < 25; ++i) {
    const bool is_optional = std::ranges::find(optional, &functions[i]) != std::end(optional);
    EXPECT_EQ(functions[i] == nullptr, is_optional) << i;
  }
  EXPECT_EQ(LiteRtDispatchGetApi(nullptr), kInvalid);
}

class ObedientDevice : public Device {
 public:
  static constexpr const char* kVendorId = "Obedient";
  static constexpr const char* kBuildId = "1";
  static constexpr bool kTakesOptions = true;
  static constexpr bool kTakesScheduling = true;
  static litert::Expected<std::unique_ptr<ObedientDevice>> Open(const DeviceConfig&) {
    return std::make_unique<ObedientDevice>();
  }
  litert::Expected<std::unique_ptr<Invocation>> Load(const LoadRequest&) override {
    return litert::Unexpected(litert::Status::kErrorUnsupported, "loads nothing");
  }
};

TEST(DispatchTable, HasWhatTheDeviceTakes) {
  const LiteRtDispatchInterface table = internal::DispatchBoundary<ObedientDevice>::MakeInterface();
  EXPECT_NE(table.invocation_context_set_scheduling_info, nullptr);
  EXPECT_NE(table.invocation_context_set_options, nullptr);
}

TEST_F(DispatchTest, IntroducesItself) {
  const char* text = nullptr;
  EXPECT_EQ(Api().get_vendor_id(&text), kOk);
  EXPECT_THAT(text, StrEq("Mini"));
  EXPECT_EQ(Api().get_build_id(&text), kOk);
  EXPECT_THAT(text, StrEq("1.2.3"));
  int capabilities = 0;
  EXPECT_EQ(Api().get_capabilities(&capabilities), kOk);
  EXPECT_EQ(capabilities, kLiteRtDispatchCapabilitiesBasic | kLiteRtDispatchCapabilitiesAsync |
                              kLiteRtDispatchCapabilitiesGraph);
  EXPECT_EQ(Api().check_runtime_compatibility({0, 1, 0}, nullptr, nullptr), kOk);
  EXPECT_EQ(Api().check_runtime_compatibility({0, 2, 0}, nullptr, nullptr),
            kLiteRtStatusErrorUnsupportedRuntimeVersion);
}

TEST_F(DispatchTest, RunsAgainAndAgainOnOtherMemory) {
  auto* context = Load("scale double 2\nscale triple 3\n", "triple");
  ASSERT_EQ(load_status_, kOk);
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  const Buffer other_out(device_, {});
  EXPECT_EQ(Api().attach_input(context, 0, in.handle()), kOk);
  EXPECT_EQ(Api().attach_output(context, 0, out.handle()), kOk);
  EXPECT_EQ(Api().invoke(context), kOk);
  EXPECT_THAT(out.values(), ElementsAre(3, 6, 9, 12));
  EXPECT_EQ(Api().detach_output(context, 0, out.handle()), kOk);
  EXPECT_EQ(Api().invoke(context), kInvalid);
  EXPECT_EQ(Api().attach_output(context, 0, other_out.handle()), kOk);
  EXPECT_EQ(Api().invoke(context), kOk);
  EXPECT_THAT(other_out.values(), ElementsAre(3, 6, 9, 12));
  EXPECT_THAT(in.values(), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

TEST_F(DispatchTest, ReadsModulesFromFilesAndOffsets) {
  std::FILE* file = std::tmpfile();
  std::fputs("junkscale f 5\n", file);
  std::fflush(file);
  LiteRtMemBuffer from_file{fileno(file), nullptr, 4, 10};
  LiteRtDispatchInvocationContext context = nullptr;
  EXPECT_EQ(Api().invocation_context_create(device_, kLiteRtDispatchExecutableTypeMlModel,
                                            &from_file, "f", 1, 1, &context),
            kOk);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
  from_file.size = 1000;
  EXPECT_EQ(Api().invocation_context_create(device_, kLiteRtDispatchExecutableTypeMlModel,
                                            &from_file, "f", 1, 1, &context),
            kLiteRtStatusErrorFileIO);
  std::fclose(file);
  LiteRtMemBuffer nowhere{-1, nullptr, 0, 10};
  EXPECT_EQ(Api().invocation_context_create(device_, kLiteRtDispatchExecutableTypeMlModel, &nowhere,
                                            "f", 1, 1, &context),
            kInvalid);
}

TEST_F(DispatchTest, RefusesForeignModules) {
  EXPECT_EQ(Load("not ours", "f"), nullptr);
  EXPECT_EQ(load_status_, kInvalid);
  EXPECT_EQ(Load("", nullptr), nullptr);
  EXPECT_EQ(load_status_, kInvalid);
}

TEST_F(DispatchTest, AsksForDenseHostMemory) {
  auto* context = Load("scale f 2\n", "f");
  const auto type = FloatType(3);
  LiteRtTensorBufferRequirements requirements = nullptr;
  ASSERT_EQ(Api().get_input_requirements(context, 0, &type, &requirements), kOk);
  int num_types = 0;
  EXPECT_EQ(LiteRtGetNumTensorBufferRequirementsSupportedBufferTypes(requirements, &num_types),
            kOk);
  EXPECT_EQ(num_types, 1);
  size_t size = 0;
  EXPECT_EQ(LiteRtGetTensorBufferRequirementsBufferSize(requirements, &size), kOk);
  EXPECT_EQ(size, 12u);
  LiteRtDestroyTensorBufferRequirements(requirements);
  EXPECT_EQ(Api().get_output_requirements(context, 1, &type, &requirements),
            kLiteRtStatusErrorIndexOOB);
  EXPECT_EQ(Api().get_output_requirements(context, 0, nullptr, &requirements), kInvalid);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

TEST_F(DispatchTest, RefusesHandlesThatItNeverGave) {
  auto* context = Load("scale f 2\n", "f");
  int on_the_stack = 0;
  auto* never = reinterpret_cast<LiteRtDispatchInvocationContext>(&on_the_stack);
  for (auto* bad : {static_cast<LiteRtDispatchInvocationContext>(nullptr), never}) {
    EXPECT_EQ(Api().invoke(bad), kInvalid);
    EXPECT_EQ(Api().attach_input(bad, 0, 1), kInvalid);
    EXPECT_EQ(Api().invocation_context_destroy(bad), kInvalid);
    EXPECT_EQ(Api().start_metrics_collection(bad, 0), kInvalid);
  }
  EXPECT_EQ(Api().attach_input(context, 0, 12345), kInvalid);
  EXPECT_EQ(Api().attach_input(context, 0, 0), kInvalid);
  EXPECT_EQ(Api().unregister_tensor_buffer(device_, 12345), kInvalid);
  auto* no_device = reinterpret_cast<LiteRtDispatchDeviceContext>(&on_the_stack);
  LiteRtTensorBufferHandle handle = 0;
  EXPECT_EQ(Api().register_tensor_buffer(no_device, nullptr, &handle), kInvalid);
  EXPECT_EQ(Api().device_context_destroy(no_device), kInvalid);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
  EXPECT_EQ(Api().invocation_context_destroy(context), kInvalid);
  EXPECT_EQ(Api().invoke(context), kInvalid);
}

TEST_F(DispatchTest, ChecksIndicesAndAttachments) {
  auto* context = Load("scale f 2\n", "f");
  const Buffer in(device_, {1, 2, 3, 4});
  for (const int bad : {-1, 1, 99}) {
    EXPECT_EQ(Api().attach_input(context, bad, in.handle()), kLiteRtStatusErrorIndexOOB);
    EXPECT_EQ(Api().detach_output(context, bad, in.handle()), kLiteRtStatusErrorIndexOOB);
  }
  EXPECT_EQ(Api().detach_input(context, 0, 12345), kInvalid);
  EXPECT_EQ(Api().attach_input(context, 0, in.handle()), kOk);
  EXPECT_EQ(Api().attach_output(context, 0, in.handle()), kOk);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

// LiteRT from 2.2.0 on detaches a buffer once the next one is attached in its place, for each run with
// buffers of its own: that is no error, and not a line in the log.
TEST_F(DispatchTest, DetachingWhatWasReplacedChangesNothing) {
  auto* context = Load("scale f 2\n", "f");
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer first(device_, {});
  const Buffer second(device_, {});
  EXPECT_EQ(Api().attach_input(context, 0, in.handle()), kOk);
  EXPECT_EQ(Api().attach_output(context, 0, first.handle()), kOk);
  EXPECT_EQ(Api().attach_output(context, 0, second.handle()), kOk);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(Api().detach_output(context, 0, first.handle()), kOk);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(Api().invoke(context), kOk);
  EXPECT_THAT(second.values(), ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

TEST_F(DispatchTest, NoticesBuffersThatWereUnregistered) {
  auto* context = Load("scale f 2\n", "f");
  const Buffer in(device_, {1, 2, 3, 4});
  {
    const Buffer out(device_, {});
    EXPECT_EQ(Api().attach_input(context, 0, in.handle()), kOk);
    EXPECT_EQ(Api().attach_output(context, 0, out.handle()), kOk);
    EXPECT_EQ(Api().invoke(context), kOk);
  }
  EXPECT_EQ(Api().invoke(context), kInvalid);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

TEST_F(DispatchTest, KeepsTheDeviceForItsInvocations) {
  auto* context = Load("scale f 2\n", "f");
  EXPECT_EQ(Api().device_context_destroy(device_), kOk);
  EXPECT_EQ(Api().invoke(context), kInvalid);  // Nothing is attached, and nothing crashes.
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

TEST_F(DispatchTest, ReportsMetrics) {
  auto* context = Load("scale f 2\n", "f");
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  ASSERT_EQ(Api().attach_input(context, 0, in.handle()), kOk);
  ASSERT_EQ(Api().attach_output(context, 0, out.handle()), kOk);
  EXPECT_EQ(Api().start_metrics_collection(context, -1), kInvalid);
  ASSERT_EQ(Api().start_metrics_collection(context, 1), kOk);
  ASSERT_EQ(Api().invoke(context), kOk);
  ASSERT_EQ(Api().invoke(context), kOk);
  LiteRtDispatchMetrics metrics = nullptr;
  ASSERT_EQ(Api().stop_metrics_collection(context, &metrics), kOk);
  int num = 0;
  ASSERT_EQ(Api().get_num_metrics(metrics, &num), kOk);
  ASSERT_EQ(num, 6);
  LiteRtMetric metric{};
  ASSERT_EQ(Api().get_metric(metrics, 0, &metric), kOk);
  EXPECT_THAT(metric.name, StrEq("runs"));
  EXPECT_EQ(metric.value.int_value, 2);
  ASSERT_EQ(Api().get_metric(metrics, 1, &metric), kOk);
  EXPECT_EQ(metric.value.type, kLiteRtAnyTypeReal);
  ASSERT_EQ(Api().get_metric(metrics, 2, &metric), kOk);
  EXPECT_EQ(metric.value.type, kLiteRtAnyTypeString);
  ASSERT_EQ(Api().get_metric(metrics, 3, &metric), kOk);
  EXPECT_TRUE(metric.value.bool_value);
  EXPECT_EQ(Api().get_metric(metrics, 6, &metric), kLiteRtStatusErrorIndexOOB);
  EXPECT_EQ(Api().get_metric(metrics, -1, &metric), kLiteRtStatusErrorIndexOOB);
  EXPECT_EQ(Api().destroy_metrics(metrics), kOk);
  EXPECT_EQ(Api().destroy_metrics(metrics), kInvalid);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

// LiteRT gives an application what a metric points at, once it has destroyed the metrics.
TEST_F(DispatchTest, TextsOfMetricsOutliveThem) {
  auto* context = Load("scale f 3\n", "f");
  LiteRtDispatchMetrics all[2] = {};
  LiteRtMetric labels[2] = {};
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(Api().start_metrics_collection(context, 0), kOk);
    ASSERT_EQ(Api().stop_metrics_collection(context, &all[i]), kOk);
    ASSERT_EQ(Api().get_metric(all[i], 2, &labels[i]), kOk);
    ASSERT_EQ(labels[i].value.type, kLiteRtAnyTypeString);
  }
  EXPECT_EQ(labels[0].value.str_value, labels[1].value.str_value) << "each has its own text";
  for (auto* metrics : all) EXPECT_EQ(Api().destroy_metrics(metrics), kOk);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

TEST_F(DispatchTest, TurnsExceptionsIntoErrorsAndKeepsTheMessage) {
  auto* context = Load("scale f 13\n", "f");
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  ASSERT_EQ(Api().attach_input(context, 0, in.handle()), kOk);
  ASSERT_EQ(Api().attach_output(context, 0, out.handle()), kOk);
  EXPECT_EQ(Api().invoke(context), kLiteRtStatusErrorRuntimeFailure);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);

  context = Load("scale f 2\n", "f");
  const Buffer small(device_, {}, 2);
  ASSERT_EQ(Api().attach_input(context, 0, in.handle()), kOk);
  ASSERT_EQ(Api().attach_output(context, 0, small.handle()), kOk);
  EXPECT_EQ(Api().invoke(context), kInvalid);
  NpukitDebugHandle handle = 9;
  char message[64] = "";
  EXPECT_EQ(NpukitDispatchGetLastError(context, &handle, message, sizeof(message)), kOk);
  EXPECT_EQ(handle, NPUKIT_NO_DEBUG_HANDLE);
  EXPECT_THAT(message, StrEq("the sizes differ"));
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

TEST_F(DispatchTest, SaysWhenThereIsNoDevice) {
  ::setenv("MINI_DISPATCH_NO_DEVICE", "1", 1);
  LiteRtDispatchDeviceContext device = nullptr;
  EXPECT_EQ(Api().device_context_create(nullptr, &device), kLiteRtStatusErrorNotFound);
  EXPECT_EQ(device, nullptr);
  ::unsetenv("MINI_DISPATCH_NO_DEVICE");
}

TEST_F(DispatchTest, SpecsWithoutAKeyOrWithOneTwiceChangeNothing) {
  const NpukitCompileSpec twice[] = {{"label", "blue", 4}, {"label", "red", 3}};
  EXPECT_EQ(NpukitDispatchSetCompileSpecs(device_, twice, 2), kLiteRtStatusErrorInvalidArgument);
  const NpukitCompileSpec nameless[] = {{"label", "blue", 4}, {nullptr, "red", 3}};
  EXPECT_EQ(NpukitDispatchSetCompileSpecs(device_, nameless, 2), kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(NpukitDispatchSetCompileSpecs(device_, nullptr, 0), kOk);
}

TEST_F(DispatchTest, HandsOutProfilesAndSpecs) {
  const NpukitCompileSpec label = {"label", "blue", 4};
  EXPECT_EQ(NpukitDispatchSetCompileSpecs(device_, &label, 1), kOk);
  const NpukitCompileSpec unknown = {"nonsense", nullptr, 0};
  testing::internal::CaptureStderr();
  EXPECT_EQ(NpukitDispatchSetCompileSpecs(device_, &unknown, 1), kLiteRtStatusErrorUnsupported);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "an answer, and no error";
  auto* context = Load("scale f 2\n", "f");
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  ASSERT_EQ(Api().attach_input(context, 0, in.handle()), kOk);
  ASSERT_EQ(Api().attach_output(context, 0, out.handle()), kOk);
  EXPECT_EQ(NpukitDispatchSetRecording(context, kNpukitRecordProfile), kOk);
  ASSERT_EQ(Api().invoke(context), kOk);
  size_t num = 0;
  EXPECT_EQ(NpukitDispatchGetNumProfileEvents(context, &num), kOk);
  ASSERT_EQ(num, 1u);
  NpukitProfileEvent event{};
  event.struct_size = sizeof(event);
  EXPECT_EQ(NpukitDispatchGetProfileEvent(context, 0, &event), kOk);
  EXPECT_THAT(event.unit, StrEq("vector"));
  EXPECT_EQ(event.end_cycle, 4u);
  EXPECT_EQ(NpukitDispatchGetProfileEvent(context, 1, &event), kLiteRtStatusErrorIndexOOB);
  LiteRtRankedTensorType type{};
  const void* data = nullptr;
  size_t size = 0;
  EXPECT_EQ(NpukitDispatchGetIntermediate(context, 1, 0, &type, &data, &size),
            kLiteRtStatusErrorNotFound);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

TEST_F(DispatchTest, ServesSeveralThreads) {
  constexpr int kThreads = 4;
  constexpr int kRuns = 200;
  auto* shared = Load("scale f 2\n", "f");
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer shared_out(device_, {});
  ASSERT_EQ(Api().attach_input(shared, 0, in.handle()), kOk);
  ASSERT_EQ(Api().attach_output(shared, 0, shared_out.handle()), kOk);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      auto* own = [&] {
        const std::string code = "scale f " + std::to_string(t + 1) + "\n";
        LiteRtMemBuffer buffer{-1, code.data(), 0, code.size()};
        LiteRtDispatchInvocationContext context = nullptr;
        EXPECT_EQ(Api().invocation_context_create(device_, kLiteRtDispatchExecutableTypeMlModel,
                                                  &buffer, "f", 1, 1, &context),
                  kOk);
        return context;
      }();
      const Buffer out(device_, {});
      EXPECT_EQ(Api().attach_input(own, 0, in.handle()), kOk);
      EXPECT_EQ(Api().attach_output(own, 0, out.handle()), kOk);
      for (int i = 0; i < kRuns; ++i) {
        EXPECT_EQ(Api().invoke(own), kOk);
        EXPECT_EQ(Api().invoke(shared), kOk);
      }
      EXPECT_EQ(out.values()[3], 4.0f * static_cast<float>(t + 1));
      EXPECT_EQ(Api().invocation_context_destroy(own), kOk);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(shared_out.values(), ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(Api().invocation_context_destroy(shared), kOk);
}

}  // namespace
}  // namespace npukit
