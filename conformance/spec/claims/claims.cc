// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/claims/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "conformance/spec/graph/graph_spec.h"
#include "conformance/spec/graph/op_option_reader.h"
#include "conformance/spec/text/schema.h"
#include "conformance/spec/text/value_parser.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance {
namespace {

constexpr int64_t kFormatVersion = 1;

// One type of all outputs, or a list with one of each.
litert::Expected<void> ReadOutputs(const Value& value, TypeClaim& types) {
  if (value.is_scalar()) {
    LITERT_ASSIGN_OR_RETURN(types.out, ReadElementType(value));
    return {};
  }
  LITERT_RETURN_IF_ERROR(ExpectList(value));
  if (value.items.empty()) return SpecError(value.at, "expected a type for each output");
  for (size_t i = 0; i < value.items.size(); ++i) {
    LITERT_ASSIGN_OR_RETURN(const LiteRtElementType type, ReadElementType(value.items[i]));
    if (i == 0) {
      types.out = type;
    } else {
      types.further_outs.push_back(type);
    }
  }
  return {};
}

litert::Expected<TypeClaim> ReadTypes(const Value& value) {
  TypeClaim types;
  if (value.is_scalar()) {
    LITERT_ASSIGN_OR_RETURN(types.in, ReadElementType(value));
    types.out = types.in;
    return types;
  }
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "a type"));
  LITERT_ASSIGN_OR_RETURN(const Value* in, map.Required("in"));
  LITERT_ASSIGN_OR_RETURN(types.in, ReadElementType(*in));
  types.out = types.in;
  if (const Value* out = map.Optional("out"); out != nullptr) {
    LITERT_RETURN_IF_ERROR(ReadOutputs(*out, types));
  }
  if (const Value* weights = map.Optional("weights"); weights != nullptr) {
    LITERT_ASSIGN_OR_RETURN(types.weights, ReadElementType(*weights));
  }
  if (const Value* bias = map.Optional("bias"); bias != nullptr) {
    LITERT_ASSIGN_OR_RETURN(types.bias, ReadElementType(*bias));
  }
  LITERT_RETURN_IF_ERROR(map.Finish());
  return types;
}

litert::Expected<std::optional<int>> ReadOptionalInt(const Value* value, int64_t min, int64_t max) {
  if (value == nullptr) return std::optional<int>();
  LITERT_ASSIGN_OR_RETURN(const int64_t number, ReadInteger(*value, min, max));
  return std::optional<int>(static_cast<int>(number));
}

litert::Expected<std::vector<int>> ReadIndices(const Value* value) {
  std::vector<int> indices;
  if (value == nullptr) return indices;
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> numbers, ReadIntegers(*value, 0, 1000));
  indices.assign(numbers.begin(), numbers.end());
  return indices;
}

litert::Expected<OptionRange> ReadOptionRange(const std::string& name, const Value& value) {
  OptionRange range{.field = name, .min = {}, .max = {}};
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "a range of an option"));
  if (const Value* min = map.Optional("min"); min != nullptr) {
    LITERT_ASSIGN_OR_RETURN(range.min, ReadNumber(*min));
  }
  if (const Value* max = map.Optional("max"); max != nullptr) {
    LITERT_ASSIGN_OR_RETURN(range.max, ReadNumber(*max));
  }
  LITERT_RETURN_IF_ERROR(map.Finish());
  if (!range.min && !range.max) return SpecError(value.at, "a range needs 'min' or 'max'");
  if (range.min && range.max && *range.min > *range.max) {
    return SpecError(map.Optional("min")->at,
                     fmt::format("min {} is above max {}", *range.min, *range.max));
  }
  return range;
}

litert::Expected<void> ReadOptionLimits(const Value& value, OpLimits& limits) {
  if (!value.is_map())
    return SpecError(value.at, "expected a map of options, found " + value.Describe());
  for (const auto& [name, member] : value.members) {
    if (member.is_map()) {
      LITERT_ASSIGN_OR_RETURN(OptionRange range, ReadOptionRange(name, member));
      limits.option_ranges.push_back(std::move(range));
      continue;
    }
    LITERT_ASSIGN_OR_RETURN(std::vector<std::string> texts, ReadStrings(member));
    limits.options.emplace_back(name, std::move(texts));
  }
  return {};
}

litert::Expected<OpLimits> ReadLimits(const Value& value) {
  OpLimits limits;
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "limits"));
  LITERT_ASSIGN_OR_RETURN(limits.min_rank, ReadOptionalInt(map.Optional("min_rank"), 0, 8));
  LITERT_ASSIGN_OR_RETURN(limits.max_rank, ReadOptionalInt(map.Optional("max_rank"), 0, 8));
  if (limits.min_rank && limits.max_rank && *limits.min_rank > *limits.max_rank) {
    return SpecError(map.Optional("min_rank")->at, fmt::format("min_rank {} is above max_rank {}",
                                                               *limits.min_rank, *limits.max_rank));
  }
  if (const Value* max_dim = map.Optional("max_dim"); max_dim != nullptr) {
    LITERT_ASSIGN_OR_RETURN(limits.max_dim, ReadInteger(*max_dim, 1));
  }
  if (const Value* max_elems = map.Optional("max_elems"); max_elems != nullptr) {
    LITERT_ASSIGN_OR_RETURN(limits.max_elems, ReadInteger(*max_elems, 1));
  }
  if (const Value* broadcast = map.Optional("broadcast"); broadcast != nullptr) {
    LITERT_ASSIGN_OR_RETURN(limits.broadcast, ReadBool(*broadcast));
  }
  if (const Value* per_channel = map.Optional("per_channel"); per_channel != nullptr) {
    LITERT_ASSIGN_OR_RETURN(limits.per_channel, ReadBool(*per_channel));
  }
  LITERT_ASSIGN_OR_RETURN(limits.constant_inputs, ReadIndices(map.Optional("constant_inputs")));
  LITERT_ASSIGN_OR_RETURN(limits.variable_inputs, ReadIndices(map.Optional("variable_inputs")));
  if (const Value* options = map.Optional("options"); options != nullptr) {
    LITERT_RETURN_IF_ERROR(ReadOptionLimits(*options, limits));
  }
  LITERT_RETURN_IF_ERROR(map.Finish());
  return limits;
}

litert::Expected<void> CheckOpName(const Value& value, const std::string& name) {
  if (name.starts_with("custom:") || name.find('.') != std::string::npos || OpCodeFromName(name))
    return {};
  return SpecError(value.at, "unknown operator '" + name + "'");
}

// Options that are limited must be the operator's, and their values such as it can have. Those of
// composites and custom ops, which have none in the schema, are not known.
litert::Expected<void> CheckOptionLimits(const std::string& op, const Value& options) {
  const std::optional<LiteRtOpCode> code = OpCodeFromName(op);
  if (!code) return {};
  for (const Value::Member& member : options.members) {
    // Lists are held against the text of the whole list, which is not read here.
    if (OptionText(DefaultOpOptions(*code), member.first).starts_with('[')) continue;
    // A range limits a number; what it is does not matter to whether the field is known.
    std::vector<Value> values =
        member.second.is_list() ? member.second.items : std::vector<Value>{member.second};
    if (member.second.is_map()) {
      values.front().kind = Value::Kind::kScalar;
      values.front().text = "1";
      values.front().members.clear();
    }
    for (Value& value : values) {
      value.key_at = member.second.key_at;
      Value one;
      one.kind = Value::Kind::kMap;
      one.at = options.at;
      one.members.push_back({member.first, std::move(value)});
      LITERT_RETURN_IF_ERROR(ReadOpOptions(*code, one));
    }
  }
  return {};
}

// `once` or `twice`. Results that have no steps are never rounded to them.
litert::Expected<bool> ReadRounding(const Value& value, const std::vector<TypeClaim>& types) {
  LITERT_ASSIGN_OR_RETURN(const std::string text, ReadString(value));
  if (text != "once" && text != "twice")
    return SpecError(value.at, "rounding is once or twice, not '" + text + "'");
  const bool once = text == "once";
  for (const TypeClaim& claim : types) {
    const bool has_steps = claim.out == kLiteRtElementTypeInt8 ||
                           claim.out == kLiteRtElementTypeUInt8 ||
                           claim.out == kLiteRtElementTypeInt16;
    if (once && !has_steps) {
      return SpecError(value.at, "rounding: once is of int8, uint8 and int16 results; " +
                                     claim.ToString() + " has none");
    }
  }
  return once;
}

// One entry may name several ops; each becomes a claim.
litert::Expected<std::vector<OpClaim>> ReadOpClaims(const Value& value) {
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "a claim"));
  LITERT_ASSIGN_OR_RETURN(const Value* op, map.Required("op"));
  LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> names, ReadOpNames(*op));
  OpClaim claim;
  claim.at = value.at;
  LITERT_ASSIGN_OR_RETURN(const Value* types, map.Required("types"));
  LITERT_ASSIGN_OR_RETURN(claim.types, ReadTypeClaims(*types));
  if (const Value* limits = map.Optional("limits"); limits != nullptr) {
    LITERT_ASSIGN_OR_RETURN(claim.limits, ReadLimits(*limits));
    if (const Value* options = limits->Find("options"); options != nullptr) {
      for (const std::string& name : names)
        LITERT_RETURN_IF_ERROR(CheckOptionLimits(name, *options));
    }
  }
  if (const Value* rounding = map.Optional("rounding"); rounding != nullptr) {
    LITERT_ASSIGN_OR_RETURN(claim.rounds_once, ReadRounding(*rounding, claim.types));
  }
  LITERT_RETURN_IF_ERROR(map.Finish());
  std::vector<OpClaim> claims;
  for (const std::string& name : names) {
    claim.op = name;
    claims.push_back(claim);
  }
  return claims;
}

litert::Expected<ExpectedFailure> ReadExpectedFailure(const Value& value) {
  ExpectedFailure failure;
  failure.at = value.at;
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "an expected failure"));
  LITERT_ASSIGN_OR_RETURN(const Value* pattern, map.Required("case"));
  LITERT_ASSIGN_OR_RETURN(failure.pattern, ReadNamePattern(*pattern));
  LITERT_ASSIGN_OR_RETURN(const Value* reason, map.Required("reason"));
  LITERT_ASSIGN_OR_RETURN(failure.reason, ReadString(*reason));
  if (failure.reason.empty()) return SpecError(reason->at, "an expected failure needs a reason");
  LITERT_RETURN_IF_ERROR(map.Finish());
  return failure;
}

litert::Expected<void> ReadOps(const Value& value, Claims& claims) {
  LITERT_RETURN_IF_ERROR(ExpectList(value));
  std::map<std::string, SourceLocation> observed;
  for (const Value& item : value.items) {
    LITERT_ASSIGN_OR_RETURN(std::vector<OpClaim> read, ReadOpClaims(item));
    for (OpClaim& claim : read) {
      for (const TypeClaim& types : claim.types) {
        const std::string what = claim.op + " " + types.ToString();
        const auto [first, inserted] = observed.emplace(what, claim.at);
        if (!inserted) {
          return SpecError(claim.at,
                           what + " is claimed twice; the first is at " + first->second.ToString());
        }
      }
      claims.ops.push_back(std::move(claim));
    }
  }
  return {};
}

}  // namespace

std::string OptionValueText(const std::string& claim, const std::string& field,
                            const std::string& value) {
  return fmt::format("{}: {} {}", claim, field, value);
}

bool IsOptionValueText(const std::string& text) { return text.find(": ") != std::string::npos; }

litert::Expected<std::vector<TypeClaim>> ReadTypeClaims(const Value& value) {
  LITERT_RETURN_IF_ERROR(ExpectList(value));
  std::vector<TypeClaim> types;
  for (const Value& item : value.items) {
    LITERT_ASSIGN_OR_RETURN(TypeClaim read, ReadTypes(item));
    types.push_back(read);
  }
  if (types.empty()) return SpecError(value.at, "a claim needs at least one type");
  return types;
}

litert::Expected<std::vector<std::string>> ReadOpNames(const Value& value) {
  LITERT_ASSIGN_OR_RETURN(std::vector<std::string> names, ReadStrings(value));
  for (const std::string& name : names) LITERT_RETURN_IF_ERROR(CheckOpName(value, name));
  return names;
}

bool TypeClaim::HasOutputs(const Op& op) const {
  const bool each = !further_outs.empty();
  if (each && op.outputs.size() != further_outs.size() + 1) return false;
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    if (op.outputs[i]->element_type != (each && i > 0 ? further_outs[i - 1] : out)) return false;
  }
  return true;
}

std::string TypeClaim::ToString() const {
  std::string text = ElementTypeName(in);
  if (weights) text += " x " + ElementTypeName(*weights);
  if (bias) text += " + " + ElementTypeName(*bias);
  if (out != in || !further_outs.empty()) text += "->" + ElementTypeName(out);
  for (LiteRtElementType further : further_outs) text += "," + ElementTypeName(further);
  return text;
}

const ExpectedFailure* Claims::FindExpectedFailure(const std::string& result_name) const {
  for (const ExpectedFailure& failure : expected_failures) {
    if (failure.pattern.Matches(result_name)) return &failure;
  }
  return nullptr;
}

litert::Expected<Claims> ReadClaims(const Value& value) {
  Claims claims;
  if (value.at.file) claims.file = *value.at.file;
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "claims"));
  LITERT_ASSIGN_OR_RETURN(const Value* version, map.Required("claims"));
  LITERT_RETURN_IF_ERROR(ReadInteger(*version, kFormatVersion, kFormatVersion));
  LITERT_ASSIGN_OR_RETURN(const Value* manufacturer, map.Required("manufacturer"));
  LITERT_ASSIGN_OR_RETURN(claims.manufacturer, ReadString(*manufacturer));
  LITERT_ASSIGN_OR_RETURN(const Value* socs, map.Required("socs"));
  LITERT_RETURN_IF_ERROR(ExpectList(*socs));
  LITERT_ASSIGN_OR_RETURN(claims.socs, ReadStrings(*socs));
  if (std::set<std::string>(claims.socs.begin(), claims.socs.end()).size() != claims.socs.size()) {
    return SpecError(socs->at, "a SoC stands twice");
  }
  LITERT_ASSIGN_OR_RETURN(const Value* ops, map.Required("ops"));
  LITERT_RETURN_IF_ERROR(ReadOps(*ops, claims));
  if (const Value* failures = map.Optional("expected_failures");
      failures != nullptr && !failures->is_null()) {
    LITERT_RETURN_IF_ERROR(ExpectList(*failures));
    for (const Value& item : failures->items) {
      LITERT_ASSIGN_OR_RETURN(ExpectedFailure failure, ReadExpectedFailure(item));
      claims.expected_failures.push_back(std::move(failure));
    }
  }
  if (const Value* profiles = map.Optional("profiles"); profiles != nullptr) {
    LITERT_ASSIGN_OR_RETURN(claims.profiles, ReadStrings(*profiles));
    for (size_t i = 0; i < claims.profiles.size(); ++i)
      claims.profile_places.push_back(profiles->is_scalar() ? profiles->at : profiles->items[i].at);
  }
  LITERT_RETURN_IF_ERROR(map.Finish());
  return claims;
}

litert::Expected<Claims> LoadClaims(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(const Value value, ParseValueFile(path));
  return ReadClaims(value);
}

}  // namespace npukit::conformance
