// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's own memory for tensor buffers, which the CPU sees in a copy, between lock and unlock. Brought
// by the dispatch library whose tables are queried.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_MEMORY_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_MEMORY_H_

#include <cstdint>

#include "litert/c/internal/litert_custom_tensor_buffer_handlers_def.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_tensor_buffer_types.h"

namespace npukit::conformance::mimic {

inline constexpr LiteRtTensorBufferType kOwnMemory = kLiteRtTensorBufferTypeUserCustomBuffer;

const LiteRtCustomTensorBufferHandlersDef& MemoryHandlers();

// Where a tensor buffer lies for the device: in the host's memory or in Mimic's. Null: in neither.
uint8_t* AddressOf(LiteRtTensorBuffer buffer);

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_MEMORY_H_
