// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the driver: a device, modules, and a context of one of them with its memory.

#ifndef NPUKIT_SIMULATOR_DRIVER_TESTING_DRIVER_FIXTURE_H_
#define NPUKIT_SIMULATOR_DRIVER_TESTING_DRIVER_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "simulator/driver/acme_driver.h"
#include "simulator/hw/hardware.h"
#include "simulator/isa/program_builder.h"
#include "simulator/module/module.h"

namespace acme {

// y[i] = x[i] + x[i] in float32, eight elements; marked with handle 1.
inline std::vector<uint8_t> DoublingModule(std::string_view soc = "acme_a1") {
  ProgramBuilder b;
  b.Mark(1);
  b.Emit(isa::LdCopy{.binding = 2, .bytes = 32}, Post(1));
  b.Emit(isa::VShape{.n0 = 8, .n1 = 1, .n2 = 1, .n3 = 1});
  for (View view : {View::kDst, View::kA, View::kB}) b.Emit(isa::VView{.view = view, .s0 = 4});
  b.Emit(isa::VBinary{.op = BinaryOp::kAdd, .dtype = Dtype::kF32, .dst = 64, .a = 0, .b = 0},
         Wait(1) & Post(2));
  b.Emit(isa::StCopy{.binding = 3, .spm = 64, .bytes = 32}, Wait(2));
  b.Halt();
  Module module;
  module.soc_model = soc;
  module.program_key = BuiltinHardware(soc)->ProgramKey();
  module.entries.push_back({"main", {{"x", 32, false}, {"y", 32, true}}, 0, *b.Finish(), {}, 8});
  module.debug = {{"double", {3, 4}}};
  return SerializeModule(module);
}

// A program that takes about `count` times 100 cycles.
inline std::vector<uint8_t> LongModule(uint32_t count) {
  ProgramBuilder b;
  b.Emit(isa::VShape{.n0 = 4096, .n1 = 1, .n2 = 1, .n3 = 1});
  b.Emit(isa::VView{.view = View::kDst, .s0 = 1});
  b.BeginLoop(count);
  b.Emit(isa::VFill{.dtype = Dtype::kI8, .dst = 0, .value = 1});
  b.EndLoop();
  b.Halt();
  Module module;
  module.soc_model = "acme_a1";
  module.program_key = BuiltinHardware("")->ProgramKey();
  module.entries.push_back({"main", {}, 0, *b.Finish(), {}, 0});
  return SerializeModule(module);
}

// y = x by way of the first 32 of 40 bytes of the workspace.
inline std::vector<uint8_t> WorkspaceModule() {
  ProgramBuilder b;
  b.Emit(isa::LdCopy{.binding = 2, .bytes = 32}, Post(1));
  b.Emit(isa::StCopy{.binding = 1, .bytes = 32}, Wait(1) & Post(2));
  b.Emit(isa::LdCopy{.binding = 1, .spm = 64, .bytes = 32}, Wait(2) & Post(3));
  b.Emit(isa::StCopy{.binding = 3, .spm = 64, .bytes = 32}, Wait(3));
  b.Halt();
  Module module;
  module.soc_model = "acme_a1";
  module.program_key = BuiltinHardware("")->ProgramKey();
  module.entries.push_back({"main", {{"x", 32, false}, {"y", 32, true}}, 40, *b.Finish(), {}, 8});
  return SerializeModule(module);
}

class DriverTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(AcmeDeviceOpen(nullptr, &device_), kAcmeOk); }
  void TearDown() override {
    AcmeContextDestroy(context_);
    AcmeModuleUnload(module_);
    AcmeDeviceClose(device_);
  }
  void Load(const std::vector<uint8_t>& bytes) {
    ASSERT_EQ(AcmeModuleLoad(device_, bytes.data(), bytes.size(), &module_), kAcmeOk)
        << AcmeLastError();
    ASSERT_EQ(AcmeContextCreate(module_, 0, &context_), kAcmeOk);
  }
  void BindBoth() {
    ASSERT_EQ(AcmeContextBind(context_, 0, x_, sizeof(x_)), kAcmeOk);
    ASSERT_EQ(AcmeContextBind(context_, 1, y_, sizeof(y_)), kAcmeOk);
  }

  AcmeDevice* device_ = nullptr;
  AcmeModule* module_ = nullptr;
  AcmeContext* context_ = nullptr;
  float x_[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float y_[8] = {};
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DRIVER_TESTING_DRIVER_FIXTURE_H_
