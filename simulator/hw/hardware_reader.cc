// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// YAML to Hardware. yaml-cpp stays in this file; its exceptions end here.

#include <fmt/format.h>

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <system_error>

#include "simulator/hw/hardware.h"

namespace acme {
namespace {

// "file:line:column: message"; yaml-cpp counts from 0, and has no mark for an empty text.
Error ErrorAt(std::string_view source, const YAML::Mark& mark, const std::string& message) {
  const YAML::Mark at = mark.is_null() ? YAML::Mark() : mark;
  return Error(ErrorCode::kInvalidArgument,
               fmt::format("{}:{}:{}: {}", source, at.line + 1, at.column + 1, message));
}

// Reads one section ("array: {rows: 32, ...}") and notes which fields it set.
Expected<void> ReadSection(const std::string& section, const YAML::Node& node,
                           std::string_view source, Hardware& hardware,
                           std::set<std::string>& seen) {
  if (!node.IsMap()) return ErrorAt(source, node.Mark(), section + " must hold keys and values");
  for (const auto& entry : node) {
    const std::string path = section + "." + entry.first.as<std::string>();
    if (!entry.second.IsScalar())
      return ErrorAt(source, entry.second.Mark(), path + " must be one value");
    Expected<void> set = SetHardwareField(hardware, path, entry.second.Scalar());
    if (!set) {
      const bool unknown = set.Error().Code() == ErrorCode::kNotFound;
      return ErrorAt(source, unknown ? entry.first.Mark() : entry.second.Mark(),
                     set.Error().Message());
    }
    if (!seen.insert(path).second)
      return ErrorAt(source, entry.first.Mark(), path + " stands twice");
  }
  return {};
}

Expected<void> CheckComplete(const YAML::Node& root, std::string_view source,
                             const std::set<std::string>& seen) {
  auto missing = [&](const std::string& path) -> Expected<void> {
    if (seen.count(path) != 0) return {};
    return ErrorAt(source, root.Mark(), path + " is missing (or name a model with 'base:')");
  };
#define ACME_HW_INT(section, key, member, lo, hi, compile, doc) \
  ACME_RETURN_IF_ERROR(missing(section "." key));
#define ACME_HW_REAL(section, key, member, doc) ACME_RETURN_IF_ERROR(missing(section "." key));
#define ACME_HW_FLAG(section, key, member, doc) ACME_RETURN_IF_ERROR(missing(section "." key));
#define ACME_HW_OPTIONAL_INT(section, key, member, lo, hi, initial, doc)
#define ACME_HW_OPTIONAL_FLAG(section, key, member, initial, doc)
#include "simulator/hw/hardware_fields.def"
  return {};
}

// How deep files may name files as their base.
constexpr int kMaxBases = 8;
constexpr std::streamoff kMaxFileBytes = 1 << 20;

Expected<Hardware> ReadFile(const std::filesystem::path& path, int depth);

// The file that the text comes from, if it does: the base may be another, relative to it.
struct Origin {
  const std::filesystem::path* file = nullptr;
  int depth = 0;
};

Expected<Hardware> ReadBase(const YAML::Node& base, std::string_view source, const Origin& origin) {
  if (!base.IsScalar()) return ErrorAt(source, base.Mark(), "base must name a SoC model");
  const std::filesystem::path path = base.Scalar();
  if (origin.file == nullptr || path.extension() != ".yaml") {
    Expected<Hardware> start = BuiltinHardware(base.Scalar());
    if (!start) return ErrorAt(source, base.Mark(), start.Error().Message());
    return start;
  }
  if (origin.depth == kMaxBases)
    return ErrorAt(source, base.Mark(), "files name each other as their base");
  Expected<Hardware> start = ReadFile(origin.file->parent_path() / path, origin.depth + 1);
  if (!start) return ErrorAt(source, base.Mark(), "base: " + start.Error().Message());
  return start;
}

Expected<Hardware> ReadRoot(const YAML::Node& root, std::string_view source, const Origin& origin) {
  if (!root.IsMap())
    return ErrorAt(source, root.Mark(), "a hardware description must hold keys and values");
  Hardware hardware;
  const YAML::Node base = root["base"];
  if (base) {
    ACME_ASSIGN_OR_RETURN(hardware, ReadBase(base, source, origin));
  }
  std::set<std::string> seen;
  bool named = false;
  for (const auto& entry : root) {
    const std::string key = entry.first.as<std::string>();
    if (key == "base") continue;
    if (key == "name") {
      if (!entry.second.IsScalar())
        return ErrorAt(source, entry.second.Mark(), "name must be one value");
      hardware.name = entry.second.Scalar();
      named = true;
      continue;
    }
    ACME_RETURN_IF_ERROR(ReadSection(key, entry.second, source, hardware, seen));
  }
  if (!named) return ErrorAt(source, root.Mark(), "name is missing");
  if (!base) ACME_RETURN_IF_ERROR(CheckComplete(root, source, seen));
  return hardware;
}

Expected<Hardware> Parse(std::string_view yaml, std::string_view source, const Origin& origin) {
  try {
    return ReadRoot(YAML::Load(std::string(yaml)), source, origin);
  } catch (const YAML::Exception& e) {
    return ErrorAt(source, e.mark, e.msg);
  }
}

Expected<Hardware> ReadFile(const std::filesystem::path& path, int depth) {
  std::error_code no_file;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!std::filesystem::is_regular_file(path, no_file) || !file)
    return Error(ErrorCode::kIo, "can't read " + path.string());
  if (file.tellg() > kMaxFileBytes)
    return Error(ErrorCode::kInvalidArgument, path.string() + ": is larger than a mebibyte");
  file.seekg(0);
  std::string text;
  try {
    text.assign(std::istreambuf_iterator<char>(file), {});
  } catch (const std::ios_base::failure&) {  // the library's answer to an error of the system
    return Error(ErrorCode::kIo, "can't read " + path.string() + " to its end");
  }
  return Parse(text, path.string(), {&path, depth});
}

}  // namespace

Expected<Hardware> ParseHardware(std::string_view yaml, std::string_view source) {
  return Parse(yaml, source, {});
}

Expected<Hardware> ReadHardwareFile(const std::string& path) { return ReadFile(path, 0); }

}  // namespace acme
