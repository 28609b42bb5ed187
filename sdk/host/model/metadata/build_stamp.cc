// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/metadata/build_stamp.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace npukit {
namespace {

constexpr size_t kMaxCharacters = kBuildStampFieldBytes - 2;

litert::Expected<void> Store(const char* what, const std::string& text, std::vector<uint8_t>& bytes,
                             size_t offset) {
  if (text.size() > kMaxCharacters || text.find('\0') != std::string::npos) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("build stamp: expected a {} of at most {} characters "
                                          "without zeros, found {} characters",
                                          what, kMaxCharacters, text.size()));
  }
  std::copy(text.begin(), text.end(), bytes.begin() + static_cast<ptrdiff_t>(offset));
  return {};
}

std::string Fetch(std::span<const uint8_t> bytes, size_t offset) {
  if (offset >= bytes.size()) return {};
  bytes = bytes.subspan(offset, std::min(kBuildStampFieldBytes, bytes.size() - offset));
  return std::string(bytes.begin(), std::find(bytes.begin(), bytes.end(), 0));
}

}  // namespace

litert::Expected<void> SetBuildStamp(Model& model, const BuildStamp& stamp) {
  std::vector<uint8_t> bytes(2 * kBuildStampFieldBytes);
  if (auto ok = Store("manufacturer", stamp.soc_manufacturer, bytes, 0); !ok) return ok;
  if (auto ok = Store("model", stamp.soc_model, bytes, kBuildStampFieldBytes); !ok) return ok;
  model.SetMetadata(kBuildStampMetadata, SharedBytes::Take(std::move(bytes)));
  return {};
}

litert::Expected<void> AddToBuildStamp(Model& model, const std::string& manufacturer,
                                       const std::string& soc_model) {
  const auto joined = [](const std::string& before, const std::string& now) {
    if (before.empty() || before == now) return now;
    return now.empty() ? before : before + "," + now;
  };
  BuildStamp stamp = GetBuildStamp(model).value_or(BuildStamp());
  stamp.soc_manufacturer = joined(stamp.soc_manufacturer, manufacturer);
  stamp.soc_model = joined(stamp.soc_model, soc_model);
  return SetBuildStamp(model, stamp);
}

std::optional<BuildStamp> GetBuildStamp(const Model& model) {
  const Model::Metadata* entry = model.FindMetadata(kBuildStampMetadata);
  if (entry == nullptr) return std::nullopt;
  const std::span<const uint8_t> bytes = model.buffers().Get(entry->buffer).bytes;
  return BuildStamp{.soc_manufacturer = Fetch(bytes, 0),
                    .soc_model = Fetch(bytes, kBuildStampFieldBytes)};
}

}  // namespace npukit
