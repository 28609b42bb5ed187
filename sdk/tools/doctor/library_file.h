// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a shared library is in LiteRT's eyes, from its file alone.

#ifndef NPUKIT_SDK_TOOLS_DOCTOR_LIBRARY_FILE_H_
#define NPUKIT_SDK_TOOLS_DOCTOR_LIBRARY_FILE_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sdk/tools/doctor/elf_image.h"
#include "sdk/tools/doctor/generations.h"

namespace npukit::tools {

struct LibraryFile {
  std::string path;
  ElfImage image;
  // Empty sets: it is not of that kind. A file may be of several kinds.
  Generations host, dispatch, compiler;
  // A dispatch library or compiler plugin has one or more entries, for hosts to take the one that
  // suits them. Each is of one of several generations; those above are all of them.
  std::vector<Generations> dispatch_entries, compiler_entries;
  bool is_npukit_host = false;
  std::vector<std::string> evidence;            // from what the generations follow
  std::map<std::string, std::string> versions;  // that it states: label, number
  std::set<std::string> opens;                  // libraries that it may open by name
  std::vector<std::string> soc_models;          // of a compiler plugin that was loaded

  void AddDispatch(Generations entry);
  void AddCompiler(Generations entry);
  // "dispatch library"; of what is neither a host nor a vendor's "Python module" or "library".
  std::string Kind() const;
};

LibraryFile ExamineLibrary(const std::string& path, ElfImage image);

// Labels and numbers in texts: "aisw_version" and "2.36.1" of "AISW_VERSION: 2.36.1".
std::map<std::string, std::string> StatedVersions(const std::set<std::string>& texts);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_DOCTOR_LIBRARY_FILE_H_
