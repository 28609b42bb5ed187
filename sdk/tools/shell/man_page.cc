// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/shell/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace npukit::tools {
namespace {

constexpr std::string_view kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n\\fB0\\fR\ndone, or conformant\n"
    ".TP\n\\fB1\\fR\nfailed, or not conformant\n"
    ".TP\n\\fB2\\fR\nwrong usage\n"
    ".TP\n\\fB3\\fR\na model or plugin could not be loaded\n";

// Below the list of pages.
constexpr std::string_view kTopics =
    ".PP\n\\fBnpukit help topics\\fR lists the pages of the documentation, \\fBnpukit help "
    "\\fITOPIC\\fR prints one.\n";

// What man(7) would take for its own: backslashes, hyphens (an option is to be copied as it stands),
// and lines that begin with a dot or an apostrophe.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    const bool at_line_start = escaped.empty() || escaped.back() == '\n';
    if (at_line_start && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string PageName(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string Header(const std::string& name, std::string_view help, std::string_view version) {
  std::string upper = PageName(name);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return fmt::format(".TH {} 1 \"\" \"npukit {}\" \"npukit\"\n.SH NAME\n{} \\- {}\n",
                     Escaped(upper), Escaped(version), Escaped(PageName(name)), Escaped(help));
}

void AddArgument(const ArgumentFacts& argument, std::string& page) {
  std::string names;
  for (const std::string& name : argument.names) {
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", Escaped(name));
  }
  const char* value = argument.takes_value && !argument.positional ? " \\fIVALUE\\fR" : "";
  page += fmt::format(".TP\n{}{}\n{}", names, value, Escaped(argument.help));
  auto out = std::back_inserter(page);
  if (!argument.choices.empty()) {
    fmt::format_to(out, " (one of {})",
                   Escaped(fmt::format("{}", fmt::join(argument.choices, ", "))));
  }
  if (!argument.default_value.empty()) {
    fmt::format_to(out, " (default: {})", Escaped(argument.default_value));
  }
  page += '\n';
}

std::string Synopsis(const VerbFacts& verb) {
  std::string synopsis = fmt::format("\\fB{}\\fR", Escaped(verb.name));
  auto out = std::back_inserter(synopsis);
  if (!verb.verbs.empty()) synopsis += " [\\fIVERB\\fR]";
  for (const ArgumentFacts& argument : verb.arguments) {
    if (!argument.positional) continue;
    const std::string name = fmt::format("\\fI{}\\fR", Escaped(argument.names.front()));
    fmt::format_to(out, " {}", argument.required ? name : "[" + name + "]");
  }
  return synopsis + " [\\fIOPTIONS\\fR]\n";
}

void AddArguments(const VerbFacts& verb, std::string& page) {
  for (const ArgumentFacts& argument : verb.arguments) AddArgument(argument, page);
}

}  // namespace

std::string VerbManPage(const VerbFacts& verb, std::string_view version) {
  std::string page = Header(verb.name, verb.help, version);
  page += ".SH SYNOPSIS\n" + Synopsis(verb) + ".SH OPTIONS\n";
  AddArguments(verb, page);
  for (const VerbFacts& below : verb.verbs) {
    page += fmt::format(".SH {}\n{}\n.PP\n{}", Escaped(below.name), Escaped(below.help),
                        Synopsis(below));
    AddArguments(below, page);
  }
  page += kExitStatus;
  return fmt::format("{}.SH SEE ALSO\n.BR npukit (1)\n{}", page, kTopics);
}

std::string FrontManPage(const std::vector<VerbFacts>& verbs, std::string_view version) {
  std::string page = Header("npukit", "build, run and certify NPU plugins for LiteRT", version);
  page +=
      ".SH SYNOPSIS\n\\fBnpukit\\fR \\fIVERB\\fR [\\fIARGUMENTS\\fR]\n.PP\n"
      "\\fBnpukit help\\fR [\\fIVERB\\fR | \\fITOPIC\\fR]\n.SH VERBS\n";
  std::string see_also;
  for (const VerbFacts& verb : verbs) {
    page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", Escaped(verb.name), Escaped(verb.help));
    see_also +=
        fmt::format("{}.BR {} (1)", see_also.empty() ? "" : ",\n", Escaped(PageName(verb.name)));
  }
  page += kExitStatus;
  return fmt::format("{}.SH SEE ALSO\n{}\n{}", page, see_also, kTopics);
}

}  // namespace npukit::tools
