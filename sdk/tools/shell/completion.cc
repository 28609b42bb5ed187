// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/shell/completion.h"

#include <algorithm>
#include <utility>

#include "sdk/tools/command_line/verb_search.h"

namespace npukit::tools {
namespace {

using Words = std::vector<std::string>;

// "run" of "npukit run".
std::string WordOf(const VerbFacts& verb) { return verb.name.substr(verb.name.rfind(' ') + 1); }

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

const ArgumentFacts* FindOption(const VerbFacts& verb, const std::string& name) {
  for (const ArgumentFacts& argument : verb.arguments) {
    const auto& names = argument.names;
    if (!argument.positional && std::find(names.begin(), names.end(), name) != names.end())
      return &argument;
  }
  return nullptr;
}

const ArgumentFacts* FindPositional(const VerbFacts& verb, size_t index) {
  for (const ArgumentFacts& argument : verb.arguments) {
    if (!argument.positional) continue;
    if (index == 0 || argument.takes_many) return &argument;
    --index;
  }
  return nullptr;
}

// Where in the verb's command line the unfinished word stands.
struct Position {
  const VerbFacts* verb;  // the one below that the words lead to
  // Whose value it may be, and whether it can be nothing else.
  const ArgumentFacts* option = nullptr;
  bool must_be_value = false;
  size_t num_positionals = 0;  // before it
  bool only_positionals = false;
};

// Moves past one finished word.
void Advance(const std::string& word, Position& at) {
  // An option's first value may be anything, also a verb's name or what begins with a dash. Those
  // that follow, of an option that takes many, end with the next option.
  if (std::exchange(at.must_be_value, false)) {
    if (!at.option->takes_many) at.option = nullptr;
    return;
  }
  if (!at.only_positionals && word == "--") {
    at = {.verb = at.verb, .num_positionals = at.num_positionals, .only_positionals = true};
    return;
  }
  if (!at.only_positionals && word.size() > 1 && word[0] == '-') {
    const ArgumentFacts* option = FindOption(*at.verb, word);
    at.option = option != nullptr && option->takes_value ? option : nullptr;
    at.must_be_value = at.option != nullptr;
    return;
  }
  for (const VerbFacts& below : at.verb->verbs) {
    if (WordOf(below) != word) continue;
    at = {.verb = &below};
    return;
  }
  if (at.option == nullptr) ++at.num_positionals;
}

// The argument of the same verb and name in another description.
const ArgumentFacts* SameIn(const VerbFacts& other, const VerbFacts& verb,
                            const ArgumentFacts& argument) {
  for (const VerbFacts& below : other.verbs) {
    if (const ArgumentFacts* found = SameIn(below, verb, argument)) return found;
  }
  if (other.name != verb.name) return nullptr;
  const auto found =
      std::find_if(other.arguments.begin(), other.arguments.end(),
                   [&](const ArgumentFacts& facts) { return facts.names == argument.names; });
  return found == other.arguments.end() ? nullptr : &*found;
}

void AddValues(const VerbFacts& verb, const ArgumentFacts& argument, const Words& words,
               const AskAgain& ask_again, const std::string& prefix,
               std::vector<Candidate>& candidates) {
  // Suggestions depend on the words before, such as the plugins of --plugin-dir: the verb is asked
  // once more, with them, and only if its first description has none.
  Words values = argument.choices.empty() ? argument.suggestions : argument.choices;
  if (values.empty() && argument.suggests) {
    const VerbFacts again = ask_again({words.begin(), words.end() - 1});
    if (const ArgumentFacts* same = SameIn(again, verb, argument)) values = same->suggestions;
  }
  for (const std::string& value : values) candidates.push_back({prefix + value, ""});
}

void AddOptions(const VerbFacts& verb, std::vector<Candidate>& candidates) {
  for (const ArgumentFacts& argument : verb.arguments) {
    if (argument.positional) continue;
    for (const std::string& name : argument.names)
      candidates.push_back({name, FirstLine(argument.help)});
  }
}

// Of those, what begins with what is typed.
std::vector<Candidate> Beginning(const std::string& start, std::vector<Candidate> candidates) {
  std::erase_if(candidates,
                [&](const Candidate& candidate) { return !candidate.word.starts_with(start); });
  return candidates;
}

}  // namespace

std::vector<Candidate> CandidatesOf(const VerbFacts& verb, const Words& words,
                                    const AskAgain& ask_again) {
  Position at{.verb = &verb};
  for (size_t i = 0; i + 1 < words.size(); ++i) Advance(words[i], at);
  const std::string current = words.empty() ? "" : words.back();
  std::vector<Candidate> candidates;
  // With what an option has before the cursor, its own name is left out: it has no value yet.
  Words before = words;
  if (at.must_be_value) {
    before.erase(before.end() - 2);
    AddValues(*at.verb, *at.option, before, ask_again, "", candidates);
    return Beginning(current, std::move(candidates));
  }
  if (!at.only_positionals && current.starts_with('-')) {
    const size_t equals = current.find('=');
    const ArgumentFacts* option =
        equals == std::string::npos ? nullptr : FindOption(*at.verb, current.substr(0, equals));
    if (option != nullptr && option->takes_value) {
      AddValues(*at.verb, *option, before, ask_again, current.substr(0, equals + 1), candidates);
    } else {
      AddOptions(*at.verb, candidates);
    }
    return Beginning(current, std::move(candidates));
  }
  if (at.num_positionals == 0 && !at.only_positionals) {
    for (const VerbFacts& below : at.verb->verbs)
      candidates.push_back({WordOf(below), FirstLine(below.help)});
  }
  if (at.option != nullptr) {
    AddValues(*at.verb, *at.option, before, ask_again, "", candidates);
  } else if (const ArgumentFacts* positional = FindPositional(*at.verb, at.num_positionals)) {
    AddValues(*at.verb, *positional, before, ask_again, "", candidates);
  } else if (!at.only_positionals) {
    AddOptions(*at.verb, candidates);
  }
  return Beginning(current, std::move(candidates));
}

std::vector<Candidate> CandidatesIn(const std::filesystem::path& folder, const Words& words) {
  const bool is_help = words.size() == 3 && words[1] == "help";
  std::vector<Candidate> candidates;
  if (words.size() == 2 || is_help) {
    for (const auto& [name, verb] : FindVerbs(folder)) candidates.push_back({name, verb.help});
  }
  if (words.size() == 2) {
    candidates.push_back({"help", "a verb's help, or a page of the documentation"});
    candidates.push_back({"--help", "list the verbs"});
    candidates.push_back({"--version", "versions of the tools, plugin ABIs and profiles"});
  } else if (is_help) {
    candidates.push_back({"topics", "list the pages of the documentation"});
    for (const std::string& topic : FindTopics(folder))
      candidates.push_back({topic, "a page of the documentation"});
  }
  if (!candidates.empty()) return Beginning(words.back(), std::move(candidates));
  if (words.size() < 3 || words[1].find('/') != std::string::npos) return {};
  const std::filesystem::path program = folder / ("npukit-" + words[1]);
  const auto facts = AskVerb(program);
  if (!facts) return {};
  return CandidatesOf(*facts, {words.begin() + 2, words.end()}, [&](const Words& before) {
    auto again = AskVerb(program, before);
    return again ? std::move(*again) : VerbFacts{};
  });
}

}  // namespace npukit::tools
