// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/project/upstream/registration.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "sdk/tools/command_line/whole_file.h"

namespace npukit::tools {
namespace {

enum class Where { kBefore, kAfter, kWithin };

struct Entry {
  std::string_view file;
  std::string_view what;
  Where where;
  std::string_view anchor;
  std::string_view text;
};

constexpr Entry kEntries[] = {
#define REGISTRATION(file, what, where, anchor, text) {file, what, Where::where, anchor, text},
#include "sdk/tools/project/upstream/registration.def"
};

std::string_view WhereText(Where where) {
  switch (where) {
    case Where::kBefore:
      return "before the line with";
    case Where::kAfter:
      return "after the first line with";
    case Where::kWithin:
      break;
  }
  return "in place of";
}

// Text to be found and put where it belongs; false if the place is not there.
bool Insert(const Entry& entry, const std::string& text, std::string& file) {
  // Registered before: a second call changes nothing.
  if (file.find(text) != std::string::npos) return true;
  const size_t at = file.find(entry.anchor);
  if (at == std::string::npos) return false;
  if (entry.where == Where::kWithin) {
    file.replace(at, entry.anchor.size(), text);
    return true;
  }
  const size_t begin = file.rfind('\n', at) + 1;  // npos + 1 is 0
  if (entry.where == Where::kBefore) {
    file.insert(begin, text + "\n");
    return true;
  }
  const size_t end = file.find('\n', at);
  if (end == std::string::npos) {
    file += "\n" + text;
  } else {
    file.insert(end + 1, text + "\n");
  }
  return true;
}

}  // namespace

std::string RegistrationPage(const ProjectName& name) {
  std::string page = FillIn(
      "# What to add to LiteRT's files\n\n`npukit new @name@ --upstream --litert CHECKOUT` does "
      "it. By hand:\n",
      name);
  for (const Entry& entry : kEntries) {
    page += fmt::format("\n## {}: {}\n\n{} `{}`:\n\n```\n{}\n```\n", entry.file, entry.what,
                        WhereText(entry.where), entry.anchor, FillIn(entry.text, name));
  }
  return page;
}

Registered RegisterIn(const std::filesystem::path& checkout, const ProjectName& name) {
  Registered out;
  for (const Entry& entry : kEntries) {
    const std::string path(entry.file);
    if (!out.files.contains(path)) {
      auto text = ReadWholeText((checkout / path).string());
      if (!text) {
        out.missing.push_back(fmt::format("{}, for the {}", text.Error().Message(), entry.what));
        continue;
      }
      out.files[path] = std::move(*text);
    }
    if (!Insert(entry, FillIn(entry.text, name), out.files[path])) {
      out.missing.push_back(
          fmt::format("{}: no '{}', where the {} would go", path, entry.anchor, entry.what));
    }
  }
  return out;
}

}  // namespace npukit::tools
