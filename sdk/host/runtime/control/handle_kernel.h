// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_RUNTIME_CONTROL_HANDLE_KERNEL_H_
#define NPUKIT_SDK_HOST_RUNTIME_CONTROL_HANDLE_KERNEL_H_

#include <cstdint>
#include <cstring>
#include <span>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/kernel.h"

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

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_CONTROL_HANDLE_KERNEL_H_
