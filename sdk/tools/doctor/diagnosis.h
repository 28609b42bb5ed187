// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which of a set of files go together, and what is wrong with those that do not.

#ifndef NPUKIT_SDK_TOOLS_DOCTOR_DIAGNOSIS_H_
#define NPUKIT_SDK_TOOLS_DOCTOR_DIAGNOSIS_H_

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sdk/tools/doctor/library_file.h"
#include "sdk/tools/doctor/model_file.h"

namespace npukit::tools {

// A file that could not be read as what it is.
struct UnreadFile {
  std::string path, why;
};

struct Examined {
  std::vector<LibraryFile> libraries;
  std::vector<ModelFile> models;
  std::vector<UnreadFile> unread;
  // Whether whole folders were given, so that what is not there is missing.
  bool is_whole = false;
};

// A finding that is a mismatch is why the files do not work together; others may explain what a user
// sees, or what the files do not tell.
enum class Severity { kMismatch, kWarning, kNote };

struct Finding {
  Severity severity;
  std::vector<std::string> files;
  std::string text;
  std::string fix;  // a sentence; empty for a note
};

struct Pair {
  std::string a, b;
  std::optional<bool> works;  // nullopt: the files do not tell
  std::string why;
};

struct Diagnosis {
  std::vector<Pair> pairs;
  std::vector<Finding> findings;  // mismatches first
  bool HasMismatch() const;
};

Diagnosis Diagnose(const Examined& examined);

// {files[] {path, kind, ...}, pairs[] {a, b, works, why}, findings[] {severity, files[], text, fix},
//  mismatch}. `works` is null where the files do not tell.
nlohmann::ordered_json DiagnosisJson(const Examined& examined, const Diagnosis& diagnosis);
// The same for people.
std::string DiagnosisText(const nlohmann::ordered_json& json);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_DOCTOR_DIAGNOSIS_H_
