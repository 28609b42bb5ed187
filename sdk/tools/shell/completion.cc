// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/shell/completion.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "sdk/tools/command_line/shell_word.h"

namespace npukit::tools {
namespace {

// "run" of "npukit run".
std::string_view Word(const VerbFacts& verb) {
  return std::string_view(verb.name).substr(verb.name.rfind(' ') + 1);
}

// Calls visit(verb, the words that lead to it) for each verb and those below it.
template <typename Visit>
void ForEachVerb(const std::vector<VerbFacts>& verbs, const std::string& words, Visit visit) {
  for (const VerbFacts& verb : verbs) {
    const std::string path =
        words.empty() ? std::string(Word(verb)) : fmt::format("{} {}", words, Word(verb));
    visit(verb, path);
    ForEachVerb(verb.verbs, path, visit);
  }
}

// What may follow the verb: verbs below it, options, the values of a positional argument.
std::string FollowingWords(const VerbFacts& verb) {
  std::string words;
  for (const VerbFacts& below : verb.verbs) words += fmt::format("{} ", Word(below));
  for (const ArgumentFacts& argument : verb.arguments) {
    words +=
        fmt::format("{} ", fmt::join(argument.positional ? argument.choices : argument.names, " "));
  }
  return words;
}

std::string VerbNames(const std::vector<VerbFacts>& verbs) {
  std::string names;
  for (const VerbFacts& verb : verbs) names += fmt::format("{} ", Word(verb));
  return names;
}

}  // namespace

// The words before the cursor that are verbs name what is completed ("conform merge"); of an option
// that takes one of a few values these, else options after a dash, and files.
std::string BashCompletion(const std::vector<VerbFacts>& verbs) {
  std::string values;
  std::string options;
  ForEachVerb(verbs, "", [&](const VerbFacts& verb, const std::string& words) {
    fmt::format_to(std::back_inserter(options), "    '{}') words='{}' ;;\n", words,
                   InSingleQuotes(FollowingWords(verb)));
    for (const ArgumentFacts& argument : verb.arguments) {
      if (argument.positional || !argument.takes_value) continue;
      for (const std::string& name : argument.names) {
        fmt::format_to(std::back_inserter(values), "    '{} {}') values='{}'; takes_value=1 ;;\n",
                       words, name,
                       InSingleQuotes(fmt::format("{}", fmt::join(argument.choices, " "))));
      }
    }
  });
  std::string below;
  ForEachVerb(verbs, "", [&](const VerbFacts& verb, const std::string& words) {
    for (const VerbFacts& next : verb.verbs)
      fmt::format_to(std::back_inserter(below), "      '{} {}') path=\"$path $word\" ;;\n", words,
                     Word(next));
  });
  return fmt::format(
      R"(# Completion of npukit for bash. Made by `npukit completion bash`.
_npukit() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local path= word words= values= takes_value= index
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{verbs}help --help --version' -- "$current"))
    return
  fi
  path=${{COMP_WORDS[1]}}
  for ((index = 2; index < COMP_CWORD; ++index)); do
    word=${{COMP_WORDS[index]}}
    case "$path $word" in
{below}      *) ;;
    esac
  done
  case "$path $previous" in
{values}    *) ;;
  esac
  if [ -n "$takes_value" ]; then
    if [ -n "$values" ]; then
      COMPREPLY=($(compgen -W "$values" -- "$current"))
    else
      COMPREPLY=($(compgen -f -- "$current"))
    fi
    return
  fi
  case "$path" in
{options}    help) words='{verbs}' ;;
    *) ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $current != -* ]]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}}
complete -o filenames -F _npukit npukit
)",
      fmt::arg("verbs", VerbNames(verbs)), fmt::arg("below", below), fmt::arg("values", values),
      fmt::arg("options", options));
}

std::string ZshCompletion(const std::vector<VerbFacts>& verbs) {
  // Within _arguments' specifications brackets and colons have a meaning.
  auto escaped = [](std::string_view text) {
    std::string result;
    for (char c : InSingleQuotes(text)) {
      if (c == '[' || c == ']' || c == ':') result += '\\';
      result += c;
    }
    return result;
  };
  std::string list;
  std::string cases;
  for (const VerbFacts& verb : verbs) {
    fmt::format_to(std::back_inserter(list), "    '{}:{}'\n", Word(verb), escaped(verb.help));
    fmt::format_to(std::back_inserter(cases), "    {})\n      _arguments \\\n", Word(verb));
    for (const ArgumentFacts& argument : verb.arguments) {
      if (argument.positional) continue;
      for (const std::string& name : argument.names) {
        const std::string value =
            !argument.takes_value ? ""
            : argument.choices.empty()
                ? ":value:_files"
                : fmt::format(":value:({})", fmt::join(argument.choices, " "));
        fmt::format_to(std::back_inserter(cases), "        '*{}[{}]{}' \\\n", name,
                       escaped(argument.help), value);
      }
    }
    if (!verb.verbs.empty())
      fmt::format_to(std::back_inserter(cases), "        '1:verb:({})' \\\n",
                     VerbNames(verb.verbs));
    cases += "        '*:file:_files' ;;\n";
  }
  return fmt::format(
      R"(#compdef npukit
# Completion of npukit for zsh. Made by `npukit completion zsh`.
_npukit() {{
  local -a verbs=(
{list}  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
{cases}    *) _files ;;
  esac
}}
_npukit "$@"
)",
      fmt::arg("list", list), fmt::arg("cases", cases));
}

std::string FishCompletion(const std::vector<VerbFacts>& verbs) {
  std::string script = "# Completion of npukit for fish. Made by `npukit completion fish`.\n";
  auto out = std::back_inserter(script);
  for (const VerbFacts& verb : verbs) {
    fmt::format_to(out, "complete -c npukit -n __fish_use_subcommand -a {} -d '{}'\n", Word(verb),
                   InSingleQuotes(verb.help));
    for (const VerbFacts& below : verb.verbs) {
      fmt::format_to(out, "complete -c npukit -n '__fish_seen_subcommand_from {}' -a {} -d '{}'\n",
                     Word(verb), Word(below), InSingleQuotes(below.help));
    }
    for (const ArgumentFacts& argument : verb.arguments) {
      if (argument.positional) continue;
      std::string names;
      for (const std::string& name : argument.names) {
        const bool is_long = name.starts_with("--");
        names += fmt::format(" -{} {}", is_long ? "l" : "s", name.substr(is_long ? 2 : 1));
      }
      fmt::format_to(out, "complete -c npukit -n '__fish_seen_subcommand_from {}'{} -d '{}'{}\n",
                     Word(verb), names, InSingleQuotes(argument.help),
                     !argument.takes_value ? ""
                     : argument.choices.empty()
                         ? " -r"
                         : fmt::format(" -x -a '{}'", fmt::join(argument.choices, " ")));
    }
  }
  return script;
}

}  // namespace npukit::tools
