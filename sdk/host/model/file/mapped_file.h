// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_MODEL_FILE_MAPPED_FILE_H_
#define NPUKIT_SDK_HOST_MODEL_FILE_MAPPED_FILE_H_

#include <span>
#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/buffer_store.h"

namespace npukit {

// The bytes of a regular file, mapped read-only. The file must not be changed
// or truncated while they are in use.
litert::Expected<SharedBytes> MapFile(const std::string& path);

// Writes the pieces one after the other, beside the path and then renamed, so
// that a reader never sees half a file and a mapped old version stays whole.
litert::Expected<void> WriteFile(const std::string& path,
                                 std::span<const std::span<const uint8_t>> pieces);

// Gives the memory of all pages that hold `bytes` back if they are part of a mapped file: they are
// read from the file again when someone looks at them. Does nothing for other memory.
void ReleasePages(const SharedBytes& bytes);
// The same for the whole file that `part` is a part of.
void ReleaseFile(const SharedBytes& part);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_FILE_MAPPED_FILE_H_
