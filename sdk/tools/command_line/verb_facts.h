// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a verb's command line takes, as data: what --help says, for completions and man pages. A verb
// prints it as JSON when its first argument is --describe; the words that follow, the beginning of a
// command line, decide what it suggests.

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_VERB_FACTS_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_VERB_FACTS_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

inline constexpr std::string_view kDescribeFlag = "--describe";

struct ArgumentFacts {
  std::vector<std::string>
      names;  // "-o", "--output"; of a positional argument its one name, "MODEL"
  bool positional = false;
  bool takes_value = false;
  bool required = false;
  std::string help;
  std::string default_value;         // empty: none that is shown
  std::vector<std::string> choices;  // empty: any value
  bool takes_many = false;           // all the words that follow, up to the next option
  // Values that make sense, of which the user may take another. `suggests`: there may be some, given
  // the right words before.
  std::vector<std::string> suggestions;
  bool suggests = false;
};

struct VerbFacts {
  std::string name;  // as typed: "npukit run", "npukit conform merge"
  std::string help;
  std::vector<ArgumentFacts> arguments;
  std::vector<VerbFacts> verbs;
};

nlohmann::ordered_json ToJson(const VerbFacts& facts);
// Errors: text that ToJson does not give. What describes a program of others may lack what came later:
// takes_many, suggestions, suggests.
litert::Expected<VerbFacts> ParseVerbFacts(std::string_view json);

// Runs the program with --describe and these words. Errors: it cannot be run, fails or does not
// describe itself.
litert::Expected<VerbFacts> AskVerb(const std::filesystem::path& program,
                                    const std::vector<std::string>& words = {});
// All the verbs of a folder (FindVerbs). Of one that does not describe itself, as those of others who
// put programs there, the name and the line of help.
std::vector<VerbFacts> DescribedVerbs(const std::filesystem::path& folder);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_VERB_FACTS_H_
