// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/text/value_parser.h"

#include <yaml-cpp/yaml.h>

#include <memory>
#include <sstream>

#include "conformance/spec/text/text_file.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

SourceLocation LocationOf(const YAML::Mark& mark, const std::shared_ptr<const std::string>& file) {
  SourceLocation at{file, 1, 1};
  if (!mark.is_null()) {
    at.line = mark.line + 1;
    at.column = mark.column + 1;
  }
  return at;
}

// Copies a YAML tree, following aliases, within the bounds.
class Converter {
 public:
  explicit Converter(std::shared_ptr<const std::string> file) : file_(std::move(file)) {}

  litert::Expected<Value> Convert(const YAML::Node& node, int depth) {
    Value value;
    value.at = LocationOf(node.Mark(), file_);
    if (depth > kMaxSpecDepth) return SpecError(value.at, "nested too deeply");
    if (++count_ > kMaxSpecValues)
      return SpecError(value.at, "too many values; do aliases multiply?");
    switch (node.Type()) {
      case YAML::NodeType::Scalar:
        value.kind = Value::Kind::kScalar;
        value.text = node.Scalar();
        // yaml-cpp's tag of a scalar in quotes.
        value.quoted = node.Tag() == "!";
        return value;
      case YAML::NodeType::Sequence:
        return ConvertList(node, depth, std::move(value));
      case YAML::NodeType::Map:
        return ConvertMap(node, depth, std::move(value));
      default:
        return value;
    }
  }

 private:
  litert::Expected<Value> ConvertList(const YAML::Node& node, int depth, Value value) {
    value.kind = Value::Kind::kList;
    for (const YAML::Node& item : node) {
      LITERT_ASSIGN_OR_RETURN(Value converted, Convert(item, depth + 1));
      value.items.push_back(std::move(converted));
    }
    return value;
  }

  litert::Expected<Value> ConvertMap(const YAML::Node& node, int depth, Value value) {
    value.kind = Value::Kind::kMap;
    for (const auto& member : node) {
      const SourceLocation key_at = LocationOf(member.first.Mark(), file_);
      if (!member.first.IsScalar()) return SpecError(key_at, "a key must be a plain word");
      const std::string& key = member.first.Scalar();
      if (value.Find(key) != nullptr) return SpecError(key_at, "duplicate key '" + key + "'");
      LITERT_ASSIGN_OR_RETURN(Value converted, Convert(member.second, depth + 1));
      // An empty value has no place of its own: its key's serves.
      if (converted.is_null()) converted.at = key_at;
      converted.key_at = key_at;
      value.members.push_back({key, std::move(converted)});
    }
    return value;
  }

  std::shared_ptr<const std::string> file_;
  size_t count_ = 0;
};

}  // namespace

litert::Expected<Value> ParseValue(std::string_view yaml, const std::string& file) {
  auto shared_file = std::make_shared<const std::string>(file);
  const SourceLocation start{shared_file, 1, 1};
  if (yaml.size() > kMaxSpecFileBytes) return SpecError(start, "file is larger than 8 MiB");
  // The YAML library throws; nothing above it does.
  try {
    std::istringstream stream{std::string(yaml)};
    const std::vector<YAML::Node> documents = YAML::LoadAll(stream);
    if (documents.empty()) return SpecError(start, "file is empty");
    if (documents.size() > 1) return SpecError(start, "file has more than one document");
    return Converter(shared_file).Convert(documents.front(), 0);
  } catch (const YAML::Exception& error) {
    return SpecError(LocationOf(error.mark, shared_file), error.msg);
  } catch (const std::exception& error) {
    return SpecError(start, std::string("not readable as YAML: ") + error.what());
  }
}

litert::Expected<Value> ParseValueFile(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(path));
  return ParseValue(text, path);
}

}  // namespace npukit::conformance
