// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/tensors/wav.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/file/stored_number.h"

namespace npukit::tools {
namespace {

constexpr size_t kRiffBytes = 12;
constexpr size_t kChunkBytes = 8;
constexpr uint16_t kIntegers = 1;
constexpr uint16_t kFloats = 3;
constexpr uint16_t kExtensible = 0xfffe;  // the format stands further back

bool HasText(std::span<const uint8_t> bytes, size_t at, std::string_view text) {
  return bytes.size() >= at + text.size() &&
         std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

litert::Unexpected Bad(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "WAV: " + what);
}

// The chunk's content; empty if there is none. One that is cut off ends with the file.
std::span<const uint8_t> FindChunk(std::span<const uint8_t> bytes, std::string_view name) {
  for (size_t at = kRiffBytes; bytes.size() - std::min(at, bytes.size()) >= kChunkBytes;) {
    const size_t size = FieldAt<uint32_t>(bytes, at + 4);
    const size_t begin = at + kChunkBytes;
    if (HasText(bytes, at, name)) return bytes.subspan(begin, std::min(size, bytes.size() - begin));
    // Chunks of an odd size are followed by a byte that counts for nobody.
    at = begin + size + size % 2;
  }
  return {};
}

float IntegerSample(std::span<const uint8_t> bytes, size_t at, size_t width) {
  if (width == 1) return (static_cast<float>(bytes[at]) - 128) / 128;  // the only unsigned one
  // At the upper end of 32 bits, whatever the width: the sign is in its place, and one factor does
  // for all.
  uint32_t word = 0;
  for (size_t i = 0; i < width; ++i)
    word |= static_cast<uint32_t>(bytes[at + i]) << (8 * (4 - width + i));
  return static_cast<float>(static_cast<int32_t>(word)) * 0x1p-31f;
}

}  // namespace

std::vector<float> Audio::Mixed() const {
  std::vector<float> mixed(static_cast<size_t>(frames()));
  for (size_t i = 0; i < mixed.size(); ++i) {
    double sum = 0;
    for (int c = 0; c < channels; ++c)
      sum += samples[i * static_cast<size_t>(channels) + static_cast<size_t>(c)];
    mixed[i] = static_cast<float>(sum / channels);
  }
  return mixed;
}

bool LooksLikeWav(std::span<const uint8_t> bytes) {
  return HasText(bytes, 0, "RIFF") && HasText(bytes, 8, "WAVE");
}

litert::Expected<Audio> ParseWav(std::span<const uint8_t> bytes) {
  const std::span<const uint8_t> format = FindChunk(bytes, "fmt ");
  if (format.size() < 16) return Bad("has no format");
  auto kind = FieldAt<uint16_t>(format, 0);
  if (kind == kExtensible && format.size() >= 26) kind = FieldAt<uint16_t>(format, 24);
  const size_t bits = FieldAt<uint16_t>(format, 14);
  const bool known = (kind == kIntegers && (bits == 8 || bits == 16 || bits == 24 || bits == 32)) ||
                     (kind == kFloats && (bits == 32 || bits == 64));
  if (!known) {
    return Bad(
        fmt::format("expected integers of 8 to 32 bits or floats of 32 or 64 bits, found "
                    "format {} of {} bits",
                    kind, bits));
  }
  Audio audio{.channels = FieldAt<uint16_t>(format, 2),
              .rate_hz = static_cast<int>(FieldAt<uint32_t>(format, 4)),
              .are_floats = kind == kFloats,
              .samples = {}};
  if (audio.channels == 0) return Bad("has no channels");
  const std::span<const uint8_t> data = FindChunk(bytes, "data");
  const size_t width = bits / 8;
  const size_t frame_bytes = width * static_cast<size_t>(audio.channels);
  const size_t whole_bytes = data.size() / frame_bytes * frame_bytes;
  audio.samples.reserve(whole_bytes / width);
  for (size_t at = 0; at < whole_bytes; at += width) {
    if (kind == kIntegers) {
      audio.samples.push_back(IntegerSample(data, at, width));
    } else {
      audio.samples.push_back(width == 4 ? FieldAt<float>(data, at)
                                         : static_cast<float>(FieldAt<double>(data, at)));
    }
  }
  return audio;
}

}  // namespace npukit::tools
