// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The blocks of SHA-256 by the instructions that x86 processors have for it.

#ifndef NPUKIT_SDK_REMOTE_WIRE_SHA256_BLOCK_H_
#define NPUKIT_SDK_REMOTE_WIRE_SHA256_BLOCK_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace npukit::remote {

using Sha256State = std::array<uint32_t, 8>;
using Sha256Constants = std::array<uint32_t, 64>;

// False on other processors.
bool HasSha256Instructions();
// Of whole blocks of 64 bytes. Only where there are such instructions.
void AddSha256Blocks(Sha256State& state, const Sha256Constants& constants, const uint8_t* blocks,
                     size_t count);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_SHA256_BLOCK_H_
