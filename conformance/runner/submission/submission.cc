// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/submission/submission.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "conformance/observation/observation_file.h"
#include "conformance/observation/sha256.h"
#include "conformance/spec/text/text_file.h"
#include "conformance/verdict/bad_json.h"
#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/json_text.h"

namespace npukit::conformance {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormatVersion = 2;
constexpr uint64_t kMaxArchiveBytes = uint64_t{2} << 30;

struct KnownFile {
  const char* name;
  bool required;
};
constexpr KnownFile kKnownFiles[] = {{kClaimsName, true},   {kResultsName, true},
                                     {kLogName, true},      {kObservationFile, true},
                                     {kWaiversName, false}, {kBaselineName, false}};

litert::Unexpected Bad(const std::string& message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, message);
}

std::string TextOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

litert::Expected<void> CheckFile(const Manifest& manifest, const TarEntry& entry) {
  const auto said = manifest.files.find(entry.name);
  if (said == manifest.files.end())
    return Bad(fmt::format("{} is in the archive, but not in its manifest", entry.name));
  const bool is_known =
      std::any_of(std::begin(kKnownFiles), std::end(kKnownFiles),
                  [&](const KnownFile& known) { return entry.name == known.name; });
  if (!is_known) return Bad(fmt::format("{} is no part of a submission", entry.name));
  if (said->second.bytes != entry.bytes.size() || said->second.sha256 != Sha256(entry.bytes))
    return Bad(fmt::format("{} is not what the manifest says: it was changed", entry.name));
  return {};
}

litert::Expected<void> CheckFiles(const Submission& submission,
                                  const std::vector<TarEntry>& entries) {
  for (const TarEntry& entry : entries) {
    if (entry.name == kManifestName) continue;
    LITERT_RETURN_IF_ERROR(CheckFile(submission.manifest, entry));
  }
  for (const auto& [name, file] : submission.manifest.files) {
    if (!submission.files.contains(name))
      return Bad(fmt::format("the manifest names '{:.100}', the archive does not hold it", name));
  }
  for (const KnownFile& known : kKnownFiles) {
    if (known.required && !submission.files.contains(known.name))
      return Bad(fmt::format("the archive has no {}", known.name));
  }
  return {};
}

}  // namespace

std::map<std::string, std::string> DigestsOf(const RunInfo& info) {
  return {{"plugin", info.plugin_digest},   {"dispatch", info.dispatch_digest},
          {"claims", info.claims_digest},   {"suites", info.suites_digest},
          {"waivers", info.waivers_digest}, {"baseline", info.baseline_digest},
          {"kit", info.kit_digest},         {"host", info.host_digest}};
}

std::string ManifestText(const Manifest& manifest) {
  Json json = {{"submission", kFormatVersion},
               {"kit_version", manifest.kit_version},
               {"manufacturer", manifest.manufacturer},
               {"made", manifest.made},
               {"system", manifest.system},
               {"digests", manifest.digests},
               {"files", Json::object()}};
  for (const auto& [name, file] : manifest.files)
    json["files"][name] = {{"bytes", file.bytes}, {"sha256", file.sha256}};
  json["sha256"] = Sha256(tools::JsonText(json, 1));
  return tools::JsonText(json, 1) + "\n";
}

litert::Expected<Manifest> ReadManifest(std::string_view text) {
  const Json json = tools::ParseJson(text);
  if (!json.is_object() || !json.contains("submission"))
    return BadJson(kManifestName, "is no manifest of a submission");
  if (json["submission"] != kFormatVersion)
    return BadJson(kManifestName, fmt::format("expected \"submission\": {}", kFormatVersion));
  Manifest manifest;
  manifest.kit_version = TextOf(json, "kit_version");
  manifest.manufacturer = TextOf(json, "manufacturer");
  manifest.made = TextOf(json, "made");
  manifest.system = TextOf(json, "system");
  if (const auto digests = json.find("digests"); digests != json.end() && digests->is_object()) {
    for (const auto& [name, digest] : digests->items()) {
      if (digest.is_string()) manifest.digests[name] = digest.get<std::string>();
    }
  }
  const auto files = json.find("files");
  if (files == json.end() || !files->is_object()) return BadJson(kManifestName, "lists no files");
  for (const auto& [name, file] : files->items()) {
    const auto bytes = file.is_object() ? file.find("bytes") : file.end();
    if (!file.is_object() || bytes == file.end() || !bytes->is_number_unsigned())
      return BadJson(kManifestName, fmt::format("'{:.100}' has no size", name));
    manifest.files[name] = {bytes->get<uint64_t>(), TextOf(file, "sha256")};
  }
  // A manifest has one text. This finds a wrong digest, and whatever was added or put otherwise.
  if (ManifestText(manifest) != text)
    return BadJson(kManifestName, "is not as it was written: it was changed");
  return manifest;
}

std::string_view Submission::File(const std::string& name) const {
  const auto found = files.find(name);
  return found == files.end() ? std::string_view() : found->second;
}

litert::Expected<void> ReadSubmission(const std::string& path, Submission& submission) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return Bad("No such file or directory");
  if (error) return Bad(error.message());
  if (status.type() != std::filesystem::file_type::regular) return Bad("is no regular file");
  if (std::filesystem::file_size(path, error) > kMaxArchiveBytes || error)
    return Bad("is too large for a submission");
  auto archive = ReadTextFile(path);
  if (!archive) return Bad("can't be read");
  submission.archive = std::move(*archive);
  LITERT_ASSIGN_OR_RETURN(const std::vector<TarEntry> entries, ReadTar(submission.archive));
  for (const TarEntry& entry : entries) submission.files[entry.name] = entry.bytes;
  const auto manifest = submission.files.extract(kManifestName);
  if (manifest.empty()) return Bad(fmt::format("the archive has no {}", kManifestName));
  LITERT_ASSIGN_OR_RETURN(submission.manifest, ReadManifest(manifest.mapped()));
  return CheckFiles(submission, entries);
}

litert::Expected<void> WriteSubmission(const std::string& path, Manifest manifest,
                                       const std::vector<TarEntry>& files) {
  for (const TarEntry& entry : files)
    manifest.files[entry.name] = {entry.bytes.size(), Sha256(entry.bytes)};
  const std::string text = ManifestText(manifest);
  std::vector<TarEntry> entries = {{kManifestName, text}};
  entries.insert(entries.end(), files.begin(), files.end());
  return WriteTar(path, entries);
}

}  // namespace npukit::conformance
