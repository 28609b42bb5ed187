// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What constants and inputs hold: a pattern, numbers, a file, another constant's elements.

#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

#include "conformance/spec/graph/graph_spec.h"
#include "conformance/spec/text/schema.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

litert::Expected<DataSpec> ReadLike(MapReader& map, const Value& like) {
  DataSpec data;
  data.pattern = DataSpec::Pattern::kLike;
  LITERT_ASSIGN_OR_RETURN(data.like, ReadString(like));
  LITERT_ASSIGN_OR_RETURN(const Value* but, map.Required("but"));
  LITERT_ASSIGN_OR_RETURN(const size_t place,
                          ReadChoice(*but, {std::begin(kPlaceNames), std::end(kPlaceNames)}));
  data.place = static_cast<DataSpec::Place>(place);
  LITERT_RETURN_IF_ERROR(map.Finish());
  return data;
}

}  // namespace

litert::Expected<DataSpec> ReadData(const Value& value) {
  DataSpec data;
  if (value.is_list()) {
    data.pattern = DataSpec::Pattern::kValues;
    LITERT_ASSIGN_OR_RETURN(data.values, ReadNumbers(value, /*allow_special=*/true));
    return data;
  }
  if (value.is_map()) {
    LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "data"));
    if (const Value* like = map.Optional("like"); like != nullptr) return ReadLike(map, *like);
    LITERT_ASSIGN_OR_RETURN(const Value* file, map.Required("file"));
    LITERT_ASSIGN_OR_RETURN(const std::string path, ReadString(*file));
    LITERT_RETURN_IF_ERROR(map.Finish());
    data.pattern = DataSpec::Pattern::kFile;
    const std::filesystem::path folder =
        value.at.file == nullptr ? "" : std::filesystem::path(*value.at.file).parent_path();
    data.file = (folder / path).string();
    return data;
  }
  LITERT_ASSIGN_OR_RETURN(const size_t choice,
                          ReadChoice(value, {std::begin(kPatternNames), std::end(kPatternNames)}));
  data.pattern = static_cast<DataSpec::Pattern>(choice);
  return data;
}

}  // namespace npukit::conformance
