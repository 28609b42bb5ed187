// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/metadata/compile_spec.h"

#include <algorithm>

namespace npukit {

void SetSpec(const CompileSpec& spec, std::vector<CompileSpec>& specs) {
  const auto old = std::find_if(specs.begin(), specs.end(),
                                [&](const auto& other) { return other.key == spec.key; });
  if (old == specs.end()) return specs.push_back(spec);
  *old = spec;
}

}  // namespace npukit
