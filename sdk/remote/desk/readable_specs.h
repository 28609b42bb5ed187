// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compile specs as a host gave them, before they are copied into a call.

#ifndef NPUKIT_SDK_REMOTE_DESK_READABLE_SPECS_H_
#define NPUKIT_SDK_REMOTE_DESK_READABLE_SPECS_H_

#include <algorithm>
#include <cstddef>

#include "npukit/compile_spec.h"

namespace npukit::remote {

// Whether all that they announce is there. What is not can't be passed on, as a library or plugin of this machine
// would see it: it is refused here, as those on npukit's headers refuse it.
inline bool AreReadable(const NpukitCompileSpec* specs, size_t num_specs) {
  if (specs == nullptr) return num_specs == 0;
  return std::all_of(specs, specs + num_specs, [](const NpukitCompileSpec& spec) {
    return spec.key != nullptr && (spec.data != nullptr || spec.size_bytes == 0);
  });
}

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_READABLE_SPECS_H_
