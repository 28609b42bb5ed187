// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tests/docs/page.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <utility>

namespace npukit::docs {
namespace {

namespace fs = std::filesystem;

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// REASON of <!-- KEY: REASON -->; empty if the line is none.
std::string Marker(std::string_view line, std::string_view key) {
  line = Trimmed(line);
  const std::string begin = "<!-- " + std::string(key) + ": ";
  constexpr std::string_view kEnd = " -->";
  if (!line.starts_with(begin) || !line.ends_with(kEnd)) return {};
  line.remove_prefix(begin.size());
  line.remove_suffix(kEnd.size());
  return std::string(line);
}

void ReadSpans(const Line& line, Page& page) {
  static const std::regex kCode("`([^`]+)`");
  static const std::regex kLink(R"(\]\(([^)\s]+)\))");
  const std::sregex_iterator end;
  for (std::sregex_iterator it(line.text.begin(), line.text.end(), kCode); it != end; ++it)
    page.code_spans.push_back({line.number, (*it)[1]});
  for (std::sregex_iterator it(line.text.begin(), line.text.end(), kLink); it != end; ++it)
    page.links.push_back((*it)[1]);
}

bool IsCpp(const fs::path& name) {
  const std::string ending = name.extension();
  return ending == ".h" || ending == ".cc" || ending == ".c" || ending == ".def" ||
         ending == ".inc";
}

// Where a comment begins in a line of code, past string and character literals.
size_t CommentBegin(std::string_view line, std::string_view mark) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quote != 0) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == quote) {
        quote = 0;
      }
    } else if (line[i] == '"') {
      quote = line[i];
    } else if (line.substr(i).starts_with(mark)) {
      return i + mark.size();
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::vector<Line> Lines(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back({lines.size() + 1, std::string(text.substr(0, end))});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Page ParsePage(std::string_view text) {
  Page page;
  bool in_fence = false;
  std::string why_not_run;
  for (Line& line : Lines(text)) {
    const std::string_view trimmed = Trimmed(line.text);
    if (trimmed.starts_with("```")) {
      if (!in_fence) {
        page.fences.push_back({.number = line.number,
                               .language = std::string(trimmed.substr(3)),
                               .why_not_run = std::exchange(why_not_run, {}),
                               .lines = {}});
      }
      in_fence = !in_fence;
      continue;
    }
    if (in_fence) {
      page.fences.back().lines.push_back(std::move(line));
      continue;
    }
    why_not_run = Marker(line.text, "not run");
    if (std::string command = Marker(line.text, "setup"); !command.empty())
      page.setup.push_back(std::move(command));
    ReadSpans(line, page);
    page.prose.push_back(std::move(line));
  }
  return page;
}

std::vector<Line> Comments(const fs::path& name, std::string_view text) {
  const std::string_view mark = IsCpp(name) ? "//" : "#";
  std::vector<Line> comments;
  bool in_block = false;  // of /* */
  for (const Line& line : Lines(text)) {
    if (IsCpp(name) && (in_block || Trimmed(line.text).starts_with("/*"))) {
      in_block = line.text.find("*/") == std::string::npos;
      comments.push_back(line);
      continue;
    }
    const size_t begin = CommentBegin(line.text, mark);
    if (begin != std::string_view::npos) comments.push_back({line.number, line.text.substr(begin)});
  }
  return comments;
}

std::string ReadText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> TreeFiles(const fs::path& root) {
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator it(root), end; it != end; ++it) {
    const std::string name = it->path().filename();
    const bool hidden = name.starts_with(".") && name != ".ci";
    if (it->is_directory() && (hidden || (it.depth() == 0 && name.starts_with("build")))) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file()) {
      files.push_back(it->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace npukit::docs
