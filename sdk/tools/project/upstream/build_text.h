// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Text of a BUILD file, and which label of LiteRT's tree has a header.

#ifndef NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_BUILD_TEXT_H_
#define NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_BUILD_TEXT_H_

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace npukit::tools {

// Where a header of LiteRT's or abseil's comes from.
struct HeaderLabel {
  std::string label;
  bool is_file = false;  // belongs in `hdrs`, not in `deps`
};
// Nothing for a header that neither has.
std::optional<HeaderLabel> LabelOfHeader(std::string_view header);

// A rule as Bazel reads it; attributes come out in the order in which they were added.
class BuildRule {
 public:
  explicit BuildRule(std::string_view rule) : rule_(rule) {}

  BuildRule& Text(std::string_view attribute, std::string_view value);
  // Left out if it is empty.
  BuildRule& List(std::string_view attribute, const std::vector<std::string>& values);
  // Sorted: those of this package, then other packages, then other repositories.
  BuildRule& Labels(std::string_view attribute, const std::set<std::string>& labels);
  // The value as it stands: True, glob([...]), select({...}).
  BuildRule& Raw(std::string_view attribute, std::string_view value);

  std::string Write() const;

 private:
  std::string rule_;
  std::vector<std::pair<std::string, std::string>> attributes_;
};

// load() of the symbols that stand in one .bzl file.
std::string LoadLine(std::string_view file, const std::vector<std::string>& symbols);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_PROJECT_UPSTREAM_BUILD_TEXT_H_
