// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: the golden outputs in the shared folder.

#ifndef NPUKIT_SDK_HOST_RUNTIME_TESTING_GOLDENS_H_
#define NPUKIT_SDK_HOST_RUNTIME_TESTING_GOLDENS_H_

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/shared_dir.h"

namespace npukit {

using Json = nlohmann::json;

inline const std::filesystem::path kShared = SharedDir();

inline std::vector<uint8_t> ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// One entry for a model and a seed; empty if the folder is not there.
inline std::vector<Json> Manifest() {
  const std::vector<uint8_t> text = ReadFile(kShared / "goldens" / "manifest.json");
  std::vector<Json> entries;
  if (text.empty()) return entries;
  for (const Json& entry : Json::parse(std::string(text.begin(), text.end())))
    entries.push_back(entry);
  return entries;
}

// `port` is one of an entry's inputs or outputs.
inline std::vector<uint8_t> ReadGolden(const Json& port) {
  return ReadFile(kShared / "goldens" / port["file"].get<std::string>());
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_TESTING_GOLDENS_H_
