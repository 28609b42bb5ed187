// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A node on an operator of a package: the C vtable behind the host's kernel interface.

#ifndef NPUKIT_SDK_HOST_KERNELS_CUSTOMIZED_CUSTOMIZED_KERNEL_H_
#define NPUKIT_SDK_HOST_KERNELS_CUSTOMIZED_CUSTOMIZED_KERNEL_H_

#include <memory>
#include <string>

#include "litert/cc/litert_expected.h"
#include "npukit/op_package.h"
#include "sdk/host/kernels/customized/customized_ops.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

// A factory whose library stays open as long as this lives.
struct HeldFactory {
  std::shared_ptr<OpSource> source;
  NpukitOpFactory factory = {};
};

// By what name a package may know an op: custom code or composite name; empty for others.
std::string CustomizedOpName(const Op& op);

// Creates an object, loads, traces and reshapes it. Errors name the op and the package.
litert::Expected<Inferred> InferCustomized(const Node& node, const HeldFactory& factory);
litert::Expected<std::unique_ptr<Kernel>> PrepareCustomized(const Node& node, HeldFactory factory);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_CUSTOMIZED_CUSTOMIZED_KERNEL_H_
