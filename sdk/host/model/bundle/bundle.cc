// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/bundle/bundle.h"

#include <fmt/format.h>

#include <algorithm>

namespace npukit {

const BundleSection* Bundle::Find(std::string_view name) const {
  const auto found =
      std::find_if(sections.begin(), sections.end(),
                   [&](const BundleSection& section) { return section.name == name; });
  return found == sections.end() ? nullptr : &*found;
}

bool LooksLikeBundle(std::span<const uint8_t> bytes) {
  return LooksLikeLitertLm(bytes) || LooksLikeZip(bytes);
}

litert::Expected<Bundle> ParseBundle(SharedBytes file, std::string_view origin) {
  auto bundle =
      LooksLikeLitertLm(file.bytes) ? ParseLitertLm(std::move(file)) : ParseTask(std::move(file));
  if (!bundle) {
    return litert::Unexpected(bundle.Error().Status(),
                              fmt::format("{}: {}", origin, bundle.Error().Message()));
  }
  // Names are how sections are asked for.
  for (size_t i = 0; i < bundle->sections.size(); ++i) {
    BundleSection& section = bundle->sections[i];
    const std::string name = section.name;
    const auto is_taken = [&](const std::string& wanted) {
      return std::any_of(bundle->sections.begin(),
                         bundle->sections.begin() + static_cast<std::ptrdiff_t>(i),
                         [&](const BundleSection& other) { return other.name == wanted; });
    };
    for (int again = 2; is_taken(section.name); ++again)
      section.name = fmt::format("{}_{}", name, again);
  }
  return bundle;
}

litert::Expected<void> WriteBundle(const Bundle& bundle, std::span<const SharedBytes> contents,
                                   const std::string& path) {
  if (contents.size() != bundle.sections.size()) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("a bundle of {} sections needs as many contents, not {}",
                                          bundle.sections.size(), contents.size()));
  }
  return bundle.format == BundleFormat::kLitertLm ? WriteLitertLm(bundle, contents, path)
                                                  : WriteTask(bundle, contents, path);
}

}  // namespace npukit
