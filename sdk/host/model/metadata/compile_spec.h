// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compile specs as the host holds them (npukit/compile_spec.h).

#ifndef NPUKIT_SDK_HOST_MODEL_METADATA_COMPILE_SPEC_H_
#define NPUKIT_SDK_HOST_MODEL_METADATA_COMPILE_SPEC_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "npukit/compile_spec.h"

namespace npukit {

struct CompileSpec {
  std::string key;
  std::vector<uint8_t> bytes;
  bool operator==(const CompileSpec&) const = default;
};

// As the C interface takes them: pointers into `specs`.
std::vector<NpukitCompileSpec> ViewsOf(std::span<const CompileSpec> specs);

// In place of that of the same key, if there is one; else behind the others.
void SetSpec(const CompileSpec& spec, std::vector<CompileSpec>& specs);

// What a user asks for.
struct CompileSpecRequest {
  std::string plugin;               // a name of it; empty: every plugin that knows the key
  std::optional<size_t> partition;  // as numbered before any is cut; nullopt: all
  CompileSpec spec;
  std::string where;         // "place.yaml:3:5", for messages
  bool is_optional = false;  // no error if nobody knows the key
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_METADATA_COMPILE_SPEC_H_
