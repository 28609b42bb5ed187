// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/window.h"

#include <fmt/format.h>

namespace acme::compiler {

std::string ToString(const WindowGeometry& g) {
  return fmt::format(
      "batches {} in {}x{} out {}x{} kernel {}x{} stride {}x{} dilation {}x{} pad {}x{}", g.batches,
      g.h.in, g.w.in, g.h.out, g.w.out, g.h.kernel, g.w.kernel, g.h.stride, g.w.stride,
      g.h.dilation, g.w.dilation, g.h.pad, g.w.pad);
}

}  // namespace acme::compiler
