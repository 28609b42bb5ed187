// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/bundle/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace npukit {
namespace {

// Names are how sections are asked for: those that are taken get a number behind them, the least that
// is free.
void NumberNames(std::vector<BundleSection>& sections) {
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string, size_t> next;  // lower ones are taken
  for (BundleSection& section : sections) {
    const std::string name = section.name;
    while (!taken.insert(section.name).second)
      section.name = fmt::format("{}_{}", name, next.try_emplace(name, 2).first->second++);
  }
}

}  // namespace

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
  NumberNames(bundle->sections);
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
