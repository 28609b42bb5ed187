// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How many bytes a small function writes to what its first argument points to, by its instructions.
// LiteRtDispatchGetApi copies a struct whose size tells the generation, and a library without
// symbols has that alone.

#ifndef NPUKIT_SDK_TOOLS_DOCTOR_COPY_SIZE_H_
#define NPUKIT_SDK_TOOLS_DOCTOR_COPY_SIZE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace npukit::tools {

// The end of the store that reaches furthest, through the register of the first argument or the one
// that compilers keep it in. `code` is of no trust. nullopt: no store is recognised, as where the
// copy is a call; the machine is neither "x86-64" nor "aarch64".
std::optional<uint64_t> CopySize(std::string_view machine, std::span<const uint8_t> code);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_DOCTOR_COPY_SIZE_H_
