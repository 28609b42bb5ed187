// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The custom options of a DISPATCH_OP: a FlexBuffer map that says where in the
// file its module lies.

#ifndef NPUKIT_SDK_HOST_MODEL_OPTIONS_DISPATCH_OPTIONS_H_
#define NPUKIT_SDK_HOST_MODEL_OPTIONS_DISPATCH_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace npukit {

struct DispatchOptions {
  uint64_t bytecode_size_bytes = 0;
  uint64_t bytecode_offset_bytes = 0;  // from the start of the file; 0 and 1 mean none
  std::string name;                    // entry point
  bool operator==(const DispatchOptions&) const = default;
};

// Reads a map with the keys bytecode_size, bytecode_offset and, if there, name.
// nullopt for anything else; never reads outside the bytes.
std::optional<DispatchOptions> ParseDispatchOptions(std::span<const uint8_t> custom_options);

// The bytes as LiteRT writes them: numbers 64 bits wide, so that
// UpdateDispatchOptions fits.
std::vector<uint8_t> MakeDispatchOptions(const DispatchOptions& options);

// Overwrites size and offset where they stand. False, and nothing changed, if
// there is no such map, its name is another one or its numbers are too narrow.
bool UpdateDispatchOptions(const DispatchOptions& options, std::span<uint8_t> custom_options);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_OPTIONS_DISPATCH_OPTIONS_H_
