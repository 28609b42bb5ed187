// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/doctor/model_file.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <string_view>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/dispatch_op.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/tools/doctor/library_file.h"

namespace npukit::tools {
namespace {

constexpr std::string_view kBundleMark = "LITERTLM";
constexpr size_t kSectionBytes = 16 * 1024;  // sections begin at multiples of it
constexpr std::string_view kModelMark = "TFL3";
constexpr size_t kModelMarkAt = 4;

bool HasAt(std::span<const uint8_t> bytes, size_t at, std::string_view mark) {
  return bytes.size() >= at + mark.size() &&
         std::memcmp(bytes.data() + at, mark.data(), mark.size()) == 0;
}

// Runs of printable characters.
std::set<std::string> TextsOf(std::span<const uint8_t> bytes) {
  std::set<std::string> texts;
  std::string text;
  for (const uint8_t byte : bytes) {
    if (std::isprint(byte) != 0) {
      text += static_cast<char>(byte);
      continue;
    }
    if (text.size() >= 8) texts.insert(text);
    text.clear();
  }
  if (text.size() >= 8) texts.insert(text);
  return texts;
}

ModelFile Describe(const std::string& path, const Model& model) {
  ModelFile file{
      .path = path, .soc_manufacturer = {}, .soc_model = {}, .entry_points = {}, .versions = {}};
  if (const auto stamp = GetBuildStamp(model)) {
    file.has_stamp = true;
    file.soc_manufacturer = stamp->soc_manufacturer;
    file.soc_model = stamp->soc_model;
  }
  std::set<BufferStore::Id> modules;
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      ++file.ops;
      if (!IsDispatchOp(*op)) continue;
      file.entry_points.push_back(op->dispatch ? op->dispatch->entry_point : "");
      const auto bytes = op->dispatch ? model.buffers().Get(op->dispatch->bytecode).bytes
                                      : std::span<const uint8_t>();
      if (bytes.empty()) {
        ++file.empty_modules;
      } else if (modules.insert(op->dispatch->bytecode).second) {
        file.versions.merge(StatedVersions(TextsOf(bytes)));
      }
    }
  }
  return file;
}

}  // namespace

bool IsBundle(const SharedBytes& file) { return HasAt(file.bytes, 0, kBundleMark); }

litert::Expected<std::vector<ModelFile>> ExamineModels(const std::string& path,
                                                       const SharedBytes& file) {
  std::vector<ModelFile> models;
  if (!IsBundle(file)) {
    LITERT_ASSIGN_OR_RETURN(const auto model, ParseModel(file, path));
    models.push_back(Describe(path, *model));
    return models;
  }
  // Looked for, and not by the bundle's directory: a bundle that can't be unpacked is still told
  // about. Models carry their mark behind the first four bytes.
  for (size_t at = kSectionBytes; at < file.bytes.size(); at += kSectionBytes) {
    if (!HasAt(file.bytes.subspan(at), kModelMarkAt, kModelMark)) continue;
    const std::string part = fmt::format("{}#{}", path, models.size());
    LITERT_ASSIGN_OR_RETURN(const auto model,
                            ParseModel({file.bytes.subspan(at), file.owner}, part));
    models.push_back(Describe(part, *model));
  }
  if (models.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound,
                              path + ": a bundle (LITERTLM) without a .tflite model in it");
  }
  return models;
}

}  // namespace npukit::tools
