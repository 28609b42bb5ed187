// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_MODEL_FILE_FILE_LAYOUT_H_
#define NPUKIT_SDK_HOST_MODEL_FILE_FILE_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <vector>

namespace npukit {

// A file as pieces one after the other, so that large ones need not be copied
// to be written. Does not own the bytes.
class FileLayout {
 public:
  // Adds a piece and gives its offset from the start of the file.
  uint64_t Append(std::span<const uint8_t> bytes) {
    const uint64_t offset_bytes = size_bytes_;
    if (!bytes.empty()) pieces_.push_back(bytes);
    size_bytes_ += bytes.size();
    return offset_bytes;
  }

  // Adds zeros up to the next multiple of a power of two.
  void AlignTo(size_t alignment) {
    const auto padding_bytes = static_cast<size_t>(-size_bytes_ & (alignment - 1));
    if (padding_bytes != 0) Append(paddings_.emplace_back(padding_bytes));
  }

  uint64_t size_bytes() const { return size_bytes_; }
  std::span<const std::span<const uint8_t>> pieces() const { return pieces_; }

  std::vector<uint8_t> Join() const {
    std::vector<uint8_t> file;
    file.reserve(size_bytes_);
    for (std::span<const uint8_t> piece : pieces_)
      file.insert(file.end(), piece.begin(), piece.end());
    return file;
  }

 private:
  std::vector<std::span<const uint8_t>> pieces_;
  std::list<std::vector<uint8_t>> paddings_;
  uint64_t size_bytes_ = 0;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_FILE_FILE_LAYOUT_H_
