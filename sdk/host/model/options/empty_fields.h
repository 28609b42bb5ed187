// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_MODEL_OPTIONS_EMPTY_FIELDS_H_
#define NPUKIT_SDK_HOST_MODEL_OPTIONS_EMPTY_FIELDS_H_

#include <cstdint>

namespace npukit {

// A vector or string may be absent from a table of a file, or there and empty.
// Both mean the same to a graph, and the IR does not tell them apart; but
// saving a loaded model must not change it. Bit i: field i of the table
// (counted from 0 in schema order) was there though empty.
using EmptyFields = uint32_t;

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_OPTIONS_EMPTY_FIELDS_H_
