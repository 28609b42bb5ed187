// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "litert/c/options/litert_google_tensor_options.h"
#include "sdk/host/c_api/support/option_functions.h"
#include "sdk/host/c_api/support/toml_options.h"

class LrtGoogleTensorOptionsT : public npukit::TomlOptions {
 public:
  // What the functions for one entry last gave.
  std::pair<std::string, std::string> entry;
};

namespace {

constexpr std::string_view kInput = "input_coherency_";
constexpr std::string_view kOutput = "output_coherency_";

LiteRtStatus SetCoherency(LrtGoogleTensorOptions options, std::string_view prefix,
                          const char* signature, const char* tensor, bool is_coherent) {
  // A colon ends the signature's name in the text.
  if (!options || !signature || !tensor ||
      std::string_view(signature).find(':') != std::string_view::npos) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  options->Set(std::string(prefix) + signature + ":" + tensor, is_coherent);
  return kLiteRtStatusOk;
}

LiteRtStatus GetCoherency(LrtGoogleTensorOptions options, std::string_view prefix,
                          const char* signature, const char* tensor, bool* is_coherent) {
  if (!options || !signature || !tensor) return kLiteRtStatusErrorInvalidArgument;
  const std::string key = std::string(prefix) + signature + ":" + tensor;
  return npukit::option_functions::Get(options, key.c_str(), is_coherent, false);
}

using Entries = std::map<std::pair<std::string, std::string>, bool>;

Entries ListEntries(const npukit::TomlOptions& options, std::string_view prefix) {
  Entries entries;
  options.ForEach([&](std::string_view key, const npukit::TomlValue& value) {
    const bool* is_coherent = std::get_if<bool>(&value);
    if (!key.starts_with(prefix) || !is_coherent) return;
    key.remove_prefix(prefix.size());
    const size_t colon = key.find(':');
    if (colon == std::string_view::npos) return;
    entries.emplace(std::pair(key.substr(0, colon), key.substr(colon + 1)), *is_coherent);
  });
  return entries;
}

LiteRtStatus CountEntries(LrtGoogleTensorOptions options, std::string_view prefix, int* count) {
  if (!options || !count) return kLiteRtStatusErrorInvalidArgument;
  *count = static_cast<int>(ListEntries(*options, prefix).size());
  return kLiteRtStatusOk;
}

LiteRtStatus GetEntry(LrtGoogleTensorOptions options, std::string_view prefix, int index,
                      const char** signature, const char** tensor, bool* is_coherent) {
  if (!options || !signature || !tensor || !is_coherent || index < 0) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const Entries entries = ListEntries(*options, prefix);
  if (static_cast<size_t>(index) >= entries.size()) return kLiteRtStatusErrorInvalidArgument;
  const auto found = std::next(entries.begin(), index);
  options->entry = found->first;
  *signature = options->entry.first.c_str();
  *tensor = options->entry.second.c_str();
  *is_coherent = found->second;
  return kLiteRtStatusOk;
}

}  // namespace

using npukit::option_functions::Create;
using npukit::option_functions::Data;
using npukit::option_functions::Get;
using npukit::option_functions::Set;
using npukit::option_functions::UNSET;

extern "C" {

DEFINE_OPTIONS(GoogleTensor, LrtGoogleTensorOptions, LrtGoogleTensorOptions, "google_tensor")
DEFINE_OPTIONS_FROM_TOML(GoogleTensor, LrtGoogleTensorOptions)
const char* LrtGoogleTensorOptionsGetIdentifier(void) { return "google_tensor"; }
#define OPTION(type, set, get, key, fallback) \
  DEFINE_OPTION(LrtGoogleTensorOptions, LrtGoogleTensorOptions, type, set, get, key, fallback)
#include "litert/c/options/litert_google_tensor_options.def"

#define DEFINE_COHERENCY(Kind, prefix)                                                         \
  LiteRtStatus LrtGoogleTensorOptionsSet##Kind##Coherency(                                     \
      LrtGoogleTensorOptions options, const char* signature_name, const char* tensor_name,     \
      bool prefer_coherent) {                                                                  \
    return SetCoherency(options, prefix, signature_name, tensor_name, prefer_coherent);        \
  }                                                                                            \
  LiteRtStatus LrtGoogleTensorOptionsGet##Kind##Coherency(                                     \
      LrtGoogleTensorOptions options, const char* signature_name, const char* tensor_name,     \
      bool* prefer_coherent) {                                                                 \
    return GetCoherency(options, prefix, signature_name, tensor_name, prefer_coherent);        \
  }                                                                                            \
  LiteRtStatus LrtGoogleTensorOptionsGetNum##Kind##CoherencyEntries(                           \
      LrtGoogleTensorOptions options, int* num_entries) {                                      \
    return CountEntries(options, prefix, num_entries);                                         \
  }                                                                                            \
  LiteRtStatus LrtGoogleTensorOptionsGet##Kind##CoherencyEntry(                                \
      LrtGoogleTensorOptions options, int entry_idx, const char** signature_name,              \
      const char** tensor_name, bool* prefer_coherent) {                                       \
    return GetEntry(options, prefix, entry_idx, signature_name, tensor_name, prefer_coherent); \
  }
DEFINE_COHERENCY(Input, kInput)
DEFINE_COHERENCY(Output, kOutput)
#undef DEFINE_COHERENCY

}  // extern "C"
