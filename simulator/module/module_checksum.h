// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Size and checksum of a module's bytes: fields that are about all of them.

#ifndef NPUKIT_SIMULATOR_MODULE_MODULE_CHECKSUM_H_
#define NPUKIT_SIMULATOR_MODULE_MODULE_CHECKSUM_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "simulator/module/module.h"

namespace acme {

namespace fb {
struct Module;
}

// What is read between two calls of ModuleSource::passed; a multiple of pages and of the checksum's words.
inline constexpr size_t kStretchBytes = size_t{8} << 20;

// Where the checksum of a module whose tables are sound stands; the size of the bytes if there is none on a word.
size_t ChecksumOffset(std::span<const uint8_t> bytes, const fb::Module& module);

// Of all bytes, of which the eight from `at` on, its own place, count as zeros.
uint64_t Checksum(const ModuleSource& source, size_t at);
void WriteChecksum(std::span<uint8_t> bytes, size_t at);

// Fills both fields in, which must be there.
void Seal(std::span<uint8_t> bytes, const fb::Module& module);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_MODULE_MODULE_CHECKSUM_H_
