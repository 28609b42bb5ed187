// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <type_traits>
#include <utility>

#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/command_line/progress.h"
#include "sdk/tools/command_line/terminal.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/command_line/verb_facts.h"
#include "sdk/tools/command_line/verb_search.h"
#include "sdk/tools/command_line/version.h"

namespace npukit::tools {
namespace {

// The program's only CommandLine names it; Fail prints it.
std::string& ToolName() {
  static std::string name = "npukit";
  return name;
}

// "TEXT:{greedy,exhaustive}", CLI11's name of a type, has the values of OneOf between braces.
std::vector<std::string> ChoicesOf(const std::string& type_name) {
  std::vector<std::string> choices;
  const size_t begin = type_name.find('{');
  const size_t end = type_name.find('}', begin);
  if (begin == std::string::npos || end == std::string::npos) return choices;
  std::istringstream list(type_name.substr(begin + 1, end - begin - 1));
  for (std::string choice; std::getline(list, choice, ',');) choices.push_back(choice);
  return choices;
}

ArgumentFacts FactsOf(const CLI::Option& option) {
  ArgumentFacts facts{
      .positional = option.get_positional(),
      .takes_value = option.get_items_expected_max() > 0,
      .required = option.get_required(),
      .help = option.get_description(),
      .default_value = option.get_default_str(),
      .choices = ChoicesOf(option.get_type_name()),
      .takes_many = option.get_items_expected_max() > 1 && option.get_allow_extra_args()};
  if (facts.positional) facts.names.push_back(option.get_single_name());
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  return facts;
}

// CLI11 leaves long descriptions on one line.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    return WrappedBeside(option->get_description());
  }
  std::string make_subcommand(const CLI::App* verb) const override {
    return NamedText(verb->get_name(), WrappedBeside(verb->get_description()));
  }
  std::string make_description(const CLI::App* app) const override {
    return Wrapped(CLI::Formatter::make_description(app), columns_);
  }
  std::string make_footer(const CLI::App* app) const override {
    return Wrapped(CLI::Formatter::make_footer(app), columns_);
  }

 private:
  // Beside the names, but not in a column too narrow to read.
  std::string WrappedBeside(const std::string& text) const {
    return Wrapped(text, std::max(kLeastColumns, columns_ - static_cast<int>(column_width_)));
  }

  // A name and, in the column of all texts, what it stands for.
  std::string NamedText(const std::string& name, const std::string& text) const {
    std::string line = fmt::format("  {:<{}}", name, column_width_ - 2);
    if (line.size() > column_width_) line += "\n" + std::string(column_width_, ' ');
    for (const char c : text) {
      line += c;
      if (c == '\n') line += std::string(column_width_, ' ');
    }
    return line + "\n";
  }

  static constexpr int kLeastColumns = 20;
  int columns_ = ColumnsOf(stdout);
};

// The verb below verbs that the words led to.
const CLI::App& Chosen(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : Chosen(*chosen.front());
}

// "npukit conform merge".
std::string PathOf(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name()
                                     : PathOf(*app.get_parent()) + " " + app.get_name();
}

// CLI11 says of an option that nobody knows only that something else is missing, if something is.
std::string WhatIsWrong(const CLI::App& app, const CLI::ParseError& error) {
  for (const std::string& word : app.remaining(/*recurse=*/true)) {
    if (word.size() < 2 || word[0] != '-' || word == "--") continue;
    const std::string name = word.substr(0, word.find('='));
    std::set<std::string> names;
    for (const CLI::Option* option : Chosen(app).get_options()) {
      for (const std::string& known : option->get_lnames()) names.insert("--" + known);
    }
    const std::string nearest = name.starts_with("--") ? NearestName(name, names) : std::string();
    return fmt::format("there is no option '{}'{}", name,
                       nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
  }
  return error.what();
}

void Tell(Colour colour, std::string_view message) {
  // In the order in which it was said, where both go to one place; and not over a line of progress.
  std::fflush(stdout);
  Progress::MakeRoom(stderr);
  fmt::print(stderr, "{} {}\n", Coloured(stderr, colour, ToolName() + ":"), message);
}

template <typename T>
struct WithoutOptional {
  using Type = T;
};
template <typename T>
struct WithoutOptional<std::optional<T>> {
  using Type = T;
};

// CLI11 reads -1 as the largest number.
std::string WhyNotWhole(const std::string& text) {
  const bool is_whole = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return is_whole ? "" : "expected a whole number from 0 on, found '" + text + "'";
}

}  // namespace

Argument Argument::Required() {
  option_->required();
  return *this;
}

Argument Argument::ShowDefault() {
  option_->capture_default_str();
  return *this;
}

Argument Argument::OneValueEach() {
  option_->allow_extra_args(false);
  return *this;
}

Argument Argument::Between(int low, int high) {
  option_->check(CLI::Range(low, high));
  return *this;
}

Argument Argument::Positive() {
  // CLI::PositiveNumber's message has the largest double in all its digits.
  option_->check(CLI::Validator(
      [](const std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return end == text.c_str() + text.size() && value > 0
                   ? std::string()
                   : "expected a number above 0, found '" + text + "'";
      },
      "POSITIVE"));
  return *this;
}

Argument Argument::NotNegative() {
  option_->check(CLI::Validator(
      [](const std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return end == text.c_str() + text.size() && value >= 0
                   ? std::string()
                   : "expected a number of at least 0, found '" + text + "'";
      },
      ""));
  return *this;
}

Argument Argument::OneOf(std::vector<std::string> values) {
  option_->check(CLI::IsMember(std::move(values)));
  return *this;
}

Argument Argument::Needs(Argument other) {
  option_->needs(other.option_);
  return *this;
}

Argument Argument::Excludes(const std::string& name) {
  option_->excludes(name);
  return *this;
}

CommandLine::CommandLine(std::string tool, std::string description)
    : app_(std::make_unique<CLI::App>(std::move(description), tool)) {
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->set_version_flag("--version", fmt::format("{} {}", tool, Version()));
  ToolName() = std::move(tool);
}

CommandLine::CommandLine(std::shared_ptr<CLI::App> app) : app_(std::move(app)) {}

CommandLine::~CommandLine() = default;

template <typename T>
Argument CommandLine::Add(const std::string& names, T& value, const std::string& help) {
  CLI::Option* option = app_->add_option(names, value, help);
  if constexpr (std::is_unsigned_v<typename WithoutOptional<T>::Type>)
    option->check(CLI::Validator(WhyNotWhole, ""));
  return Argument(option);
}
template Argument CommandLine::Add(const std::string&, std::string&, const std::string&);
template Argument CommandLine::Add(const std::string&, std::vector<std::string>&,
                                   const std::string&);
template Argument CommandLine::Add(const std::string&, int&, const std::string&);
template Argument CommandLine::Add(const std::string&, uint32_t&, const std::string&);
template Argument CommandLine::Add(const std::string&, uint64_t&, const std::string&);
template Argument CommandLine::Add(const std::string&, std::optional<uint64_t>&,
                                   const std::string&);
template Argument CommandLine::Add(const std::string&, std::optional<double>&, const std::string&);

Argument CommandLine::AddFlag(const std::string& names, bool& value, const std::string& help) {
  return Argument(app_->add_flag(names, value, help));
}

Argument CommandLine::AddFlagWithValue(const std::string& names, std::string& value,
                                       const std::string& without, const std::string& help) {
  // CLI11 writes the value of a flag that has none behind its name, in braces.
  return Argument(app_->add_flag(names + "{" + without + "}", value, help));
}

void CommandLine::JoinWords(const std::string& option, Belongs* belongs) {
  joins_.emplace_back(option, belongs);
}

std::vector<std::string> CommandLine::Joined(int argc, char** argv) const {
  std::vector<std::string> words(argv, argv + argc);
  for (size_t i = 1; i < words.size(); ++i) {
    for (const auto& [option, belongs] : joins_) {
      const bool has_value = words[i].starts_with(option + "=");
      if (words[i] != option && !has_value) continue;
      std::string value = has_value ? words[i].substr(option.size() + 1) : "";
      while (i + 1 < words.size() && belongs(value, words[i + 1])) {
        value += (value.empty() ? "" : " ") + words[i + 1];
        words.erase(words.begin() + static_cast<ptrdiff_t>(i) + 1);
      }
      if (!value.empty()) words[i] = option + "=" + value;
    }
  }
  return words;
}

void CommandLine::Suggest(const std::string& argument,
                          std::function<std::vector<std::string>()> values) {
  suggestions_[app_->get_option(argument)] = std::move(values);
}

Argument CommandLine::Find(const std::string& name) { return Argument(app_->get_option(name)); }

CommandLine& CommandLine::AddVerb(const std::string& name, std::string description) {
  CLI::App* app = app_->add_subcommand(name, std::move(description));
  app->set_version_flag("--version", fmt::format("{} {} {}", app_->get_name(), name, Version()));
  verbs_.emplace_back(new CommandLine(app_->get_subcommand_ptr(app)));
  return *verbs_.back();
}

void CommandLine::AddNote(const std::string& text) { app_->footer(text); }

bool CommandLine::IsChosen() const { return app_->parsed(); }

VerbFacts CommandLine::Describe() const {
  // Of a verb below this one, CLI11 knows the word alone.
  const CLI::App* parent = app_->get_parent();
  VerbFacts facts{
      .name = parent == nullptr ? app_->get_name() : parent->get_name() + " " + app_->get_name(),
      .help = app_->get_description()};
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    facts.arguments.push_back(FactsOf(*option));
    const auto found = suggestions_.find(option);
    if (found == suggestions_.end()) continue;
    facts.arguments.back().suggests = true;
    facts.arguments.back().suggestions = found->second();
  }
  for (const auto& verb : verbs_) facts.verbs.push_back(verb->Describe());
  return facts;
}

// Of an unfinished command line: what it gives already goes into the variables, what it lacks is
// nobody's mistake.
void CommandLine::ParseBeginning(int argc, char** argv) {
  std::vector<std::string> words = Joined(argc, argv);
  std::reverse(words.begin(), words.end());
  if (!words.empty()) words.pop_back();
  app_->allow_extras();
  try {
    app_->parse(std::move(words));
  } catch (const CLI::ParseError&) {
  }
}

std::optional<int> CommandLine::Parse(int argc, char** argv) {
  if (argc >= 2 && argv[1] == kDescribeFlag) {
    if (argc > 2) ParseBeginning(argc - 1, argv + 1);
    PrintJson(ToJson(Describe()));
    return kDone;
  }
  // CLI11 wants the words behind the program's name from the last to the first.
  std::vector<std::string> words = Joined(argc, argv);
  std::reverse(words.begin(), words.end());
  if (!words.empty()) words.pop_back();
  try {
    app_->parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    // 0 stands for --help and its like, which `exit` prints.
    if (error.get_exit_code() == 0) {
      app_->exit(error);
      return kDone;
    }
    return Fail(kWrongUsage, fmt::format("{}\nTry '{} --help'.", WhatIsWrong(*app_, error),
                                         PathOf(Chosen(*app_))));
  }
  return std::nullopt;
}

void Warn(std::string_view message) { Tell(Colour::kYellow, message); }

int Fail(ExitCode code, std::string_view message) {
  Tell(Colour::kRed, message);
  return code;
}

int Fail(ExitCode code, const litert::Error& error) {
  return Fail(code, error.Message().empty() ? error.ToString() : error.Message());
}

void PrintJson(const nlohmann::ordered_json& value) { fmt::print("{}\n", JsonText(value, 2)); }

int Guarded(const char* tool, const std::function<int()>& body) {
  ToolName() = tool;
  int code = kFailed;
  try {
    code = body();
  } catch (const std::exception& error) {  // memory or a file system's; all else is told by values
    return Fail(kFailed, error.what());
  }
  // A full disk shows here at the latest.
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  Warn(fmt::format("standard output can't be written: {}", std::strerror(errno)));
  return code == kDone ? kFailed : code;
}

int RunVerb(const char* name, const char* help, VerbBody* body, int argc, char** argv) {
  return Guarded(name, [&] {
    CommandLine line(name, help);
    return body(line, argc, argv);
  });
}

}  // namespace npukit::tools
