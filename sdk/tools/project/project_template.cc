// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/project/project_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/verb_search.h"
#include "sdk/tools/command_line/whole_file.h"

namespace npukit::tools {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxNameLength = 64;

// Words that cannot be a namespace, or that the plugin's own code would meet.
constexpr std::array kTaken = {"alignas",
                               "alignof",
                               "and",
                               "asm",
                               "auto",
                               "bitand",
                               "bitor",
                               "bool",
                               "break",
                               "case",
                               "catch",
                               "char",
                               "class",
                               "compl",
                               "concept",
                               "const",
                               "constexpr",
                               "continue",
                               "decltype",
                               "default",
                               "delete",
                               "do",
                               "double",
                               "else",
                               "enum",
                               "explicit",
                               "export",
                               "extern",
                               "false",
                               "float",
                               "for",
                               "friend",
                               "goto",
                               "if",
                               "inline",
                               "int",
                               "litert",
                               "long",
                               "mutable",
                               "namespace",
                               "new",
                               "noexcept",
                               "not",
                               "npukit",
                               "nullptr",
                               "operator",
                               "or",
                               "private",
                               "protected",
                               "public",
                               "register",
                               "reinterpret_cast",
                               "requires",
                               "return",
                               "short",
                               "signed",
                               "sizeof",
                               "static",
                               "static_assert",
                               "std",
                               "struct",
                               "switch",
                               "template",
                               "this",
                               "thread_local",
                               "throw",
                               "true",
                               "try",
                               "typedef",
                               "typeid",
                               "typename",
                               "union",
                               "unsigned",
                               "using",
                               "virtual",
                               "void",
                               "volatile",
                               "while",
                               "xor"};

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
char Upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

litert::Unexpected BadName(std::string_view name, const std::string& why) {
  return litert::Unexpected(litert::Status::kErrorInvalidArgument,
                            "'" + std::string(name) + "' cannot be a project's name: " + why);
}

litert::Unexpected FileError(const std::string& what, const fs::path& path,
                             const std::error_code& error) {
  return litert::Unexpected(litert::Status::kErrorFileIO,
                            what + " " + path.string() + ": " + error.message());
}

std::string Magic(std::string_view lower) {
  // FNV-1a of 32 bits: projects of other names have other numbers, and one name always the same.
  uint32_t hash = 2166136261u;
  for (const char c : lower) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return fmt::format("{:08x}", hash);
}

litert::Expected<void> CopyFilled(const fs::path& from, const fs::path& to,
                                  const ProjectName& name) {
  LITERT_ASSIGN_OR_RETURN(const std::string text, ReadWholeText(from.string()));
  std::ofstream out(to, std::ios::binary);
  out << FillIn(text, name);
  out.close();
  if (!out) {
    return litert::Unexpected(litert::Status::kErrorFileIO,
                              "cannot copy " + from.string() + " to " + to.string());
  }
  std::error_code error;
  const fs::perms permissions = fs::status(from, error).permissions();
  if (!error) fs::permissions(to, permissions | fs::perms::owner_write, error);
  return {};
}

litert::Expected<std::vector<std::string>> CopyTree(const fs::path& from, const fs::path& to,
                                                    const ProjectName& name) {
  std::error_code error;
  std::vector<std::string> files;
  fs::recursive_directory_iterator it(from, error);
  if (error) return FileError("cannot read", from, error);
  fs::create_directories(to, error);
  if (error) return FileError("cannot create", to, error);
  for (const fs::directory_entry& entry : it) {
    const std::string relative =
        FillIn(entry.path().lexically_relative(from).generic_string(), name);
    if (entry.is_directory(error)) {
      fs::create_directories(to / relative, error);
      if (error) return FileError("cannot create", to / relative, error);
    } else {
      LITERT_RETURN_IF_ERROR(CopyFilled(entry.path(), to / relative, name));
      files.push_back(relative);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

litert::Expected<ProjectName> ParseProjectName(std::string_view name) {
  if (name.empty() || !IsLetter(name[0])) return BadName(name, "it must begin with a letter");
  if (name.size() > kMaxNameLength) return BadName(name, "it has more than 64 characters");
  ProjectName out;
  bool word_begins = true;
  for (const char c : name) {
    if (c != '_' && !IsLetter(c) && !IsDigit(c)) {
      return BadName(name, "letters, digits and '_' only");
    }
    out.lower += Lower(c);
    out.upper += Upper(c);
    if (c != '_') out.camel += word_begins ? Upper(c) : c;
    word_begins = c == '_';
  }
  if (name.find("__") != std::string_view::npos) return BadName(name, "it has '__'");
  if (std::find(kTaken.begin(), kTaken.end(), out.lower) != kTaken.end()) {
    return BadName(name, "the word is taken");
  }
  out.magic = Magic(out.lower);
  return out;
}

std::string FillIn(std::string_view text, const ProjectName& name) {
  const std::pair<std::string_view, const std::string&> placeholders[] = {{"@name@", name.lower},
                                                                          {"@Name@", name.camel},
                                                                          {"@NAME@", name.upper},
                                                                          {"@MAGIC@", name.magic}};
  std::string out;
  // In one pass: what a name brings in is not looked at again.
  while (!text.empty()) {
    const size_t at = std::min(text.find('@'), text.size());
    out += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) break;
    const auto* found =
        std::find_if(std::begin(placeholders), std::end(placeholders),
                     [&](const auto& placeholder) { return text.starts_with(placeholder.first); });
    if (found == std::end(placeholders)) {
      out += '@';
      text.remove_prefix(1);
    } else {
      out += found->second;
      text.remove_prefix(found->first.size());
    }
  }
  return out;
}

fs::path TemplateFolder() {
  const auto own = OwnFolder();
  return own ? own->parent_path() / "share" / "npukit" / "templates" : fs::path();
}

std::vector<std::string> TemplateNames(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error)) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

litert::Expected<std::vector<std::string>> WriteProject(
    const std::vector<fs::path>& template_folders, const fs::path& directory,
    const ProjectName& name) {
  std::error_code error;
  const bool is_there = fs::exists(directory, error);
  if (error) return FileError("cannot create", directory, error);
  if (is_there && !(fs::is_directory(directory, error) && fs::is_empty(directory, error))) {
    return litert::Unexpected(litert::Status::kErrorAlreadyExists,
                              directory.string() + " is already there, and nothing is overwritten");
  }
  // Beside the final place, so that moving it there is one step.
  const fs::path absolute = fs::absolute(directory, error).lexically_normal();
  if (error) return FileError("cannot create", directory, error);
  const fs::path final_path = absolute.has_filename() ? absolute : absolute.parent_path();
  const fs::path unfinished = final_path.string() + ".unfinished";
  fs::remove_all(unfinished, error);
  litert::Expected<std::vector<std::string>> files(std::vector<std::string>{});
  for (const fs::path& folder : template_folders) {
    auto copied = CopyTree(folder, unfinished, name);
    if (!copied) {
      files = std::move(copied);
      break;
    }
    files->insert(files->end(), copied->begin(), copied->end());
  }
  if (files) {
    std::sort(files->begin(), files->end());
    fs::remove(final_path, error);  // Empty, if it is there.
    fs::rename(unfinished, final_path, error);
    if (error) files = FileError("cannot create", final_path, error);
  }
  if (!files) fs::remove_all(unfinished, error);
  return files;
}

}  // namespace npukit::tools
