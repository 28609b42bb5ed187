// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_KERNELS_INDEXING_FINGERPRINT_H_
#define NPUKIT_SDK_HOST_KERNELS_INDEXING_FINGERPRINT_H_

#include <cstdint>
#include <span>

namespace npukit::kernels {

// FarmHash's Fingerprint64, which never changes: what LSH_PROJECTION hashes with.
uint64_t Fingerprint64(std::span<const uint8_t> bytes);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_INDEXING_FINGERPRINT_H_
