// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/metadata/compile_spec.h"

#include <algorithm>

namespace npukit {

std::vector<NpukitCompileSpec> ViewsOf(std::span<const CompileSpec> specs) {
  std::vector<NpukitCompileSpec> views;
  for (const CompileSpec& spec : specs)
    views.push_back({spec.key.c_str(), spec.bytes.data(), spec.bytes.size()});
  return views;
}

void SetSpec(const CompileSpec& spec, std::vector<CompileSpec>& specs) {
  const auto old = std::find_if(specs.begin(), specs.end(),
                                [&](const auto& other) { return other.key == spec.key; });
  if (old == specs.end()) return specs.push_back(spec);
  *old = spec;
}

}  // namespace npukit
