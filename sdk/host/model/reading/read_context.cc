// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/reading/read_context.h"

#include <fmt/format.h>

namespace npukit {

litert::Expected<SharedBytes> ReadContext::TakeOutside(const char* what, FileRegion region) {
  const uint64_t file_bytes = file_.bytes.size();
  if (region.offset_bytes > file_bytes || region.size_bytes > file_bytes - region.offset_bytes) {
    return BadFile(
        fmt::format("expected {} within the file's {} bytes, found {} bytes at offset {}", what,
                    file_bytes, region.size_bytes, region.offset_bytes));
  }
  outside_.push_back(region);
  return SharedBytes{.bytes = file_.bytes.subspan(region.offset_bytes, region.size_bytes),
                     .owner = file_.owner};
}

}  // namespace npukit
