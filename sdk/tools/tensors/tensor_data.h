// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A tensor in memory, as files give it and outputs are shown from it.

#ifndef NPUKIT_SDK_TOOLS_TENSORS_TENSOR_DATA_H_
#define NPUKIT_SDK_TOOLS_TENSORS_TENSOR_DATA_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/c/litert_model_types.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/quantization.h"

namespace npukit::tools {

struct TensorData {
  std::string name;  // in an archive; else empty
  LiteRtElementType type = kLiteRtElementTypeNone;
  std::vector<int64_t> shape;  // raw files may be longer than the 32 bits of a model's dimension
  std::vector<uint8_t> bytes;  // dense, little-endian, in C order

  int64_t elems() const;
  // "float32[1,224,224,3]".
  std::string TypeText() const;
};

// Numbers of whole bytes: integers, booleans and floats of 16, 32 and 64 bits.
bool IsNumber(LiteRtElementType type);
bool IsFloat(LiteRtElementType type);

// The element of a type that IsNumber; exact, for any of them.
long double NumberAt(LiteRtElementType type, std::span<const uint8_t> bytes, int64_t elem);

// One dimension for all of `size_bytes`. An error if they are no whole number of elements.
litert::Expected<std::vector<int64_t>> FlatShape(LiteRtElementType type, uint64_t size_bytes);

// The tensor as another type of number.
//   to floats      rounded to nearest
//   to integers    of an integer: the same number. Of a float: quantised by `quantization`, where it
//                  has a scale for the whole tensor (round(real / scale) + zero point, halves away
//                  from 0, clamped); else a whole number
//   to bool        0 or 1
// An error names the first element that the type does not hold.
litert::Expected<TensorData> ConvertTo(const TensorData& data, LiteRtElementType type,
                                       const Quantization& quantization);

// Numbers, with room for all types of integers, as a tensor of `type`, as ConvertTo.
litert::Expected<TensorData> FromNumbers(std::span<const long double> numbers, bool are_floats,
                                         std::vector<int64_t> shape, LiteRtElementType type,
                                         const Quantization& quantization);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TENSORS_TENSOR_DATA_H_
