// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "litert/c/options/litert_qualcomm_options.h"
#include "sdk/host/c_api/support/option_functions.h"
#include "sdk/host/c_api/support/toml_options.h"

namespace {

constexpr std::string_view kCustomOpPackage = "custom_op_package";
constexpr std::array<std::string_view, 5> kPackageParts = {
    "name", "interface_provider", "compile_package_path", "dispatch_package_path", "target"};
using Package = std::array<std::string, kPackageParts.size()>;

std::string PackageText(const std::array<const char*, kPackageParts.size()>& parts) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    text.append(kPackageParts[i]).append(":").append(parts[i]).append(";");
  }
  return text;
}

// False if the text is not "part:value;..." of known parts. Those that it leaves out are empty.
bool ParsePackage(std::string_view text, Package& package) {
  package = {};
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    const std::string_view token = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (token.empty()) continue;
    const size_t colon = token.find(':');
    if (colon == std::string_view::npos) return false;
    size_t part = 0;
    while (part < kPackageParts.size() && kPackageParts[part] != token.substr(0, colon)) ++part;
    if (part == kPackageParts.size()) return false;
    package[part] = token.substr(colon + 1);
  }
  return true;
}

}  // namespace

class LrtQualcommOptionsT : public npukit::TomlOptions {
 public:
  Package package;  // what LrtQualcommOptionsGetCustomOpPackage last gave
};

using npukit::option_functions::Create;
using npukit::option_functions::Data;
using npukit::option_functions::Get;
using npukit::option_functions::Set;

extern "C" {

DEFINE_OPTIONS(Qualcomm, LrtQualcommOptions, LrtQualcommOptions, "qualcomm")
DEFINE_OPTIONS_FROM_TOML(Qualcomm, LrtQualcommOptions)
const char* LrtQualcommOptionsGetIdentifier(void) { return "qualcomm"; }
#define OPTION(type, set, get, key, fallback) \
  DEFINE_OPTION(LrtQualcommOptions, LrtQualcommOptions, type, set, get, key, fallback)
#include "litert/c/options/litert_qualcomm_options.def"

LiteRtStatus LrtQualcommOptionsSetDumpTensorIds(LrtQualcommOptions options, const int32_t* ids,
                                                size_t number_of_ids) {
  if (!options || (number_of_ids > 0 && !ids)) return kLiteRtStatusErrorInvalidArgument;
  options->Set("dump_tensor_ids", std::vector<int32_t>(ids, ids + number_of_ids));
  return kLiteRtStatusOk;
}

LiteRtStatus LrtQualcommOptionsGetDumpTensorIds(LrtQualcommOptions options, const int32_t** ids,
                                                size_t* number_of_ids) {
  if (!options || !ids || !number_of_ids) return kLiteRtStatusErrorInvalidArgument;
  *ids = nullptr;
  *number_of_ids = 0;
  const npukit::TomlValue* found = options->Find("dump_tensor_ids");
  if (!found) return kLiteRtStatusOk;
  const auto* list = std::get_if<std::vector<int32_t>>(found);
  if (!list) return kLiteRtStatusErrorInvalidArgument;
  *ids = list->data();
  *number_of_ids = list->size();
  return kLiteRtStatusOk;
}

LiteRtStatus LrtQualcommOptionsSetCustomOpPackage(LrtQualcommOptions options, const char* name,
                                                  const char* interface_provider,
                                                  const char* compile_package_path,
                                                  const char* dispatch_package_path,
                                                  const char* target) {
  const std::array<const char*, kPackageParts.size()> parts = {
      name, interface_provider, compile_package_path, dispatch_package_path, target};
  if (!options) return kLiteRtStatusErrorInvalidArgument;
  for (const char* part : parts) {
    if (!part || std::string_view(part).find(';') != std::string_view::npos) {
      return kLiteRtStatusErrorInvalidArgument;
    }
  }
  options->Set(kCustomOpPackage, PackageText(parts));
  return kLiteRtStatusOk;
}

LiteRtStatus LrtQualcommOptionsGetCustomOpPackage(LrtQualcommOptions options, const char** name,
                                                  const char** interface_provider,
                                                  const char** compile_package_path,
                                                  const char** dispatch_package_path,
                                                  const char** target) {
  const std::array<const char**, kPackageParts.size()> parts = {
      name, interface_provider, compile_package_path, dispatch_package_path, target};
  if (!options) return kLiteRtStatusErrorInvalidArgument;
  for (const char** part : parts) {
    if (!part) return kLiteRtStatusErrorInvalidArgument;
  }
  const npukit::TomlValue* found = options->Find(kCustomOpPackage);
  const auto* text = found ? std::get_if<std::string>(found) : nullptr;
  if (found && (!text || !ParsePackage(*text, options->package))) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (!found) options->package = {};
  for (size_t i = 0; i < parts.size(); ++i) *parts[i] = options->package[i].c_str();
  return kLiteRtStatusOk;
}

}  // extern "C"
