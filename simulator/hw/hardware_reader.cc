// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// YAML to Hardware. yaml-cpp stays in this file; its exceptions end here.

#include <yaml-cpp/yaml.h>

#include <fstream>
#include <set>
#include <sstream>

#include "simulator/hw/hardware.h"

namespace acme {
namespace {

// "file:line:column: message"; yaml-cpp counts from 0.
Error ErrorAt(std::string_view source, const YAML::Mark& mark, const std::string& message) {
  return Error(ErrorCode::kInvalidArgument, std::string(source) + ":" +
                                                std::to_string(mark.line + 1) + ":" +
                                                std::to_string(mark.column + 1) + ": " + message);
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
#include "simulator/hw/hardware_fields.def"
#undef ACME_HW_INT
#undef ACME_HW_REAL
#undef ACME_HW_FLAG
  return {};
}

Expected<Hardware> ReadRoot(const YAML::Node& root, std::string_view source) {
  if (!root.IsMap())
    return ErrorAt(source, root.Mark(), "a hardware description must hold keys and values");
  Hardware hardware;
  const YAML::Node base = root["base"];
  if (base) {
    if (!base.IsScalar()) return ErrorAt(source, base.Mark(), "base must name a SoC model");
    Expected<Hardware> start = BuiltinHardware(base.Scalar());
    if (!start) return ErrorAt(source, base.Mark(), start.Error().Message());
    hardware = *start;
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

}  // namespace

Expected<Hardware> ParseHardware(std::string_view yaml, std::string_view source) {
  try {
    return ReadRoot(YAML::Load(std::string(yaml)), source);
  } catch (const YAML::Exception& e) {
    return ErrorAt(source, e.mark, e.msg);
  }
}

Expected<Hardware> ReadHardwareFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return Error(ErrorCode::kIo, "can't read " + path);
  return ParseHardware(text.str(), path);
}

}  // namespace acme
