// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/project/upstream/build_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace npukit::tools {
namespace {

struct Entry {
  std::string_view header;
  std::string_view label;
  bool is_file;
};

constexpr Entry kEntries[] = {
#define LABEL(header, label) {header, label, false},
#define FILE_LABEL(header, label) {header, label, true},
#include "sdk/tools/project/upstream/litert_labels.def"
};

// abseil's packages whose headers are targets of their own; the others are targets named after the
// folder.
constexpr std::string_view kSingleHeaderTargets[] = {
    "absl/strings/string_view.h", "absl/strings/str_format.h", "absl/types/span.h"};

std::string_view Folder(std::string_view path) { return path.substr(0, path.rfind('/')); }
std::string_view Stem(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return path.substr(0, path.rfind('.'));
}

std::string AbseilLabel(std::string_view header) {
  const std::string_view folder = Folder(header);
  const bool is_single = std::find(std::begin(kSingleHeaderTargets), std::end(kSingleHeaderTargets),
                                   header) != std::end(kSingleHeaderTargets);
  if (is_single || folder == "absl/container" || folder == "absl/base") {
    return fmt::format("@com_google_absl//{}:{}", folder, Stem(header));
  }
  return fmt::format("@com_google_absl//{}", folder);
}

// Within this package, in another one, in another repository.
int Rank(const std::string& label) { return label[0] == ':' ? 0 : label[0] == '/' ? 1 : 2; }

std::string ListText(const std::vector<std::string>& values) {
  if (values.size() == 1) return fmt::format("[\"{}\"]", values[0]);
  std::string text = "[\n";
  for (const std::string& value : values) text += fmt::format("        \"{}\",\n", value);
  return text + "    ]";
}

}  // namespace

std::optional<HeaderLabel> LabelOfHeader(std::string_view header) {
  for (const Entry& entry : kEntries) {
    if (entry.header == header) return HeaderLabel{std::string(entry.label), entry.is_file};
  }
  if (header.starts_with("absl/")) return HeaderLabel{AbseilLabel(header)};
  if (header == "litert/build_common/build_config.h") {
    return HeaderLabel{"//litert/build_common:build_config"};
  }
  for (const std::string_view folder :
       {"litert/c", "litert/c/internal", "litert/c/options", "litert/vendors/c"}) {
    if (Folder(header) == folder && header.ends_with(".h")) {
      return HeaderLabel{fmt::format("//{}:{}", folder, Stem(header))};
    }
  }
  return std::nullopt;
}

BuildRule& BuildRule::Text(std::string_view attribute, std::string_view value) {
  return Raw(attribute, fmt::format("\"{}\"", value));
}

BuildRule& BuildRule::List(std::string_view attribute, const std::vector<std::string>& values) {
  return values.empty() ? *this : Raw(attribute, ListText(values));
}

BuildRule& BuildRule::Labels(std::string_view attribute, const std::set<std::string>& labels) {
  std::vector<std::string> sorted(labels.begin(), labels.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const std::string& a, const std::string& b) { return Rank(a) < Rank(b); });
  return List(attribute, sorted);
}

BuildRule& BuildRule::Raw(std::string_view attribute, std::string_view value) {
  attributes_.emplace_back(attribute, value);
  return *this;
}

std::string BuildRule::Write() const {
  std::string text = fmt::format("\n{}(\n", rule_);
  for (const auto& [attribute, value] : attributes_) {
    text += fmt::format("    {} = {},\n", attribute, value);
  }
  return text + ")\n";
}

std::string LoadLine(std::string_view file, const std::vector<std::string>& symbols) {
  std::string text = fmt::format("load(\"{}\"", file);
  for (const std::string& symbol : symbols) text += fmt::format(", \"{}\"", symbol);
  return text + ")\n";
}

}  // namespace npukit::tools
