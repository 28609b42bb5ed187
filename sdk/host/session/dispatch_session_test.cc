// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sessions over the strict test device: compiled models, mixed with CPU ops.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "litert/c/litert_options.h"
#include "npukit/metrics.h"
#include "sdk/host/runtime/test_dispatch/device_models.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(DispatchSession, ATensorReadByDeviceAndCpu) {
  auto session = Create(SharedInputModel());
  ASSERT_TRUE(session) << session.Error();
  SignatureRunner& runner = (*session)->default_runner();
  EXPECT_THAT(RunFloats(runner, {1, 2, 3, 4, 5, 6}), ElementsAre(2, 6, 12, 20, 30, 42));
  EXPECT_THAT(RunFloats(runner, {0, 0, 0, 0, 0, 1}), ElementsAre(0, 0, 0, 0, 0, 2));
  const SessionPlacement& placement = (*session)->placement();
  EXPECT_EQ(placement.npu_ops, 1u);
  EXPECT_EQ(placement.cpu_ops, 1u);
  EXPECT_EQ(placement.partitions, 1u);
  ASSERT_EQ(placement.ops.size(), 2u);
  EXPECT_EQ(placement.ops[1].op, "ADD");
  EXPECT_FALSE(placement.ops[1].reason.empty());
  EXPECT_THAT(placement.dispatch, HasSubstr("TestDevice"));
}

TEST_F(DispatchSession, CallsComeInOrderAndBuffersAreRegisteredOnce) {
  auto session = Create(SharedInputModel());
  ASSERT_TRUE(session) << session.Error();
  SignatureRunner& runner = (*session)->default_runner();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(runner.Run());
  EXPECT_EQ(DeviceState().invokes, 3);
  EXPECT_EQ(DeviceState().registrations, 2) << "x once though it is two inputs, y once";
  ASSERT_TRUE((*session)->Close());
  std::vector<std::string> calls = DeviceState().calls;
  // The first session of the process initialises the library.
  if (!calls.empty() && calls.front() == "initialize") calls.erase(calls.begin());
  EXPECT_THAT(calls, ElementsAre("device_context_create", "invocation_context_create(square)",
                                 "register_tensor_buffer", "attach_input(square, 0)",
                                 "attach_input(square, 1)", "register_tensor_buffer",
                                 "attach_output(square, 0)", "detach_output(square, 0)",
                                 "detach_input(square, 1)", "detach_input(square, 0)",
                                 "unregister_tensor_buffer", "unregister_tensor_buffer",
                                 "invocation_context_destroy(square)", "device_context_destroy"));
}

TEST_F(DispatchSession, SchedulingAndOptionsReachEachDispatchOp) {
  auto session = Create(SharedInputModel());
  ASSERT_TRUE(session) << session.Error();
  SignatureRunner& runner = (*session)->default_runner();
  DeviceState().calls.clear();
  LiteRtSchedulingInfo info = {};
  info.job_priority = 7;
  LiteRtOptions options = nullptr;
  ASSERT_EQ(LiteRtCreateOptions(&options), kLiteRtStatusOk);
  ASSERT_TRUE(runner.SetRunOptions(options));
  ASSERT_TRUE(runner.SetSchedulingInfo(&info));
  ASSERT_TRUE(runner.Run());
  ASSERT_TRUE(runner.SetSchedulingInfo(nullptr));
  ASSERT_TRUE(runner.SetRunOptions(nullptr));
  EXPECT_THAT(DeviceState().calls, ElementsAre("set_options", "set_scheduling_info(7)",
                                               "set_scheduling_info(null)", "set_options(null)"));
  DeviceState().fault = "options_fail";
  const auto refused = runner.SetRunOptions(options);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.Error().Message(), HasSubstr("invocation_context_set_options of 'square'"));
  DeviceState().fault.clear();
  LiteRtDestroyOptions(options);
}

TEST_F(DispatchSession, HonoursRequirements) {
  for (const char* demands :
       {"align=4096", "pad=100", "align=256 pad=1000", "strides", "strides align=512 pad=64"}) {
    SCOPED_TRACE(demands);
    auto session = Create(SharedInputModel(demands));
    ASSERT_TRUE(session) << session.Error();
    SignatureRunner& runner = (*session)->default_runner();
    EXPECT_THAT(RunFloats(runner, {1, 2, 3, 4, 5, 6}), ElementsAre(2, 6, 12, 20, 30, 42));
    EXPECT_THAT(RunFloats(runner, {1, 0, 0, 0, 0, 1}), ElementsAre(2, 0, 0, 0, 0, 2));
  }
}

// A library may require any size.
TEST_F(DispatchSession, RequirementsCountForTheLimitOnMemory) {
  for (const char* demands : {"pad=4000000", "strides pad=4000000"}) {
    auto session = Session::Create(SharedInputModel(demands),
                                   {.plugin_dir = kDeviceDir, .max_arena_bytes = 1 << 20});
    ASSERT_FALSE(session) << demands;
    EXPECT_THAT(session.Error().Message(), HasSubstr("more than the limit of 1048576")) << demands;
  }
}

// As of a model that another tool compiled: nothing says which vendor a module is of.
TEST_F(DispatchSession, SpecsReachALibraryByItsOwnName) {
  PlacementRequest placement;
  placement.specs = {{.plugin = "TestDevice", .partition = {}, .spec = {"own", {}}, .where = "1"},
                     {.plugin = "Other", .partition = {}, .spec = {"other", {}}, .where = "2"},
                     {.plugin = "", .partition = {}, .spec = {"all", {}}, .where = "3"}};
  auto session =
      Session::Create(SharedInputModel(), {.plugin_dir = kDeviceDir, .placement = placement});
  ASSERT_TRUE(session) << session.Error();
  EXPECT_THAT(DeviceState().specs, ElementsAre("own", "all"));
}

TEST_F(DispatchSession, PartitionsHandBuffersToEachOther) {
  CompiledModel m("fn f mul align=128\nfn g add align=1024 pad=32\n");
  Tensor* x = m.b.Input("x", kFloat, {4});
  Tensor* y = m.Call("f", {x, x}, m.b.Value("y", kFloat, {4}));
  Tensor* z = m.Call("g", {y, x}, m.b.Value("z", kFloat, {4}));
  Tensor* w = m.Call("g", {z, y}, m.b.Value("w", kFloat, {4}));
  m.b.Output(w);
  auto session = Create(m.Build());
  ASSERT_TRUE(session) << session.Error();
  EXPECT_THAT(RunFloats((*session)->default_runner(), {1, 2, 3, 4}), ElementsAre(3, 10, 21, 36));
  EXPECT_EQ(DeviceState().registrations, 4) << "one for each tensor";
  EXPECT_EQ((*session)->placement().partitions, 3u);
}

TEST_F(DispatchSession, AConstantMayBeAnInput) {
  for (const char* demands : {"", "strides"}) {
    CompiledModel m(std::string("fn f add ") + demands + "\n");
    Tensor* x = m.b.Input("x", kFloat, {2, 2});
    Tensor* c = m.b.Constant<float>("c", {2, 2}, {10, 20, 30, 40});
    Tensor* y = m.Call("f", {x, c}, m.b.Value("y", kFloat, {2, 2}));
    m.b.Output(y);
    auto session = Create(m.Build());
    ASSERT_TRUE(session) << session.Error();
    EXPECT_THAT(RunFloats((*session)->default_runner(), {1, 2, 3, 4}), ElementsAre(11, 22, 33, 44));
  }
}

TEST_F(DispatchSession, SeveralSignaturesShareTheDevice) {
  CompiledModel m("fn f mul\nfn g add\n");
  Tensor* x = m.b.Input("x", kFloat, {2});
  m.b.Output(m.Call("f", {x, x}, m.b.Value("y", kFloat, {2})));
  m.b.AddSignature("first");
  m.b.BeginSubgraph("other");
  Tensor* u = m.b.Input("u", kFloat, {2});
  m.b.Output(m.Call("g", {u, u}, m.b.Value("v", kFloat, {2})));
  m.b.AddSignature("second");
  auto session = Create(m.Build());
  ASSERT_TRUE(session) << session.Error();
  EXPECT_THAT((*session)->signature_keys(), ElementsAre("first", "second"));
  auto second = (*session)->Runner("second");
  ASSERT_TRUE(second) << second.Error();
  EXPECT_THAT(RunFloats(**second, {3, 4}), ElementsAre(6, 8));
  auto first = (*session)->Runner("first");
  ASSERT_TRUE(first) << first.Error();
  EXPECT_THAT(RunFloats(**first, {3, 4}), ElementsAre(9, 16));
  EXPECT_EQ(*first, &(*session)->default_runner());
  EXPECT_EQ(DeviceState().live_devices, 1);
  auto absent = (*session)->Runner("third");
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.Error().Message(),
              AllOf(HasSubstr("'third'"), HasSubstr("'first', 'second'")));
}

// One model with modules of two vendors: each finds its library, whatever the order in the folder.
TEST_F(DispatchSession, ModulesOfTwoVendors) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "npukit_two_vendors";
  for (const std::string second : {"Second", "ZSecond"}) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    fs::create_symlink(std::string(kDeviceDir) + "/libLiteRtDispatch_TestDevice.so",
                       folder / "libLiteRtDispatch_TestDevice.so");
    fs::create_symlink(NPUKIT_TEST_DISPATCH_DIR "/second/libLiteRtDispatch_TestDevice.so",
                       folder / ("libLiteRtDispatch_" + second + ".so"));
    CompiledModel m("fn square mul\n");
    Tensor* x = m.b.Input("x", kFloat, {2});
    Tensor* y = m.Call("square", {x, x}, m.b.Value("y", kFloat, {2}));
    m.StartModule("TESTDEV 2\nfn twice add\n");
    Tensor* z = m.Call("twice", {y, x}, m.b.Value("z", kFloat, {2}));
    Tensor* w = m.Call("twice", {z, y}, m.b.Value("w", kFloat, {2}));
    m.b.Output(w);
    auto session =
        Session::Create(m.Build("TestDevice," + second), {.plugin_dir = folder.string()});
    ASSERT_TRUE(session) << session.Error();
    EXPECT_THAT(RunFloats((*session)->default_runner(), {3, 4}), ElementsAre(21, 36));
    EXPECT_THAT((*session)->placement().dispatch, AllOf(HasSubstr("healthy"), HasSubstr("second")));
    EXPECT_EQ(DeviceState().live_buffers, 2) << "x and y; the other library has x, y, z and w";
    ASSERT_TRUE((*session)->Close());
  }
  fs::remove_all(folder);
}

TEST_F(DispatchSession, CollectsMetricsAndReleasesThem) {
  auto session = Create(SharedInputModel());
  ASSERT_TRUE(session) << session.Error();
  SignatureRunner& runner = (*session)->default_runner();
  ASSERT_TRUE(runner.StartMetrics(NPUKIT_METRICS_DETAIL_PER_OP));
  ASSERT_TRUE(runner.Run());
  ASSERT_TRUE(runner.Run());
  const auto metrics = runner.StopMetrics();
  ASSERT_TRUE(metrics) << metrics.Error();
  ASSERT_EQ(metrics->size(), 2u);
  EXPECT_EQ((*metrics)[0].Number(NPUKIT_METRIC_CYCLES), 200.0);
  EXPECT_EQ((*metrics)[0].Text(NPUKIT_METRIC_SOC), "test_soc");
  EXPECT_EQ((*metrics)[0].PerOp().at(0).key, "a/b");
  EXPECT_TRUE((*metrics)[1].empty()) << "a CPU step";
  for (const char* fault : {"metrics_null", "metrics_unnamed"}) {
    DeviceState().fault = "";
    ASSERT_TRUE(runner.StartMetrics(0));
    DeviceState().fault = fault;
    EXPECT_FALSE(runner.StopMetrics()) << fault;
  }
  DeviceState().fault = "metrics_fail";
  EXPECT_FALSE(runner.StartMetrics(0));
}

// y = r * r on the device, where r is x in a shape that only a run shows.
std::unique_ptr<Model> LateModel() {
  CompiledModel m("fn square mul\n");
  Tensor* x = m.b.Input("x", kFloat, {6});
  Tensor* shape = m.b.Input("shape", kLiteRtElementTypeInt32, {2});
  Tensor* r = m.b.Value("r", kFloat, {2, 3});
  m.b.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{}, {x, shape}, {r});
  m.b.Output(m.Call("square", {r, r}, m.b.Value("y", kFloat, {2, 3})));
  return m.Build();
}

// What is asked for before a run holds for dispatch ops that the run plans.
TEST_F(DispatchSession, SettingsReachDispatchOpsBehindAComputedShape) {
  auto session = Create(LateModel());
  ASSERT_TRUE(session) << session.Error();
  SignatureRunner& runner = (*session)->default_runner();
  const int32_t shape[] = {2, 3};
  ASSERT_TRUE(runner.SetInput(1, {reinterpret_cast<const uint8_t*>(shape), sizeof(shape)}));
  LiteRtSchedulingInfo info = {};
  info.job_priority = 7;
  LiteRtOptions options = nullptr;
  ASSERT_EQ(LiteRtCreateOptions(&options), kLiteRtStatusOk);
  ASSERT_TRUE(runner.SetRunOptions(options));
  ASSERT_TRUE(runner.SetSchedulingInfo(&info));
  ASSERT_TRUE(runner.StartMetrics(0));
  ASSERT_TRUE(runner.Run());
  EXPECT_THAT(DeviceState().calls,
              AllOf(Contains("set_options"), Contains("set_scheduling_info(7)")));
  const auto metrics = runner.StopMetrics();
  ASSERT_TRUE(metrics) << metrics.Error();
  ASSERT_EQ(metrics->size(), 2u);
  EXPECT_EQ((*metrics)[1].Number(NPUKIT_METRIC_CYCLES), 100.0);
  LiteRtDestroyOptions(options);
}

TEST_F(DispatchSession, StoppingMetricsPassesOverWhatWasNotStarted) {
  auto session = Create(LateModel());
  ASSERT_TRUE(session) << session.Error();
  SignatureRunner& runner = (*session)->default_runner();
  const int32_t shape[] = {2, 3};
  ASSERT_TRUE(runner.SetInput(1, {reinterpret_cast<const uint8_t*>(shape), sizeof(shape)}));
  ASSERT_TRUE(runner.StartMetrics(0));
  DeviceState().fault = "metrics_fail";
  ASSERT_TRUE(runner.Run());
  const auto metrics = runner.StopMetrics();
  ASSERT_FALSE(metrics) << "what the library refused is told";
  EXPECT_THAT(metrics.Error().Message(), HasSubstr("start_metrics_collection"));
}

TEST_F(DispatchSession, ARefusedStartOfMetricsStartsNone) {
  CompiledModel m("fn f mul\nfn g add\n");
  Tensor* x = m.b.Input("x", kFloat, {4});
  Tensor* y = m.Call("f", {x, x}, m.b.Value("y", kFloat, {4}));
  m.b.Output(m.Call("g", {y, x}, m.b.Value("z", kFloat, {4})));
  auto session = Create(m.Build());
  ASSERT_TRUE(session) << session.Error();
  SignatureRunner& runner = (*session)->default_runner();
  DeviceState().fault = "metrics_fail of g";
  EXPECT_FALSE(runner.StartMetrics(0));
  DeviceState().fault = "";
  EXPECT_TRUE(runner.StartMetrics(0));
  EXPECT_TRUE(runner.StopMetrics());
}

TEST_F(DispatchSession, ACompiledModelKeepsItsShapes) {
  auto session =
      Session::Create(SharedInputModel(), {.plugin_dir = kDeviceDir, .resizes = {{"x", {4, 3}}}});
  ASSERT_FALSE(session);
  EXPECT_THAT(session.Error().Message(),
              AllOf(HasSubstr("'x'"), HasSubstr("was compiled for shape [2,3]")));
}

TEST_F(DispatchSession, SessionsRunSideBySide) {
  std::vector<std::unique_ptr<Session>> sessions;
  for (int i = 0; i < 2; ++i) {
    auto session = Create(SharedInputModel());
    ASSERT_TRUE(session) << session.Error();
    sessions.push_back(std::move(*session));
  }
  EXPECT_EQ(DeviceState().live_devices, 2);
  EXPECT_THAT(RunFloats(sessions[0]->default_runner(), {1, 1, 1, 1, 1, 1}),
              ElementsAre(2, 2, 2, 2, 2, 2));
  EXPECT_THAT(RunFloats(sessions[1]->default_runner(), {2, 2, 2, 2, 2, 2}),
              ElementsAre(6, 6, 6, 6, 6, 6));
}

}  // namespace
}  // namespace npukit
