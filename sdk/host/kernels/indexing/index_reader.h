// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Indices that are read while a kernel runs, of any integer type, and the error for one that is out
// of range.

#ifndef NPUKIT_SDK_HOST_KERNELS_INDEXING_INDEX_READER_H_
#define NPUKIT_SDK_HOST_KERNELS_INDEXING_INDEX_READER_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "sdk/host/kernels/kernel.h"
#include "sdk/host/kernels/node.h"

namespace npukit::kernels {

class IndexReader {
 public:
  // The node's input `input` holds the indices: int16, int32 or int64.
  IndexReader(const Node& node, size_t input);

  int64_t At(const RunContext& context, int64_t elem) const {
    const uint8_t* from = context.inputs[input_].data() + static_cast<size_t>(elem) * bytes_;
    if (bytes_ == 2) return Load<int16_t>(from);
    return bytes_ == 4 ? Load<int32_t>(from) : Load<int64_t>(from);
  }

  // "GATHER (op 7): 'idx' (tensor 3, int32[4]) holds index 9 at element 2, outside [0,5)".
  litert::Unexpected OutOfRange(int64_t index, int64_t elem, int64_t limit) const;

 private:
  template <typename T>
  static int64_t Load(const uint8_t* from) {
    T value;
    std::memcpy(&value, from, sizeof(value));
    return value;
  }

  size_t input_;
  size_t bytes_;
  std::string owner_;
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_INDEXING_INDEX_READER_H_
