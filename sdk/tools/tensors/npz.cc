// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// ZIP archives by their central directory (PKWARE's APPNOTE 4.3): one disk, neither encrypted nor of
// 4 GiB and more.

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/file/stored_number.h"
#include "sdk/tools/tensors/npy.h"

namespace npukit::tools {
namespace {

constexpr uint32_t kEntryMark = 0x04034b50;
constexpr uint32_t kDirectoryMark = 0x02014b50;
constexpr uint32_t kEndMark = 0x06054b50;
constexpr size_t kEntryBytes = 30;
constexpr size_t kDirectoryBytes = 46;
constexpr size_t kEndBytes = 22;
constexpr size_t kMaxCommentBytes = 65535;

litert::Unexpected Bad(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "npz: " + what);
}

struct Entry {
  std::string name;
  uint16_t method = 0;
  uint32_t crc = 0;
  uint32_t stored_bytes = 0;
  uint32_t size_bytes = 0;
  uint32_t offset = 0;
};

litert::Expected<std::vector<Entry>> ReadDirectory(std::span<const uint8_t> bytes) {
  size_t end = bytes.size();
  if (bytes.size() >= kEndBytes) {
    const size_t first = bytes.size() - std::min(bytes.size(), kEndBytes + kMaxCommentBytes);
    // The end record has a comment of unknown length behind it. From the end on, as bytes of a
    // member can look like one, too.
    for (size_t at = bytes.size() - kEndBytes + 1; at-- > first;) {
      if (FieldAt<uint32_t>(bytes, at) != kEndMark) continue;
      end = at;
      break;
    }
  }
  if (end == bytes.size()) return Bad("has no directory at its end");
  const auto count = FieldAt<uint16_t>(bytes, end + 10);
  size_t at = FieldAt<uint32_t>(bytes, end + 16);
  std::vector<Entry> entries;
  for (uint16_t i = 0; i < count; ++i) {
    if (at > bytes.size() || bytes.size() - at < kDirectoryBytes ||
        FieldAt<uint32_t>(bytes, at) != kDirectoryMark) {
      return Bad(fmt::format("entry {} of its directory is not there", i));
    }
    const size_t name_bytes = FieldAt<uint16_t>(bytes, at + 28);
    const size_t more_bytes =
        size_t{FieldAt<uint16_t>(bytes, at + 30)} + FieldAt<uint16_t>(bytes, at + 32);
    if (bytes.size() - at - kDirectoryBytes < name_bytes + more_bytes)
      return Bad(fmt::format("entry {} of its directory is cut off", i));
    entries.push_back(
        {.name = std::string(reinterpret_cast<const char*>(bytes.data()) + at + kDirectoryBytes,
                             name_bytes),
         .method = FieldAt<uint16_t>(bytes, at + 10),
         .crc = FieldAt<uint32_t>(bytes, at + 16),
         .stored_bytes = FieldAt<uint32_t>(bytes, at + 20),
         .size_bytes = FieldAt<uint32_t>(bytes, at + 24),
         .offset = FieldAt<uint32_t>(bytes, at + 42)});
    at += kDirectoryBytes + name_bytes + more_bytes;
  }
  return entries;
}

litert::Expected<std::vector<uint8_t>> Inflate(const Entry& entry,
                                               std::span<const uint8_t> stored) {
  // Deflate shrinks by at most about 1032: a small file can't ask for gigabytes.
  if (entry.size_bytes / 1032 > stored.size() + 1)
    return Bad(
        fmt::format("'{}' claims {} bytes out of {}", entry.name, entry.size_bytes, stored.size()));
  std::vector<uint8_t> bytes(entry.size_bytes);
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return Bad("zlib can't be used");
  stream.next_in = const_cast<uint8_t*>(stored.data());
  stream.avail_in = static_cast<uInt>(stored.size());
  stream.next_out = bytes.data();
  stream.avail_out = static_cast<uInt>(bytes.size());
  const int result = inflate(&stream, Z_FINISH);
  const bool is_whole = result == Z_STREAM_END && stream.total_out == bytes.size();
  inflateEnd(&stream);
  if (!is_whole)
    return Bad(fmt::format("'{}' can't be inflated to {} bytes", entry.name, entry.size_bytes));
  return bytes;
}

litert::Expected<std::vector<uint8_t>> ReadEntry(std::span<const uint8_t> bytes,
                                                 const Entry& entry) {
  if (entry.offset > bytes.size() || bytes.size() - entry.offset < kEntryBytes ||
      FieldAt<uint32_t>(bytes, entry.offset) != kEntryMark) {
    return Bad(fmt::format("'{}' is not where the directory says", entry.name));
  }
  // Of the entry's own header only what the directory does not say: lengths there may be 0, and
  // stand behind the content.
  const size_t begin = size_t{entry.offset} + kEntryBytes +
                       FieldAt<uint16_t>(bytes, entry.offset + 26) +
                       FieldAt<uint16_t>(bytes, entry.offset + 28);
  if (begin > bytes.size() || bytes.size() - begin < entry.stored_bytes)
    return Bad(fmt::format("'{}' is cut off", entry.name));
  const std::span<const uint8_t> stored = bytes.subspan(begin, entry.stored_bytes);
  std::vector<uint8_t> content;
  if (entry.method == 0) {
    content.assign(stored.begin(), stored.end());
  } else if (entry.method == Z_DEFLATED) {
    LITERT_ASSIGN_OR_RETURN(content, Inflate(entry, stored));
  } else {
    return Bad(
        fmt::format("'{}' is compressed by method {}, expected 0 or 8", entry.name, entry.method));
  }
  if (crc32(0, content.data(), static_cast<uInt>(content.size())) != entry.crc)
    return Bad(fmt::format("'{}' has another checksum than the archive says", entry.name));
  return content;
}

}  // namespace

bool LooksLikeNpz(std::span<const uint8_t> bytes) {
  return bytes.size() >= kEndBytes &&
         (FieldAt<uint32_t>(bytes, 0) == kEntryMark || FieldAt<uint32_t>(bytes, 0) == kEndMark);
}

litert::Expected<std::vector<TensorData>> ParseNpz(std::span<const uint8_t> bytes) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<Entry> entries, ReadDirectory(bytes));
  std::vector<TensorData> tensors;
  for (const Entry& entry : entries) {
    LITERT_ASSIGN_OR_RETURN(const std::vector<uint8_t> content, ReadEntry(bytes, entry));
    auto parsed = ParseNpy(content);
    if (!parsed) return Bad(fmt::format("'{}': {}", entry.name, parsed.Error().Message()));
    constexpr std::string_view kSuffix = ".npy";
    parsed->name = entry.name.ends_with(kSuffix)
                       ? entry.name.substr(0, entry.name.size() - kSuffix.size())
                       : entry.name;
    tensors.push_back(std::move(*parsed));
  }
  return tensors;
}

}  // namespace npukit::tools
