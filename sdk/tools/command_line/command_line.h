// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the command-line tools have in common: exit codes, arguments, errors, JSON. Text for people goes to stdout by
// fmt::print, what is not the result to stderr by Warn.
//
//   CommandLine line("npukit inspect", "print a model's subgraphs, ops, tensors and signatures");
//   std::string path;
//   line.Add("MODEL", path, ".tflite file").Required();
//   if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
//   auto model = npukit::LoadModel(path);
//   if (!model) return Fail(kNotLoaded, model.Error());
//   ...
//   return kDone;
//
// verb.h makes a program of what stands behind the first line.

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_COMMAND_LINE_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_COMMAND_LINE_H_

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace npukit::tools {

struct VerbFacts;

// Exit codes of every tool; scripts rely on them.
enum ExitCode : int {
  kDone = 0,        // done, or conformant
  kFailed = 1,      // a failed run, or not conformant
  kWrongUsage = 2,  // the arguments make no sense
  kNotLoaded = 3,   // the model or plugin could not be loaded
};

// What a CommandLine knows of one argument. Valid as long as the CommandLine.
class Argument {
 public:
  Argument Required();
  // The variable's present value shows in --help.
  Argument ShowDefault();
  // May be given several times, with one value each; else all the words that follow are values.
  Argument OneValueEach();
  Argument Between(int low, int high);
  Argument Positive();
  // A number, 0 or above it: no NaN.
  Argument NotNegative();
  Argument OneOf(std::vector<std::string> values);
  Argument Needs(Argument other);
  Argument Excludes(const std::string& name);

 private:
  friend class CommandLine;
  explicit Argument(CLI::Option* option) : option_(option) {}
  CLI::Option* option_;
};

// A tool's arguments. Keeps CLI11, whose inline classes cost seconds in each source that sees them,
// in one source.
class CommandLine {
 public:
  // `tool` ("npukit inspect") stands in --help and in what Fail prints.
  CommandLine(std::string tool, std::string description);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // Names: "-o,--output", or "MODEL" for a positional argument. `value` must outlive the
  // CommandLine; it keeps what it holds where the argument is not given. T: std::string,
  // std::vector<std::string>, int, uint32_t, uint64_t, std::optional<uint64_t>,
  // std::optional<double>. Unsigned ones refuse what is below 0.
  template <typename T>
  Argument Add(const std::string& names, T& value, const std::string& help);
  // --name, without a value.
  Argument AddFlag(const std::string& names, bool& value, const std::string& help);
  // --name or --name=VALUE; without a value `value` becomes `without`. What follows after a space is
  // not its value, so that MODEL may.
  Argument AddFlagWithValue(const std::string& names, std::string& value,
                            const std::string& without, const std::string& help);
  // Lets words that follow the option be part of its value, though they are not: `belongs` tells of a
  // word, given the value so far. --require-npu=macs 90 becomes --require-npu="macs 90".
  using Belongs = bool(std::string_view value, std::string_view word);
  void JoinWords(const std::string& option, Belongs* belongs);
  // What completion offers as values of an argument that was added, where any value may be given.
  // `values` is called when the verb describes itself, with the variables that the words before the
  // cursor give.
  void Suggest(const std::string& argument, std::function<std::vector<std::string>()> values);
  // One that was added, by its name.
  Argument Find(const std::string& name);

  // Stands below the arguments in --help.
  void AddNote(const std::string& text);

  // A verb below this one, with arguments of its own: the word `name`. Valid as long as this.
  CommandLine& AddVerb(const std::string& name, std::string description);
  // Whether Parse() found this verb's word.
  bool IsChosen() const;

  // Gives an exit code if the tool is to end there (--help: kDone, an error: kWrongUsage, with the
  // message printed). After --describe it prints the description as JSON (verb_facts.h).
  std::optional<int> Parse(int argc, char** argv);

  VerbFacts Describe() const;

 private:
  explicit CommandLine(std::shared_ptr<CLI::App> app);

  std::vector<std::string> Joined(int argc, char** argv) const;
  void ParseBeginning(int argc, char** argv);

  std::shared_ptr<CLI::App> app_;
  std::vector<std::unique_ptr<CommandLine>> verbs_;
  std::vector<std::pair<std::string, Belongs*>> joins_;
  std::map<const CLI::Option*, std::function<std::vector<std::string>()>> suggestions_;
};

// Prints "npukit inspect: message" on stderr and gives the exit code back.
int Fail(ExitCode code, std::string_view message);
int Fail(ExitCode code, const litert::Error& error);

// Prints "npukit inspect: message" on stderr: what a user should know though the tool goes on.
void Warn(std::string_view message);

// Gives the exit code of `body`. An exception that nobody caught, and output that can't be written, are
// told in the name of `tool` and give exit code 1.
int Guarded(const char* tool, const std::function<int()>& body);

// Prints on stdout, indented by two, with a newline. Strings that are not UTF-8
// have the bad bytes replaced.
void PrintJson(const nlohmann::ordered_json& value);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_COMMAND_LINE_H_
