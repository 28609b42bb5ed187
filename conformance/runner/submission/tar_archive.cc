// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/submission/tar_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>

namespace npukit::conformance {
namespace {

constexpr size_t kBlockBytes = 512;
constexpr size_t kMaxEntries = 64;

// POSIX.1-1988's header: offsets and sizes of the fields that are used.
struct Field {
  size_t at;
  size_t bytes;
};
constexpr Field kName{0, 100};
constexpr Field kMode{100, 8};
constexpr Field kOwner{108, 8};
constexpr Field kGroup{116, 8};
constexpr Field kSize{124, 12};
constexpr Field kTime{136, 12};
constexpr Field kChecksum{148, 8};
constexpr size_t kTypeAt = 156;
constexpr Field kMagic{257, 8};
constexpr Field kPrefix{345, 155};
constexpr char kMagicText[] = {'u', 's', 't', 'a', 'r', '\0', '0', '0'};
constexpr char kRegularFile = '0';

bool IsPlainName(std::string_view name) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !name.empty() && name.size() < kName.bytes && name.front() != '.' &&
         name.find_first_not_of(kLetters) == std::string_view::npos;
}

size_t Padded(size_t bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes; }

// With the checksum's own field as blanks.
uint64_t ChecksumOf(std::string_view header) {
  uint64_t sum = 0;
  for (size_t i = 0; i < kBlockBytes; ++i) {
    const bool in_checksum = i >= kChecksum.at && i < kChecksum.at + kChecksum.bytes;
    sum += in_checksum ? ' ' : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

void PutOctal(std::string& header, const Field& field, uint64_t number) {
  const std::string text = fmt::format("{:0{}o}", number, field.bytes - 1);
  std::copy(text.begin(), text.end(), header.begin() + static_cast<ptrdiff_t>(field.at));
}

std::string HeaderOf(const TarEntry& entry) {
  std::string header(kBlockBytes, '\0');
  std::copy(entry.name.begin(), entry.name.end(), header.begin());
  PutOctal(header, kMode, 0644);
  PutOctal(header, kOwner, 0);
  PutOctal(header, kGroup, 0);
  PutOctal(header, kSize, entry.bytes.size());
  PutOctal(header, kTime, 0);
  header[kTypeAt] = kRegularFile;
  std::copy(std::begin(kMagicText), std::end(kMagicText),
            header.begin() + static_cast<ptrdiff_t>(kMagic.at));
  // Six digits, a zero and a blank, as tars write this field and no other.
  const std::string sum = fmt::format("{:06o}", ChecksumOf(header));
  std::copy(sum.begin(), sum.end(), header.begin() + static_cast<ptrdiff_t>(kChecksum.at));
  header[kChecksum.at + 7] = ' ';
  return header;
}

// Digits up to a zero or a blank.
std::optional<uint64_t> OctalOf(std::string_view header, const Field& field) {
  uint64_t number = 0;
  size_t digits = 0;
  for (const char c : header.substr(field.at, field.bytes)) {
    if (c == '\0' || c == ' ') break;
    if (c < '0' || c > '7') return std::nullopt;
    number = number * 8 + static_cast<uint64_t>(c - '0');
    ++digits;
  }
  return digits > 0 ? std::optional(number) : std::nullopt;
}

bool IsZero(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == '\0'; });
}

litert::Unexpected Bad(const std::string& message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "the archive " + message);
}

// Why a header is not that of a file that a submission may have; empty if it is.
std::string HeaderProblem(std::string_view header, std::string_view name) {
  if (header.substr(kMagic.at, kMagic.bytes) != std::string_view(kMagicText, sizeof kMagicText))
    return "is no ustar archive";
  if (OctalOf(header, kChecksum) != ChecksumOf(header)) return "has a header with a wrong checksum";
  if (header[kTypeAt] != kRegularFile) return "holds something that is no regular file";
  if (!IsZero(header.substr(kPrefix.at, kPrefix.bytes)) || !IsPlainName(name))
    return "holds a file whose name is not plain";
  return {};
}

}  // namespace

litert::Expected<void> WriteTar(const std::string& path, const std::vector<TarEntry>& entries) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  const std::string zeros(2 * kBlockBytes, '\0');
  for (const TarEntry& entry : entries) {
    if (!IsPlainName(entry.name)) return Bad("can't hold '" + entry.name + "'");
    stream << HeaderOf(entry) << entry.bytes
           << std::string_view(zeros).substr(0, Padded(entry.bytes.size()) - entry.bytes.size());
  }
  stream << zeros;
  stream.close();
  if (stream) return {};
  return litert::Unexpected(kLiteRtStatusErrorFileIO, path + ": can't be written");
}

litert::Expected<std::vector<TarEntry>> ReadTar(std::string_view archive) {
  std::vector<TarEntry> entries;
  if (archive.size() % kBlockBytes != 0) return Bad("is cut off");
  while (archive.size() >= kBlockBytes && !IsZero(archive.substr(0, kBlockBytes))) {
    const std::string_view header = archive.substr(0, kBlockBytes);
    const std::string_view field = header.substr(kName.at, kName.bytes);
    const std::string_view name = field.substr(0, field.find('\0'));
    if (const std::string problem = HeaderProblem(header, name); !problem.empty())
      return Bad(problem);
    const std::optional<uint64_t> size = OctalOf(header, kSize);
    archive.remove_prefix(kBlockBytes);
    if (!size || *size > archive.size()) return Bad(fmt::format("is cut off within {}", name));
    const bool is_known = std::any_of(entries.begin(), entries.end(),
                                      [&](const TarEntry& entry) { return entry.name == name; });
    if (is_known) return Bad(fmt::format("holds {} twice", name));
    if (entries.size() == kMaxEntries) return Bad("holds too many files");
    const auto bytes = static_cast<size_t>(*size);
    entries.push_back({std::string(name), archive.substr(0, bytes)});
    if (!IsZero(archive.substr(bytes, Padded(bytes) - bytes)))
      return Bad(fmt::format("has something behind {}", name));
    archive.remove_prefix(Padded(bytes));
  }
  if (archive.size() < 2 * kBlockBytes || !IsZero(archive)) return Bad("does not end as one does");
  return entries;
}

}  // namespace npukit::conformance
