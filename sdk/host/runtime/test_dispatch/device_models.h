// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: models with ops on the test device, and sessions over it.

#ifndef NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_DEVICE_MODELS_H_
#define NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_DEVICE_MODELS_H_

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/runtime/test_dispatch/test_dispatch.h"
#include "sdk/host/runtime/testing/floats.h"
#include "sdk/host/session/session.h"

namespace npukit {

inline constexpr char kDeviceDir[] = NPUKIT_TEST_DISPATCH_DIR "/healthy";

// A function of the library that is built as `variant`.
template <class Function>
Function DeviceFunction(const std::string& variant, const char* name) {
  void* library =
      dlopen((NPUKIT_TEST_DISPATCH_DIR "/" + variant + "/libLiteRtDispatch_TestDevice.so").c_str(),
             RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<Function>(dlsym(library, name));
}

inline test_dispatch::State& DeviceState(const std::string& variant = "healthy") {
  return *DeviceFunction<decltype(&TestDispatchState)>(variant, "TestDispatchState")();
}

// A model with dispatch ops on the test device.
class CompiledModel {
 public:
  explicit CompiledModel(const std::string& functions) { StartModule("TESTDEV 1\n" + functions); }
  // What is called from here on is in this module.
  void StartModule(const std::string& text) {
    bytecode_ = b.model().buffers().Add(
        SharedBytes::Copy({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
  }
  Tensor* Call(const std::string& function, const std::vector<Tensor*>& inputs, Tensor* output) {
    Op* op = b.AddCustomOp(kDispatchOpCustomCode, {}, inputs, {output});
    op->dispatch = DispatchInfo{.entry_point = function, .bytecode = bytecode_};
    return output;
  }
  std::unique_ptr<Model> Build(const std::string& manufacturers = "TestDevice") {
    EXPECT_TRUE(SetBuildStamp(b.model(), {.soc_manufacturer = manufacturers, .soc_model = "soc"}));
    return b.BuildUnchecked();
  }

  ModelBuilder b;

 private:
  BufferStore::Id bytecode_ = BufferStore::kEmpty;
};

// y = x * x on the device, z = y + x on the CPU: the graph's input is read by both.
inline std::unique_ptr<Model> SharedInputModel(const std::string& requirements = "") {
  CompiledModel m("fn square mul " + requirements + "\n");
  Tensor* x = m.b.Input("x", kFloat, {2, 3});
  Tensor* y = m.Call("square", {x, x}, m.b.Value("y", kFloat, {2, 3}));
  Tensor* z = m.b.Value("z", kFloat, {2, 3});
  m.b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {y, x}, {z});
  m.b.Output(z);
  return m.Build();
}

inline std::vector<float> RunFloats(SignatureRunner& runner, const std::vector<float>& input) {
  return RunWith(runner, {input});
}

class DispatchSession : public ::testing::Test {
 protected:
  void SetUp() override { DeviceState() = {}; }
  void TearDown() override {
    EXPECT_THAT(DeviceState().violations, ::testing::IsEmpty());
    EXPECT_TRUE(DeviceState().AllReleased());
  }
  static litert::Expected<std::unique_ptr<Session>> Create(std::unique_ptr<Model> model) {
    return Session::Create(std::move(model), {.plugin_dir = kDeviceDir});
  }
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_DEVICE_MODELS_H_
