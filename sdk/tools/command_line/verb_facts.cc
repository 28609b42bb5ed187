// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/verb_facts.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "sdk/tools/command_line/shell_word.h"
#include "sdk/tools/command_line/verb_search.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

ArgumentFacts ArgumentOf(const Json& json) {
  return {.names = json.at("names"),
          .positional = json.at("positional"),
          .takes_value = json.at("takes_value"),
          .required = json.at("required"),
          .help = json.at("help"),
          .default_value = json.at("default"),
          .choices = json.at("choices"),
          .takes_many = json.value("takes_many", false),
          .suggestions = json.value("suggestions", std::vector<std::string>{}),
          .suggests = json.value("suggests", false)};
}

VerbFacts VerbOf(const Json& json) {
  VerbFacts facts{.name = json.at("name"), .help = json.at("help")};
  for (const Json& argument : json.at("arguments")) facts.arguments.push_back(ArgumentOf(argument));
  for (const Json& verb : json.at("verbs")) facts.verbs.push_back(VerbOf(verb));
  return facts;
}

litert::Unexpected Bad(std::string message) {
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, std::move(message));
}

}  // namespace

Json ToJson(const VerbFacts& facts) {
  Json arguments = Json::array();
  for (const ArgumentFacts& argument : facts.arguments) {
    arguments.push_back({{"names", argument.names},
                         {"positional", argument.positional},
                         {"takes_value", argument.takes_value},
                         {"required", argument.required},
                         {"help", argument.help},
                         {"default", argument.default_value},
                         {"choices", argument.choices},
                         {"takes_many", argument.takes_many},
                         {"suggestions", argument.suggestions},
                         {"suggests", argument.suggests}});
  }
  Json verbs = Json::array();
  for (const VerbFacts& verb : facts.verbs) verbs.push_back(ToJson(verb));
  return {{"name", facts.name},
          {"help", facts.help},
          {"arguments", std::move(arguments)},
          {"verbs", std::move(verbs)}};
}

litert::Expected<VerbFacts> ParseVerbFacts(std::string_view json) {
  // What comes from another program may have any shape; nlohmann-json says so by exceptions only.
  try {
    return VerbOf(Json::parse(json));
  } catch (const Json::exception& error) {
    return Bad(fmt::format("no description of a command line: {}", error.what()));
  }
}

litert::Expected<VerbFacts> AskVerb(const std::filesystem::path& program,
                                    const std::vector<std::string>& words) {
  std::string command = fmt::format("{} {}", ShellWord(program.string()), kDescribeFlag);
  for (const std::string& word : words) command += " " + ShellWord(word);
  // A program that does not know the flag may wait for input, or complain: neither is the user's
  // business.
  command += " </dev/null 2>/dev/null";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return Bad(fmt::format("{} cannot be run", program.string()));
  std::string text;
  for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  const int status = pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return Bad(fmt::format("{} {} failed", program.string(), kDescribeFlag));
  }
  litert::Expected<VerbFacts> facts = ParseVerbFacts(text);
  if (!facts) return Bad(fmt::format("{}: {}", program.string(), facts.Error().Message()));
  return facts;
}

std::vector<VerbFacts> DescribedVerbs(const std::filesystem::path& folder) {
  std::vector<VerbFacts> described;
  for (const auto& [name, verb] : FindVerbs(folder)) {
    litert::Expected<VerbFacts> facts = AskVerb(verb.program);
    described.push_back(facts ? std::move(*facts) : VerbFacts{.name = "npukit " + name});
    // One line, where a verb's own description may have several.
    if (!verb.help.empty()) described.back().help = verb.help;
  }
  return described;
}

}  // namespace npukit::tools
