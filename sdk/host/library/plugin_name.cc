// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/plugin_name.h"

#include <algorithm>
#include <cctype>

#include "sdk/host/library/linked_plugins.h"

namespace npukit {
namespace {

// What follows the prefix that every plugin's file name has; the name of one that is linked in.
std::string_view NameInPath(std::string_view path) {
  if (const std::string_view linked = LinkedName(path); !linked.empty()) return linked;
  constexpr std::string_view kPrefix = "libLiteRtCompilerPlugin_";
  constexpr std::string_view kExtension = ".so";
  path.remove_prefix(path.find_last_of('/') + 1);
  if (!path.starts_with(kPrefix) || !path.ends_with(kExtension)) return {};
  return path.substr(kPrefix.size(), path.size() - kPrefix.size() - kExtension.size());
}

}  // namespace

bool IsSameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

bool MeansPlugin(std::string_view manufacturer, std::string_view path, std::string_view name) {
  if (name.empty()) return false;
  return IsSameName(manufacturer, name) || IsSameName(NameInPath(path), name);
}

}  // namespace npukit
