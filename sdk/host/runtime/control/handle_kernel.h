// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_RUNTIME_CONTROL_HANDLE_KERNEL_H_
#define NPUKIT_SDK_HOST_RUNTIME_CONTROL_HANDLE_KERNEL_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/kernel.h"
#include "sdk/host/kernels/node.h"
#include "sdk/host/runtime/state/model_state.h"

namespace npukit {

// Gives the number of a variable or table.
class HandleKernel final : public kernels::Kernel {
 public:
  explicit HandleKernel(int32_t id) : id_(id) {}
  litert::Expected<void> Run(const kernels::RunContext& context) const override {
    const std::span<uint8_t> out = context.outputs.front();
    for (size_t at = 0; at + sizeof(id_) <= out.size(); at += sizeof(id_))
      std::memcpy(out.data() + at, &id_, sizeof(id_));
    return {};
  }

 private:
  int32_t id_;
};

// What kernels that are given a handle have in common. Errors name the op.
class HandleUser : public kernels::Kernel {
 public:
  // `state` is borrowed.
  HandleUser(const kernels::Node& node, ModelState& state)
      : name_(kernels::NodeName(node)), state_(state) {}

 protected:
  // What the handle's number stands for.
  litert::Expected<HashTable*> TableOf(std::span<const uint8_t> handle) const;
  litert::Expected<ResourceVariable*> VariableOf(std::span<const uint8_t> handle) const;
  litert::Unexpected Invalid(std::string_view what) const;

 private:
  std::string name_;
  ModelState& state_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_CONTROL_HANDLE_KERNEL_H_
