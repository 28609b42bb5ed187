// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// MapModel: the bytes of a model, which may be a part of a bundle.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/bundle/bundle.h"
#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/reading/model_reader.h"

namespace npukit {
namespace {

litert::Unexpected NoModel(const Bundle& bundle, std::string_view path, const std::string& why) {
  std::string names;
  for (const BundleSection& section : bundle.sections) {
    if (section.is_model) names += (names.empty() ? "" : ", ") + section.name;
  }
  return litert::Unexpected(
      kLiteRtStatusErrorInvalidArgument,
      fmt::format("{}: {}; its models are: {}", path, why, names.empty() ? "none" : names));
}

litert::Expected<SharedBytes> ModelOf(const Bundle& bundle, std::string_view path,
                                      std::string_view part) {
  const BundleSection* found = nullptr;
  if (!part.empty()) {
    found = bundle.Find(part);
    if (found == nullptr || !found->is_model)
      return NoModel(bundle, path, fmt::format("the bundle has no model '{}'", part));
    return found->bytes;
  }
  for (const BundleSection& section : bundle.sections) {
    if (!section.is_model) continue;
    if (found != nullptr) {
      return NoModel(bundle, path,
                     fmt::format("the bundle has several models, say which: {}#NAME", path));
    }
    found = &section;
  }
  if (found == nullptr) return NoModel(bundle, path, "the bundle has no model");
  return found->bytes;
}

}  // namespace

litert::Expected<SharedBytes> MapModel(const std::string& path) {
  auto file = MapFile(path);
  const size_t mark = path.rfind('#');
  if (file || mark == std::string::npos) {
    if (!file || !LooksLikeBundle(file->bytes)) return file;
    LITERT_ASSIGN_OR_RETURN(const Bundle bundle, ParseBundle(std::move(*file), path));
    return ModelOf(bundle, path, "");
  }
  const std::string bundle_path = path.substr(0, mark);
  LITERT_ASSIGN_OR_RETURN(SharedBytes whole, MapFile(bundle_path));
  if (!LooksLikeBundle(whole.bytes)) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              bundle_path + ": is no bundle, of which a part could be named");
  }
  LITERT_ASSIGN_OR_RETURN(const Bundle bundle, ParseBundle(std::move(whole), bundle_path));
  return ModelOf(bundle, bundle_path, std::string_view(path).substr(mark + 1));
}

}  // namespace npukit
