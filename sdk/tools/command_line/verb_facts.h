// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a verb's command line takes, as data: what --help says, for completions and man pages. Every
// verb prints it as JSON when it is called with the one argument --describe.

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
};

struct VerbFacts {
  std::string name;  // as typed: "npukit run", "npukit conform merge"
  std::string help;
  std::vector<ArgumentFacts> arguments;
  std::vector<VerbFacts> verbs;
};

nlohmann::ordered_json ToJson(const VerbFacts& facts);
// Errors: text that ToJson does not give.
litert::Expected<VerbFacts> ParseVerbFacts(std::string_view json);

// Runs the program with --describe. Errors: it cannot be run, fails or does not describe itself.
litert::Expected<VerbFacts> AskVerb(const std::filesystem::path& program);
// All the verbs of a folder (FindVerbs). Of one that does not describe itself, as those of the
// simulator and of others who put programs there, the name and the line of help.
std::vector<VerbFacts> DescribedVerbs(const std::filesystem::path& folder);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_VERB_FACTS_H_
