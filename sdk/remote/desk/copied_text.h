// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_REMOTE_DESK_COPIED_TEXT_H_
#define NPUKIT_SDK_REMOTE_DESK_COPIED_TEXT_H_

#include <algorithm>
#include <cstddef>
#include <string>

namespace npukit::remote {

// Into a caller's buffer: cut to fit, with a 0 behind; nothing where there is no room.
inline void CopyText(const std::string& text, char* buffer, size_t size_bytes) {
  if (buffer == nullptr || size_bytes == 0) return;
  const size_t count = std::min(text.size(), size_bytes - 1);
  std::copy_n(text.data(), count, buffer);
  buffer[count] = '\0';
}

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_COPIED_TEXT_H_
