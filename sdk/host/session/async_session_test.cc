// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Dispatch ops that run beside CPU ops and beside each other. The device is held until a CPU op of
// the model lets it go: a host that waited for the device first would never get there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "npukit/customized_op.h"
#include "sdk/host/runtime/test_dispatch/device_models.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kAsyncDir[] = NPUKIT_TEST_DISPATCH_DIR "/async";

void Hold(const std::string& variant, bool hold) {
  DeviceFunction<decltype(&TestDispatchHold)>(variant, "TestDispatchHold")(hold);
}
int RunsUnderWay(const std::string& variant) {
  return DeviceFunction<decltype(&TestDispatchRunsUnderWay)>(variant, "TestDispatchRunsUnderWay")();
}

// Copies its input, counts what runs on both devices, and lets them go.
class Release : public CustomizedOp {
 public:
  struct Seen {
    int first = 0;
    int second = 0;
  };
  static Seen& seen() {
    static Seen seen;
    return seen;
  }

  litert::Expected<void> Reshape(Inputs inputs, Outputs outputs) override {
    CopyShape(inputs[0], outputs[0]);
    return {};
  }
  litert::Expected<void> Forward(Inputs inputs, Inputs outputs, void*) override {
    std::memcpy(outputs[0].data, inputs[0].data, inputs[0].size_bytes);
    seen() = {RunsUnderWay("async"), RunsUnderWay("second_async")};
    Hold("async", false);
    Hold("second_async", false);
    return {};
  }
};

class AsyncSession : public ::testing::Test {
 protected:
  void SetUp() override {
    static const LiteRtStatus registered =
        RegisterCustomizedOp<Release>(kNpukitOpDeviceCpu, "test.release");
    ASSERT_EQ(registered, kLiteRtStatusOk);
    DeviceState("async") = {};
    DeviceState("second_async") = {};
    Release::seen() = {};
  }
  void TearDown() override {
    for (const char* variant : {"async", "second_async"}) {
      Hold(variant, false);
      EXPECT_THAT(DeviceState(variant).violations, IsEmpty());
      EXPECT_TRUE(DeviceState(variant).AllReleased());
      EXPECT_EQ(RunsUnderWay(variant), 0);
    }
  }

  static Tensor* AddRelease(CompiledModel& m, Tensor* x, const std::string& name) {
    Tensor* u = m.b.Value(name, kFloat, x->shape);
    m.b.AddCustomOp("test.release", {}, {x}, {u});
    return u;
  }
  static Tensor* Add(CompiledModel& m, Tensor* a, Tensor* b, const std::string& name) {
    Tensor* sum = m.b.Value(name, kFloat, a->shape);
    m.b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {a, b}, {sum});
    return sum;
  }
  // y = x * x on the device beside u = x on the CPU; z = y + u.
  static std::unique_ptr<Model> BesideModel(const std::string& demands = "") {
    CompiledModel m("fn square mul " + demands + "\n");
    Tensor* x = m.b.Input("x", kFloat, {2, 2});
    Tensor* y = m.Call("square", {x, x}, m.b.Value("y", kFloat, {2, 2}));
    Tensor* u = AddRelease(m, x, "u");
    m.b.Output(Add(m, y, u, "z"));
    return m.Build();
  }
  static std::vector<float> RunHeld(SignatureRunner& runner, const std::vector<float>& input) {
    Hold("async", true);
    Hold("second_async", true);
    return RunFloats(runner, input);
  }
};

TEST_F(AsyncSession, ACpuOpRunsWhileTheDeviceIsBusy) {
  for (const char* demands : {"", "strides", "align=4096 pad=64"}) {
    SCOPED_TRACE(demands);
    auto session = Session::Create(BesideModel(demands), {.plugin_dir = kAsyncDir});
    ASSERT_TRUE(session) << session.Error();
    SignatureRunner& runner = (*session)->default_runner();
    EXPECT_TRUE(runner.IsAsync());
    for (float scale : {1.0f, 2.0f}) {
      EXPECT_THAT(RunHeld(runner, {1 * scale, 2 * scale, 3 * scale, 4 * scale}),
                  ElementsAre(scale * scale + scale, 4 * scale * scale + 2 * scale,
                              9 * scale * scale + 3 * scale, 16 * scale * scale + 4 * scale));
      EXPECT_EQ(Release::seen().first, 1) << "the device was not at work beside the CPU op";
    }
    EXPECT_EQ(DeviceState("async").invokes, 0);
  }
}

TEST_F(AsyncSession, NothingBesideItMeansASynchronousRun) {
  auto session = Session::Create(SharedInputModel(), {.plugin_dir = kAsyncDir});
  ASSERT_TRUE(session) << session.Error();
  EXPECT_THAT(RunFloats((*session)->default_runner(), {1, 2, 3, 4, 5, 6}),
              ElementsAre(2, 6, 12, 20, 30, 42));
  EXPECT_EQ(DeviceState("async").async_invokes, 0);
  EXPECT_EQ(DeviceState("async").invokes, 1);
}

TEST_F(AsyncSession, CanBeSwitchedOff) {
  auto session = Session::Create(BesideModel(), {.plugin_dir = kAsyncDir, .async = false});
  ASSERT_TRUE(session) << session.Error();
  EXPECT_THAT(RunFloats((*session)->default_runner(), {1, 2, 3, 4}), ElementsAre(2, 6, 12, 20));
  EXPECT_EQ(DeviceState("async").async_invokes, 0);
}

TEST_F(AsyncSession, ALibraryThatCannotRunsSynchronously) {
  auto session = Session::Create(BesideModel(), {.plugin_dir = kDeviceDir});
  ASSERT_TRUE(session) << session.Error();
  EXPECT_FALSE((*session)->default_runner().IsAsync());
  EXPECT_THAT(RunFloats((*session)->default_runner(), {1, 2, 3, 4}), ElementsAre(2, 6, 12, 20));
}

// v dies, for a host that waits, where the device has read it; t would take its place.
TEST_F(AsyncSession, MemoryOfARunUnderWayIsNotGivenToOthers) {
  CompiledModel m("fn square mul\n");
  Tensor* x = m.b.Input("x", kFloat, {64});
  Tensor* v = Add(m, x, x, "v");
  Tensor* y = m.Call("square", {v, v}, m.b.Value("y", kFloat, {64}));
  Tensor* t = m.b.Value("t", kFloat, {64});
  m.b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {x, x}, {t});
  Tensor* u = AddRelease(m, t, "u");
  m.b.Output(Add(m, u, y, "z"));
  auto session = Session::Create(m.Build(), {.plugin_dir = kAsyncDir});
  ASSERT_TRUE(session) << session.Error();
  EXPECT_THAT(RunHeld((*session)->default_runner(), std::vector<float>(64, 3)), Each(9.0f + 36));
  EXPECT_EQ(DeviceState("async").async_invokes, 1);
}

// Two libraries in one folder, each with a module of its own.
class TwoAsyncDevices : public AsyncSession {
 protected:
  void SetUp() override {
    AsyncSession::SetUp();
    namespace fs = std::filesystem;
    folder_ = fs::path(::testing::TempDir()) / "npukit_two_async_devices";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::create_symlink(NPUKIT_TEST_DISPATCH_DIR "/async/libLiteRtDispatch_TestDevice.so",
                       folder_ / "libLiteRtDispatch_TestDevice.so");
    fs::create_symlink(NPUKIT_TEST_DISPATCH_DIR "/second_async/libLiteRtDispatch_TestDevice.so",
                       folder_ / "libLiteRtDispatch_Second.so");
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    AsyncSession::TearDown();
  }
  std::filesystem::path folder_;
};

TEST_F(TwoAsyncDevices, RunSideBySide) {
  CompiledModel m("fn square mul\n");
  Tensor* x = m.b.Input("x", kFloat, {2});
  Tensor* y = m.Call("square", {x, x}, m.b.Value("y", kFloat, {2}));
  m.StartModule("TESTDEV 2\nfn twice add\n");
  Tensor* w = m.Call("twice", {x, x}, m.b.Value("w", kFloat, {2}));
  Tensor* u = AddRelease(m, x, "u");
  m.b.Output(Add(m, Add(m, y, w, "yw"), u, "z"));
  auto session = Session::Create(m.Build("TestDevice,Second"), {.plugin_dir = folder_.string()});
  ASSERT_TRUE(session) << session.Error();
  EXPECT_THAT(RunHeld((*session)->default_runner(), {3, 4}), ElementsAre(9 + 6 + 3, 16 + 8 + 4));
  EXPECT_EQ(Release::seen().first, 1);
  EXPECT_EQ(Release::seen().second, 1);
}

TEST_F(TwoAsyncDevices, WaitForEachOtherByEvents) {
  CompiledModel m("fn square mul\n");
  Tensor* x = m.b.Input("x", kFloat, {2});
  Tensor* y = m.Call("square", {x, x}, m.b.Value("y", kFloat, {2}));
  m.StartModule("TESTDEV 2\nfn sum add\n");
  Tensor* w = m.Call("sum", {y, x}, m.b.Value("w", kFloat, {2}));
  Tensor* u = AddRelease(m, x, "u");
  m.b.Output(Add(m, w, u, "z"));
  auto session = Session::Create(m.Build("TestDevice,Second"), {.plugin_dir = folder_.string()});
  ASSERT_TRUE(session) << session.Error();
  SignatureRunner& runner = (*session)->default_runner();
  EXPECT_THAT(RunHeld(runner, {3, 4}), ElementsAre(9 + 3 + 3, 16 + 4 + 4));
  EXPECT_EQ(Release::seen().first, 1);
  EXPECT_EQ(Release::seen().second, 1) << "began before what it waits for had ended";
  EXPECT_THAT(DeviceState("second_async").calls, ::testing::Contains("attach_input_event(sum, 0)"));
  EXPECT_THAT(DeviceState("second_async").calls,
              Not(::testing::Contains("attach_input_event(sum, 1)")));
}

TEST_F(AsyncSession, AFailureComesWithTheEventAndNamesTheOp) {
  auto session = Session::Create(BesideModel(), {.plugin_dir = kAsyncDir});
  ASSERT_TRUE(session) << session.Error();
  SignatureRunner& runner = (*session)->default_runner();
  struct Case {
    const char* fault;
    const char* message;
  };
  for (const Case& c :
       {Case{"async_fails", "invoke_async of 'square': gave kLiteRtStatusErrorRuntimeFailure"},
        Case{"start_fails", "invoke_async of 'square': gave kLiteRtStatusErrorRuntimeFailure"},
        Case{"null_event", "invoke_async of 'square': gave a null event"}}) {
    SCOPED_TRACE(c.fault);
    DeviceState("async").fault = c.fault;
    const auto run = runner.Run();
    ASSERT_FALSE(run);
    EXPECT_THAT(run.Error().Message(), AllOf(HasSubstr("dispatch op 0"), HasSubstr("'y'"),
                                             HasSubstr(kAsyncDir), HasSubstr(c.message)));
    EXPECT_EQ(RunsUnderWay("async"), 0);
    DeviceState("async").fault = "";
    EXPECT_THAT(RunHeld(runner, {1, 2, 3, 4}), ElementsAre(2, 6, 12, 20));
  }
}

}  // namespace
}  // namespace npukit
