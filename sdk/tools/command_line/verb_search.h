// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_VERB_SEARCH_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_VERB_SEARCH_H_

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

struct Verb {
  std::filesystem::path program;
  std::string help;  // one line, or empty: the program carries none
};

// The folder of the running program. Errors: the system does not tell.
litert::Expected<std::filesystem::path> OwnFolder();

// The programs npukit-VERB of a folder by verb. None of them is run: the help is read out of the
// file (verb.h).
std::map<std::string, Verb> FindVerbs(const std::filesystem::path& folder);

// Pages of the documentation, by the names of their files: share/npukit/docs beside the folder, in an
// installation as in a build tree.
std::filesystem::path DocsFolder(const std::filesystem::path& folder);
std::set<std::string> FindTopics(const std::filesystem::path& folder);

// That of the names which was probably meant; empty if none is near.
std::string NearestName(const std::string& name, const std::set<std::string>& names);

// Says so, with that suggestion; kWrongUsage.
int UnknownVerb(const std::string& name, const std::filesystem::path& folder);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_VERB_SEARCH_H_
