// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/observation/observation_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace npukit::conformance {
namespace {

constexpr std::string_view kMagic = "npukit observations 1\n";
// What a pipe may bring.
constexpr uint64_t kMaxObservedBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxNameBytes = 4096;
// Deflate makes nothing smaller than by this factor: a record that promises more lies.
constexpr uint64_t kMaxRatio = 1032;
// Values are mostly noise, which higher levels do not make smaller either.
constexpr int kLevel = 1;

std::string NumberBytes(uint64_t number) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
  return bytes;
}

std::string Packed(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
            reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()), kLevel);
  packed.resize(size);
  return packed;
}

// Takes pieces off the front of bytes.
class Cutter {
 public:
  explicit Cutter(std::string_view bytes) : left_(bytes) {}

  std::optional<std::string_view> Cut(uint64_t size) {
    if (size > left_.size()) return std::nullopt;
    const std::string_view piece = left_.substr(0, static_cast<size_t>(size));
    left_.remove_prefix(static_cast<size_t>(size));
    return piece;
  }
  std::optional<uint64_t> CutNumber() {
    const auto piece = Cut(8);
    if (!piece) return std::nullopt;
    uint64_t number = 0;
    for (int i = 7; i >= 0; --i)
      number = number << 8 | static_cast<unsigned char>((*piece)[static_cast<size_t>(i)]);
    return number;
  }
  bool at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
};

litert::Unexpected Bad(const std::string& message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            fmt::format("{}: {}", kObservationFile, message));
}

}  // namespace

ObservationWriter::ObservationWriter(const std::string& path)
    : path_(path), stream_(path + ".part", std::ios::binary | std::ios::trunc) {
  stream_ << kMagic;
}

litert::Expected<std::unique_ptr<ObservationWriter>> ObservationWriter::Create(
    const std::string& path) {
  std::unique_ptr<ObservationWriter> writer(new ObservationWriter(path));
  if (writer->stream_) return writer;
  return litert::Unexpected(kLiteRtStatusErrorFileIO, path + ": can't be written");
}

void ObservationWriter::Add(const std::string& result_name, std::string_view observed) {
  const std::string packed = Packed(observed);
  stream_ << NumberBytes(result_name.size()) << result_name << NumberBytes(observed.size())
          << NumberBytes(packed.size()) << packed;
}

litert::Expected<void> ObservationWriter::Finish() {
  stream_.close();
  std::error_code error;
  if (stream_) std::filesystem::rename(path_ + ".part", path_, error);
  if (stream_ && !error) return {};
  return litert::Unexpected(kLiteRtStatusErrorFileIO, path_ + ": can't be written");
}

litert::Expected<ObservationReader> ObservationReader::Of(std::string_view bytes) {
  Cutter cutter(bytes);
  if (cutter.Cut(kMagic.size()) != kMagic) return Bad("does not begin as such a file does");
  ObservationReader reader;
  while (!cutter.at_end()) {
    const auto name_bytes = cutter.CutNumber();
    const auto name =
        name_bytes && *name_bytes <= kMaxNameBytes ? cutter.Cut(*name_bytes) : std::nullopt;
    const auto observed_bytes = name ? cutter.CutNumber() : std::nullopt;
    const auto packed_bytes = observed_bytes ? cutter.CutNumber() : std::nullopt;
    const auto packed = packed_bytes ? cutter.Cut(*packed_bytes) : std::nullopt;
    if (!packed) return Bad(fmt::format("record {} is cut off", reader.records_.size()));
    if (*observed_bytes > kMaxObservedBytes || *observed_bytes > packed->size() * kMaxRatio + 64)
      return Bad(fmt::format("record {} promises too much", reader.records_.size()));
    const auto added =
        reader.records_.emplace(std::string(*name), Record{*observed_bytes, *packed});
    if (!added.second) return Bad(fmt::format("'{:.200}' stands twice", *name));
  }
  return reader;
}

litert::Expected<std::string> ObservationReader::ObservedOf(const std::string& result_name) const {
  const auto found = records_.find(result_name);
  if (found == records_.end()) return Bad(fmt::format("has nothing of '{:.200}'", result_name));
  const Record& record = found->second;
  std::string observed(static_cast<size_t>(record.observed_bytes), '\0');
  auto size = static_cast<uLongf>(observed.size());
  const int status = uncompress(reinterpret_cast<Bytef*>(observed.data()), &size,
                                reinterpret_cast<const Bytef*>(record.packed.data()),
                                static_cast<uLong>(record.packed.size()));
  if (status == Z_OK && size == observed.size()) return observed;
  return Bad(fmt::format("'{:.200}' can't be unpacked", result_name));
}

}  // namespace npukit::conformance
