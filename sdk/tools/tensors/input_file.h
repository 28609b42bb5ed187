// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What `--in` takes: a file of any kind that people have, as the bytes of a model's input.
//
//   .npy, .npz   NumPy's; of an archive each array goes to the input of its name
//   PNG, JPEG    resized to the input and normalised (image.h)
//   WAV          samples in [-1, 1), mixed to one channel unless the input has the file's channels
//   .txt, .csv   numbers as people write them
//   else         the input's bytes, little-endian
//
// Kinds are told by their first bytes, but for .bin and .raw, which are always bytes.

#ifndef NPUKIT_SDK_TOOLS_TENSORS_INPUT_FILE_H_
#define NPUKIT_SDK_TOOLS_TENSORS_INPUT_FILE_H_

#include <optional>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/tools/tensors/image.h"
#include "sdk/tools/tensors/tensor_data.h"

namespace npukit::tools {

// What is known of an input.
struct InputPort {
  std::string name;
  LiteRtElementType type = kLiteRtElementTypeNone;
  std::vector<int32_t> shape;
  Quantization quantization;
  std::optional<Normalization> normalization;  // of images
};

struct InputBytes {
  std::vector<uint8_t> bytes;
  std::string note;  // what a user should know: samples cut off
};

enum class FileKind { kBytes, kNpy, kNpz, kImage, kWav, kText };
FileKind KindOf(const std::string& path, std::span<const uint8_t> bytes);

// The content of a file as the input. Arrays must have its shape, dimensions of 1 aside, and become its
// type (ConvertTo). Errors give the input, what it expects and what the file has; not the file's name.
litert::Expected<InputBytes> BytesForInput(FileKind kind, std::span<const uint8_t> content,
                                           const InputPort& port, Interpolation interpolation);
// The same of an array.
litert::Expected<InputBytes> BytesForInput(const TensorData& data, const InputPort& port);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TENSORS_INPUT_FILE_H_
