// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/describe.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "simulator/hw/hardware.h"

namespace acme {
namespace {

using Json = nlohmann::ordered_json;

// CLI11 writes the values of IsMember into the name of the type: "TEXT:{both,function,time}".
std::vector<std::string> ChoicesOf(const std::string& type_name) {
  std::vector<std::string> choices;
  const size_t begin = type_name.find('{');
  const size_t end = type_name.find('}', begin);
  if (begin == std::string::npos || end == std::string::npos) return choices;
  std::istringstream list(type_name.substr(begin + 1, end - begin - 1));
  for (std::string choice; std::getline(list, choice, ',');) choices.push_back(choice);
  return choices;
}

Json ArgumentOf(const CLI::Option& option) {
  std::vector<std::string> names;
  if (option.get_positional()) names.push_back(option.get_single_name());
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  std::vector<std::string> suggestions;
  if (names.front() == "--soc")
    suggestions.assign(BuiltinSocModels().begin(), BuiltinSocModels().end());
  return {{"names", names},
          {"positional", option.get_positional()},
          {"takes_value", option.get_items_expected_max() > 0},
          {"required", option.get_required()},
          {"help", option.get_description()},
          {"default", option.get_default_str()},
          {"choices", ChoicesOf(option.get_type_name())},
          {"takes_many", option.get_items_expected_max() > 1 && option.get_allow_extra_args()},
          {"suggests", !suggestions.empty()},
          {"suggestions", suggestions}};
}

Json VerbOf(const CLI::App& app, const std::string& name) {
  Json arguments = Json::array();
  for (const CLI::Option* option : app.get_options()) arguments.push_back(ArgumentOf(*option));
  Json verbs = Json::array();
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(VerbOf(*below, name + " " + below->get_name()));
  return {
      {"name", name}, {"help", app.get_description()}, {"arguments", arguments}, {"verbs", verbs}};
}

}  // namespace

std::string DescribeTool(const CLI::App& app) { return VerbOf(app, app.get_name()).dump(); }

}  // namespace acme
