// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// .task: a ZIP archive (PKWARE's APPNOTE 4.3) of less than 4 GiB whose members are mostly stored as they
// are, so that models are mapped where they stand.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <utility>

#include "sdk/checksum/crc32.h"
#include "sdk/host/model/bundle/bundle.h"
#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/file/stored_number.h"

namespace npukit {
namespace {

constexpr uint32_t kEntryMark = 0x04034b50;
constexpr uint32_t kDirectoryMark = 0x02014b50;
constexpr uint32_t kEndMark = 0x06054b50;
constexpr size_t kEntryBytes = 30;
constexpr size_t kDirectoryBytes = 46;
constexpr size_t kEndBytes = 22;
constexpr size_t kMostCommentBytes = 65535;
// Members begin at multiples of it, by a field that archivers skip.
constexpr size_t kMemberAlignment = 64;
constexpr uint16_t kPaddingField = 0xd935;
constexpr size_t kFieldHeadBytes = 4;
constexpr size_t kIdentifierAt = 4;  // of a FlatBuffer
// Flags: an entry whose sizes stand behind it, which ours do not; an encrypted one.
constexpr uint16_t kSizesBehind = 1 << 3;
constexpr uint16_t kEncrypted = 1;
constexpr uint32_t kFirstDay = 0x00210000;  // of MS-DOS: 1980-01-01

litert::Unexpected Bad(std::string what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "task: " + std::move(what));
}

template <typename T>
void Append(T value, std::vector<uint8_t>& to) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof(value));
}

bool IsModel(const BundleSection& section) {
  const std::span<const uint8_t> bytes = section.bytes.bytes;
  return section.method == 0 && (section.flags & kEncrypted) == 0 &&
         bytes.size() > kIdentifierAt + 4 &&
         std::memcmp(bytes.data() + kIdentifierAt, "TFL3", 4) == 0;
}

// From the back, as a comment of any length up to the limit may follow the end record.
litert::Expected<size_t> FindEnd(std::span<const uint8_t> file) {
  if (file.size() < kEndBytes) return Bad("is too short to be an archive");
  const size_t first = file.size() - std::min(file.size(), kEndBytes + kMostCommentBytes);
  for (size_t at = file.size() - kEndBytes + 1; at-- > first;) {
    if (FieldAt<uint32_t>(file, at) == kEndMark) return at;
  }
  return Bad("has no directory at its end");
}

litert::Expected<BundleSection> ReadMember(const SharedBytes& shared, size_t at) {
  const std::span<const uint8_t> file = shared.bytes;
  BundleSection section;
  section.kind = "member";
  section.name = std::string(reinterpret_cast<const char*>(file.data()) + at + kDirectoryBytes,
                             FieldAt<uint16_t>(file, at + 28));
  section.flags = FieldAt<uint16_t>(file, at + 8);
  section.method = FieldAt<uint16_t>(file, at + 10);
  section.time = FieldAt<uint32_t>(file, at + 12);
  section.attributes = FieldAt<uint32_t>(file, at + 38);
  section.crc32 = FieldAt<uint32_t>(file, at + 16);
  section.size_bytes = FieldAt<uint32_t>(file, at + 24);
  const size_t stored_bytes = FieldAt<uint32_t>(file, at + 20);
  const size_t entry = FieldAt<uint32_t>(file, at + 42);
  if (entry > file.size() || file.size() - entry < kEntryBytes ||
      FieldAt<uint32_t>(file, entry) != kEntryMark)
    return Bad(fmt::format("'{}' is not where the directory says", section.name));
  const size_t begin = entry + kEntryBytes + FieldAt<uint16_t>(file, entry + 26) +
                       FieldAt<uint16_t>(file, entry + 28);
  if (begin > file.size() || file.size() - begin < stored_bytes)
    return Bad(fmt::format("'{}' is cut off", section.name));
  if (section.method == 0 && stored_bytes != section.size_bytes)
    return Bad(fmt::format("'{}' is stored in {} bytes and has {}", section.name, stored_bytes,
                           section.size_bytes));
  section.offset_bytes = begin;
  section.bytes = {file.subspan(begin, stored_bytes), shared.owner};
  section.is_model = IsModel(section);
  return section;
}

}  // namespace

bool LooksLikeZip(std::span<const uint8_t> bytes) {
  return bytes.size() >= kEndBytes && FieldAt<uint32_t>(bytes, 0) == kEntryMark;
}

litert::Expected<Bundle> ParseTask(SharedBytes file) {
  const std::span<const uint8_t> bytes = file.bytes;
  const auto end = FindEnd(bytes);
  if (!end) return end.Error();
  Bundle bundle;
  bundle.format = BundleFormat::kTask;
  const auto count = FieldAt<uint16_t>(bytes, *end + 10);
  size_t at = FieldAt<uint32_t>(bytes, *end + 16);
  for (uint16_t i = 0; i < count; ++i) {
    if (at > bytes.size() || bytes.size() - at < kDirectoryBytes ||
        FieldAt<uint32_t>(bytes, at) != kDirectoryMark)
      return Bad(fmt::format("entry {} of its directory is not there", i));
    const size_t entry_bytes = kDirectoryBytes + FieldAt<uint16_t>(bytes, at + 28) +
                               size_t{FieldAt<uint16_t>(bytes, at + 30)} +
                               FieldAt<uint16_t>(bytes, at + 32);
    if (bytes.size() - at < entry_bytes)
      return Bad(fmt::format("entry {} of its directory is cut off", i));
    auto section = ReadMember(file, at);
    if (!section) return section.Error();
    bundle.sections.push_back(std::move(*section));
    at += entry_bytes;
  }
  bundle.file = std::move(file);
  return bundle;
}

litert::Expected<void> WriteTask(const Bundle& bundle, std::span<const SharedBytes> contents,
                                 const std::string& path) {
  std::deque<std::vector<uint8_t>> heads;  // which the pieces point into
  std::vector<std::span<const uint8_t>> pieces;
  std::vector<uint8_t> directory;
  uint64_t at = 0;
  for (size_t i = 0; i < bundle.sections.size(); ++i) {
    const BundleSection& section = bundle.sections[i];
    const std::span<const uint8_t> bytes = contents[i].bytes;
    // A member that is unchanged goes as it was stored, which may be compressed or encrypted; one
    // that is not goes plain.
    const bool is_same =
        bytes.data() == section.bytes.bytes.data() && bytes.size() == section.bytes.bytes.size();
    const uint16_t method = is_same ? section.method : 0;
    const uint32_t crc = is_same ? section.crc32 : Crc32(bytes);
    const auto stored_bytes = static_cast<uint32_t>(bytes.size());
    const uint32_t size_bytes = is_same ? section.size_bytes : stored_bytes;
    const uint64_t name_end = at + kEntryBytes + section.name.size() + kFieldHeadBytes;
    const auto padding =
        static_cast<uint16_t>((kMemberAlignment - name_end % kMemberAlignment) % kMemberAlignment);
    const uint64_t begin = name_end + padding;
    if (begin + bytes.size() > UINT32_MAX) return Bad("would have 4 GiB and more");
    // What the entry and the directory say alike: version, flags, method, time, checksum, sizes.
    std::vector<uint8_t> facts;
    const auto flags = static_cast<uint16_t>(section.flags &
                                             ~(is_same ? kSizesBehind : kSizesBehind | kEncrypted));
    for (const uint16_t field : {uint16_t{20}, flags, method}) Append(field, facts);
    const uint32_t time = section.time == 0 ? kFirstDay : section.time;
    for (const uint32_t field : {time, crc, stored_bytes, size_bytes}) Append(field, facts);
    Append(static_cast<uint16_t>(section.name.size()), facts);
    std::vector<uint8_t>& head = heads.emplace_back();
    Append(kEntryMark, head);
    head.insert(head.end(), facts.begin(), facts.end());
    Append(static_cast<uint16_t>(kFieldHeadBytes + padding), head);
    head.insert(head.end(), section.name.begin(), section.name.end());
    Append(kPaddingField, head);
    Append(padding, head);
    head.resize(head.size() + padding);
    pieces.emplace_back(head);
    pieces.push_back(bytes);
    Append(kDirectoryMark, directory);
    Append(uint16_t{20}, directory);
    directory.insert(directory.end(), facts.begin(), facts.end());
    for (const uint16_t field : {uint16_t{0}, uint16_t{0}, uint16_t{0}, uint16_t{0}})
      Append(field, directory);
    Append(section.attributes, directory);
    Append(static_cast<uint32_t>(at), directory);
    directory.insert(directory.end(), section.name.begin(), section.name.end());
    at = begin + bytes.size();
  }
  const auto count = static_cast<uint16_t>(bundle.sections.size());
  const auto directory_bytes = static_cast<uint32_t>(directory.size());
  Append(kEndMark, directory);
  for (const uint16_t field : {uint16_t{0}, uint16_t{0}, count, count}) Append(field, directory);
  Append(directory_bytes, directory);
  Append(static_cast<uint32_t>(at), directory);
  Append(uint16_t{0}, directory);
  pieces.emplace_back(directory);
  return WriteFile(path, pieces);
}

}  // namespace npukit
