// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Builds compile several sources as one, where a source that forgets an #include has it from
// another; it breaks in builds of every source by itself (./dev build debug), which take too long
// for every change. Here it is found in the text: a function called that a header of the same
// target declares, or one of LiteRT's C API, with no header among those included that names it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/docs/page.h"
#include "tests/source_tree.h"

namespace npukit {
namespace {

namespace fs = std::filesystem;

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Names = std::set<std::string, std::less<>>;

constexpr char kCApi[] = "sdk/include/litert/c";

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// As functions are named here: Upper camel case, which macros are not.
bool IsFunctionName(std::string_view word) {
  return std::isupper(static_cast<unsigned char>(word[0])) != 0 &&
         std::any_of(word.begin(), word.end(),
                     [](unsigned char c) { return std::islower(c) != 0; });
}

size_t EndOf(std::string_view text, size_t begin, std::string_view end) {
  const size_t found = text.find(end, begin);
  return found == std::string_view::npos ? text.size() : found + end.size();
}

// The end of what begins at `at` and is not code; `at` itself for code.
size_t EndOfAside(std::string_view text, size_t at) {
  if (text.substr(at).starts_with("//")) return EndOf(text, at, "\n") - 1;
  if (text.substr(at).starts_with("/*")) return EndOf(text, at, "*/");
  if (text.substr(at).starts_with("#include")) return EndOf(text, at, "\n") - 1;
  if (text.substr(at).starts_with("R\"")) {
    const size_t open = EndOf(text, at, "(");
    return EndOf(text, open, ")" + std::string(text.substr(at + 2, open - at - 3)) + "\"");
  }
  // 1'000 has no character literal.
  if (text[at] != '"' && (text[at] != '\'' || (at > 0 && IsWord(text[at - 1])))) return at;
  size_t end = at + 1;
  while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
  return end + 1;
}

std::string CodeOf(std::string_view text) {
  std::string code;
  for (size_t at = 0; at < text.size();) {
    const size_t end = EndOfAside(text, at);
    if (end == at) code += text[at];
    at = std::max(at + 1, end);
  }
  return code;
}

// Functions in a file's text, by how they stand there.
struct Functions {
  Names mentioned;  // all
  Names declared;   // after a type, members too; and classes
  Names free;       // of those, the ones whose declarations begin in the first column
  Names called;     // without an object or a class
};

// Whether what stands before a name, in its line, is its type: the word or sign before it belongs to one.
bool EndsWithType(std::string_view before) {
  static const Names kNoTypes = {"return", "else", "case", "throw", "new", "co_return"};
  const size_t last = before.find_last_not_of(' ');
  if (last == std::string_view::npos) return false;
  if (!IsWord(before[last]))
    return std::string_view(">*&").find(before[last]) != std::string_view::npos && last > 0 &&
           (IsWord(before[last - 1]) || before[last - 1] == '>');
  size_t begin = last;
  while (begin > 0 && IsWord(before[begin - 1])) --begin;
  return !kNoTypes.contains(before.substr(begin, last + 1 - begin));
}

// Without the namespaces that a name is qualified with; classes begin with a capital.
std::string_view WithoutNamespaces(std::string_view before) {
  while (before.ends_with("::")) {
    size_t begin = before.size() - 2;
    while (begin > 0 && IsWord(before[begin - 1])) --begin;
    if (std::islower(static_cast<unsigned char>(before[begin])) == 0) break;
    before = before.substr(0, begin);
  }
  return before;
}

// Classes, whose constructors look like calls.
Names ClassesIn(std::string_view code) {
  Names classes;
  for (const std::string_view kind : {"class ", "struct "}) {
    for (size_t at = code.find(kind); at != std::string_view::npos; at = code.find(kind, at + 1)) {
      const size_t begin = at + kind.size();
      size_t end = begin;
      while (end < code.size() && IsWord(code[end])) ++end;
      classes.emplace(code.substr(begin, end - begin));
    }
  }
  return classes;
}

Functions ReadFunctions(std::string_view text) {
  const std::string code = CodeOf(text);
  Functions functions{.declared = ClassesIn(code)};
  size_t line = 0;
  for (size_t at = 0; at < code.size(); ++at) {
    if (code[at] == '\n') line = at + 1;
    if (code[at] != '(') continue;
    size_t begin = at;
    while (begin > line && IsWord(code[begin - 1])) --begin;
    const std::string_view name = std::string_view(code).substr(begin, at - begin);
    if (name.empty() || !IsFunctionName(name)) continue;
    functions.mentioned.emplace(name);
    const std::string_view before =
        WithoutNamespaces(std::string_view(code).substr(line, begin - line));
    const bool member = before.ends_with('.') || before.ends_with("->") || before.ends_with("::") ||
                        before.ends_with('~');
    if (member) continue;
    if (!EndsWithType(before)) {
      functions.called.emplace(name);
      continue;
    }
    functions.declared.emplace(name);
    if (IsWord(before[0]) && before.find('(') == std::string_view::npos)
      functions.free.emplace(name);
  }
  return functions;
}

class Tree {
 public:
  explicit Tree(std::vector<SourceFile> files) : files_(std::move(files)) {
    for (const SourceFile& file : files_) {
      const Functions& functions =
          functions_.emplace(file.path, ReadFunctions(docs::ReadText(Root() / file.path)))
              .first->second;
      includes_[file.path] = &file.includes;
      if (!file.path.ends_with(".h")) continue;
      for (const std::string& name : functions.free) homes_[TargetOf(file.path)][name] = file.path;
    }
  }

  // "file calls Name of header", for what no included header names.
  std::vector<std::string> Forgotten() const {
    std::vector<std::string> forgotten;
    for (const SourceFile& file : files_) {
      if (!file.path.ends_with(".cc") || IsUnder(file.path, "templates")) continue;
      const std::string target = TargetOf(file.path);
      const Functions& functions = functions_.at(file.path);
      const Names included = Included(file.path);
      const auto is_named = [&](const std::string& name) {
        return functions.declared.contains(name) ||
               std::any_of(included.begin(), included.end(), [&](const std::string& path) {
                 return functions_.at(path).mentioned.contains(name);
               });
      };
      for (const std::string& name : functions.called) {
        const std::string home = HomeOf(name, target);
        if (!home.empty() && !is_named(name))
          forgotten.push_back(file.path + " calls " + name + " of " + home);
      }
    }
    return forgotten;
  }

 private:
  static fs::path Root() { return NPUKIT_SOURCE_DIR; }

  // The header that declares it for sources of that target; empty if none does.
  std::string HomeOf(const std::string& name, const std::string& target) const {
    for (const std::string& folder : {target, std::string(kCApi)}) {
      const auto homes = homes_.find(folder);
      if (homes == homes_.end()) continue;
      const auto home = homes->second.find(name);
      if (home != homes->second.end()) return home->second;
    }
    return {};
  }

  // The nearest folder above with a description, in which its target lies.
  static std::string TargetOf(const fs::path& path) {
    if (IsUnder(path.string(), kCApi)) return kCApi;
    fs::path folder = path.parent_path();
    while (!folder.empty() && !fs::exists(Root() / folder / "CMakeLists.txt"))
      folder = folder.parent_path();
    return folder;
  }

  // Files of the tree that it includes, and those include.
  Names Included(const std::string& path) const {
    Names known;
    std::vector<std::string> left = {path};
    while (!left.empty()) {
      const std::string next = left.back();
      left.pop_back();
      for (const Include& include : *includes_.at(next)) {
        for (const std::string& target : PathsOf(include)) {
          if (includes_.contains(target) && known.insert(target).second) left.push_back(target);
        }
      }
    }
    return known;
  }

  std::vector<SourceFile> files_;
  std::map<std::string, Functions, std::less<>> functions_;
  std::map<std::string, const std::vector<Include>*, std::less<>> includes_;
  std::map<std::string, std::map<std::string, std::string>> homes_;  // target to function to header
};

TEST(IncludedNames, AreReadFromTheText) {
  const Functions functions = ReadFunctions(
      "#include <Quoted(x)>\n"
      "// Commented(x)\n"
      "Shape Join(const Shape& a);\n"
      "litert::Expected<int> ns::Far(int a) {\n"
      "  Type& Member(int);\n"
      "  struct Local { Local(); };\n"
      "  return Called(\"Text(x)\") + kernels::Qualified(1) * object.Method(Class::Static(2));\n"
      "  MACRO(Inner(c == '\"' ? 1'000 : 2));\n"
      "}\n");
  EXPECT_THAT(functions.free, UnorderedElementsAre("Join", "Far"));
  EXPECT_THAT(functions.declared, UnorderedElementsAre("Join", "Far", "Member", "Local"));
  EXPECT_THAT(functions.called, UnorderedElementsAre("Called", "Qualified", "Inner", "Local"));
  EXPECT_THAT(functions.mentioned, UnorderedElementsAre("Join", "Far", "Member", "Local", "Called",
                                                        "Qualified", "Method", "Static", "Inner"));
}

TEST(IncludedNames, EverySourceIncludesTheHeadersOfWhatItCalls) {
  EXPECT_THAT(Tree(ReadSourceTree()).Forgotten(), IsEmpty());
}

}  // namespace
}  // namespace npukit
