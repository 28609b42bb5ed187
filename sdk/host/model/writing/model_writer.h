// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Graph IR to .tflite bytes. The file is the FlatBuffer, then the bytecode
// modules of dispatch ops in order of first use, then buffers and custom
// options that lie outside the FlatBuffer, then trailing bytes:
//
//   | FlatBuffer | pad | module | pad | module | pad | outside buffers, each at
//   a multiple of 16 | trailing |

#ifndef NPUKIT_SDK_HOST_MODEL_WRITING_MODEL_WRITER_H_
#define NPUKIT_SDK_HOST_MODEL_WRITING_MODEL_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

struct WriteOptions {
  // Each module starts at a multiple of this, counted from the start of the
  // file. A power of two.
  size_t bytecode_alignment = 1;
  // If the buffers inside the FlatBuffer exceed this, all move outside: a
  // FlatBuffer ends at 2 GiB.
  size_t max_inside_bytes = size_t{1} << 30;
};

// The same model always gives the same bytes. A model that ParseModel made and
// nobody edited comes back equal in every field. Modules with equal bytes are
// written once. Errors: an option out of its range, an element type or
// reference that a file cannot express.
litert::Expected<std::vector<uint8_t>> SerializeModel(const Model& model,
                                                      const WriteOptions& options = {});

// Writes beside the path and renames, so that a reader never sees half a file.
litert::Expected<void> SaveModel(const Model& model, const std::string& path,
                                 const WriteOptions& options = {});

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_WRITING_MODEL_WRITER_H_
