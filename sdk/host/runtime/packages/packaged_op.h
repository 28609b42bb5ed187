// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_RUNTIME_PACKAGES_PACKAGED_OP_H_
#define NPUKIT_SDK_HOST_RUNTIME_PACKAGES_PACKAGED_OP_H_

#include "sdk/host/model/graph/op.h"

namespace npukit {

// Whether a package that is loaded, or the program itself, offers the operator: a composite of that
// name then runs whole, and partitioning leaves it so.
bool IsPackagedOp(const Op& op);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PACKAGES_PACKAGED_OP_H_
