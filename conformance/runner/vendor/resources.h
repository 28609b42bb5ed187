// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the process holds, so that leaks show.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_RESOURCES_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_RESOURCES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct Resources {
  uint64_t heap_bytes = 0;  // handed out by malloc; 0 under a sanitizer
  size_t file_descriptors = 0;
  size_t threads = 0;
  size_t mappings = 0;  // 0 under the thread sanitizer
};
Resources MeasureResources();

// Runs `cycle` a few times to warm up, then `count` times more, and says what grew with every
// cycle: "" or "heap: 320 bytes in 20 cycles". What is allocated once and kept is no leak. Errors
// are the cycle's own. It is one observation: where observations are judged the cycle does not run.
litert::Expected<std::string> FindLeak(int count,
                                       const std::function<litert::Expected<void>()>& cycle);

// So often FindLeak runs a cycle at most.
int MostLeakCycles(int count);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_RESOURCES_H_
