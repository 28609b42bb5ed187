// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/dispatch_search.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/linked_plugins.h"
#include "sdk/host/library/plugin_search.h"

namespace npukit {
namespace {

// Of libraries that LiteRT's variables bring (litert_linked_in.h).
constexpr std::string_view kVariables = "LiteRtStaticLinkedDispatch";

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace

int VendorLikeness(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return 0;
  const std::string lower_a = Lower(a);
  const std::string lower_b = Lower(b);
  if (lower_a == lower_b) return 2;
  return lower_a.starts_with(lower_b) || lower_b.starts_with(lower_a) ? 1 : 0;
}

std::string VendorOfDispatchFile(std::string_view path) {
  if (const std::string_view linked = LinkedName(path); !linked.empty()) {
    return std::string(linked);
  }
  constexpr std::string_view kPrefix = "libLiteRtDispatch";
  std::string stem = std::filesystem::path(path).stem().string();
  if (!stem.starts_with(kPrefix)) return {};
  stem.erase(0, kPrefix.size());
  while (stem.starts_with('_')) stem.erase(0, 1);
  return stem;
}

litert::Expected<std::vector<std::string>> RankDispatchLibraries(const std::string& plugin_dir,
                                                                 std::string_view manufacturers) {
  LITERT_ASSIGN_OR_RETURN(PluginFiles files, FindPlugins(plugin_dir));
  std::vector<std::string> paths = std::move(files.dispatch);
  if (paths.empty()) return NoneFound(plugin_dir, kNpukitStaticPluginDispatch);
  auto likeness = [&](const std::string& path) {
    // As in LiteRT, it serves whatever there is.
    if (LinkedName(path).starts_with(kVariables)) return std::numeric_limits<int>::max();
    int best = 0;
    for (std::string_view rest = manufacturers; !rest.empty();) {
      const size_t comma = rest.find(',');
      best = std::max(best, VendorLikeness(VendorOfDispatchFile(path), rest.substr(0, comma)));
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return best;
  };
  std::stable_sort(paths.begin(), paths.end(), [&](const std::string& a, const std::string& b) {
    return likeness(a) > likeness(b);
  });
  if (likeness(paths.front()) > 0) {
    paths.erase(std::find_if(paths.begin(), paths.end(),
                             [&](const std::string& path) { return likeness(path) == 0; }),
                paths.end());
  }
  return paths;
}

}  // namespace npukit
