// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit compare: two files of tensors, element by element.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/tensor.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/tensors/comparison.h"
#include "sdk/tools/tensors/input_file.h"
#include "sdk/tools/tensors/npy.h"
#include "sdk/tools/tensors/text_numbers.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

struct CompareFlags {
  std::string a;
  std::string b;
  std::optional<double> max_abs;
  std::optional<double> max_rel;
  std::string type;
  std::string shape;
  int list = 10;
  bool json = false;
};

litert::Unexpected Wrong(std::string message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, std::move(message));
}

std::optional<LiteRtElementType> TypeNamed(const std::string& name) {
  for (int code = 0; code <= kElementTypeFloat8E5M2; ++code) {
    const auto type = static_cast<LiteRtElementType>(code);
    if (IsNumber(type) && ElementTypeName(type) == name) return type;
  }
  return std::nullopt;
}

std::vector<std::string> TypeNames() {
  std::vector<std::string> names;
  for (int code = 0; code <= kElementTypeFloat8E5M2; ++code) {
    const auto type = static_cast<LiteRtElementType>(code);
    if (IsNumber(type)) names.push_back(ElementTypeName(type));
  }
  return names;
}

litert::Expected<std::vector<int32_t>> ParseShape(const std::string& text) {
  std::vector<int32_t> shape;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at != end) {
    int32_t dim = 0;
    const auto [next, error] = std::from_chars(at, end, dim);
    if (error != std::errc() || dim < 0 || (next != end && (*next != ',' || next + 1 == end)))
      return Wrong(fmt::format("--shape '{}': expected dimensions with commas between", text));
    shape.push_back(dim);
    at = next == end ? end : next + 1;
  }
  return shape;
}

litert::Expected<void> CheckRawFlags(const CompareFlags& flags) {
  if (!flags.type.empty() && !TypeNamed(flags.type)) {
    return Wrong(fmt::format("--dtype '{}' is no type of numbers; there are {}", flags.type,
                             fmt::join(TypeNames(), ", ")));
  }
  if (!flags.shape.empty()) LITERT_RETURN_IF_ERROR(ParseShape(flags.shape));
  return {};
}

// Bytes without a type are told apart all the same, as uint8.
litert::Expected<TensorData> RawTensor(const std::vector<uint8_t>& content,
                                       const CompareFlags& flags) {
  const auto type = flags.type.empty() ? kLiteRtElementTypeUInt8 : TypeNamed(flags.type);
  TensorData data{.name = {}, .type = *type, .shape = {}, .bytes = content};
  LITERT_ASSIGN_OR_RETURN(data.shape, FlatShape(*type, content.size()));
  if (flags.shape.empty()) return data;
  LITERT_ASSIGN_OR_RETURN(const std::vector<int32_t> shape, ParseShape(flags.shape));
  data.shape.assign(shape.begin(), shape.end());
  if (DenseBytes(data.type, shape) != content.size())
    return Wrong(fmt::format("{} bytes are not {}", content.size(), data.TypeText()));
  return data;
}

struct Contents {
  std::vector<TensorData> tensors;  // one but for archives
  bool is_raw = false;              // nothing in the file says what its bytes are
};

// The first of the options that is given and says what raw bytes are; null if none is.
const char* OptionForRawBytes(const CompareFlags& flags) {
  if (!flags.type.empty()) return "--dtype";
  return flags.shape.empty() ? nullptr : "--shape";
}

litert::Expected<Contents> ReadContents(const std::string& path, const CompareFlags& flags) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<uint8_t> content, ReadWholeFile(path));
  bool is_raw = false;
  auto read = [&]() -> litert::Expected<std::vector<TensorData>> {
    switch (KindOf(path, content)) {
      case FileKind::kNpz:
        return ParseNpz(content);
      case FileKind::kNpy: {
        LITERT_ASSIGN_OR_RETURN(TensorData data, ParseNpy(content));
        return std::vector<TensorData>{std::move(data)};
      }
      case FileKind::kText: {
        LITERT_ASSIGN_OR_RETURN(
            const TextNumbers parsed,
            ParseTextNumbers({reinterpret_cast<const char*>(content.data()), content.size()}));
        LITERT_ASSIGN_OR_RETURN(TensorData data,
                                FromNumbers(parsed.numbers, parsed.are_floats,
                                            {static_cast<int64_t>(parsed.numbers.size())},
                                            kLiteRtElementTypeFloat64, {}));
        return std::vector<TensorData>{std::move(data)};
      }
      default: {
        is_raw = true;
        LITERT_ASSIGN_OR_RETURN(TensorData data, RawTensor(content, flags));
        return std::vector<TensorData>{std::move(data)};
      }
    }
  }();
  if (!read) return Wrong(fmt::format("{}: {}", path, read.Error().Message()));
  return Contents{.tensors = std::move(*read), .is_raw = is_raw};
}

// Of two tensors of one name, or of the only ones.
struct Pair {
  std::string name;
  const TensorData* a = nullptr;  // null: the file lacks it
  const TensorData* b = nullptr;
  std::optional<Comparison> result;
  std::string why_not;

  bool is_near() const { return result && result->outside_elems == 0; }
};

std::vector<Pair> PairsOf(const std::vector<TensorData>& a, const std::vector<TensorData>& b) {
  // Whatever their names: a file of another kind gives none.
  if (a.size() == 1 && b.size() == 1) return {{.name = a[0].name, .a = &a[0], .b = &b[0]}};
  std::vector<Pair> pairs;
  for (const TensorData& data : a) pairs.push_back({.name = data.name, .a = &data});
  for (const TensorData& data : b) {
    const auto same = std::ranges::find(pairs, data.name, &Pair::name);
    if (same == pairs.end()) {
      pairs.push_back({.name = data.name, .b = &data});
    } else {
      same->b = &data;
    }
  }
  return pairs;
}

void CompareAll(std::vector<Pair>& pairs, const CompareFlags& flags) {
  const Bounds bounds{.max_abs = flags.max_abs.value_or(0), .max_rel = flags.max_rel.value_or(0)};
  for (Pair& pair : pairs) {
    if (pair.a == nullptr || pair.b == nullptr) {
      pair.why_not = fmt::format("only {} has it", pair.a != nullptr ? flags.a : flags.b);
      continue;
    }
    auto compared = CompareTensors(*pair.a, *pair.b, bounds, static_cast<size_t>(flags.list));
    if (compared) {
      pair.result = std::move(*compared);
    } else {
      pair.why_not = compared.Error().Message();
    }
  }
}

Json NumberJson(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json PairJson(const Pair& pair) {
  Json entry = {{"name", pair.name}, {"near", pair.is_near()}};
  if (!pair.result) {
    entry["error"] = pair.why_not;
    return entry;
  }
  const Comparison& result = *pair.result;
  const auto position = [&](int64_t elem) {
    return elem < 0 ? Json() : Json(PositionOf(elem, pair.a->shape));
  };
  entry.update({{"type", pair.a->TypeText()},
                {"elems", result.elems},
                {"differing_elems", result.differing_elems},
                {"outside_elems", result.outside_elems},
                {"max_abs", NumberJson(result.max_abs)},
                {"max_abs_at", position(result.max_abs_elem)},
                {"max_rel", NumberJson(result.max_rel)},
                {"max_rel_at", position(result.max_rel_elem)},
                {"mse", NumberJson(result.mse)}});
  entry["outside"] = Json::array();
  for (const Difference& difference : result.outside) {
    entry["outside"].push_back({{"index", position(difference.elem)},
                                {"a", NumberJson(difference.a)},
                                {"b", NumberJson(difference.b)}});
  }
  return entry;
}

void PrintPair(const Pair& pair) {
  const std::string name = pair.name.empty() ? "" : fmt::format("'{}' ", pair.name);
  if (!pair.result) return fmt::print("{}can't be compared: {}\n", name, pair.why_not);
  const Comparison& result = *pair.result;
  const auto position = [&](int64_t elem) {
    return fmt::format("[{}]", fmt::join(PositionOf(elem, pair.a->shape), ","));
  };
  fmt::print("{}{}: ", name, pair.a->TypeText());
  if (result.differing_elems == 0) return fmt::print("equal\n");
  fmt::print(
      "{} of {} elements differ, {} beyond the bounds\n"
      "  largest difference {:.6g} at {}, relative {:.6g} at {}, mean square {:.6g}\n",
      result.differing_elems, result.elems, result.outside_elems, result.max_abs,
      position(result.max_abs_elem), result.max_rel, position(result.max_rel_elem), result.mse);
  for (const Difference& difference : result.outside) {
    fmt::print("  {}: {:.9g} and {:.9g}\n", position(difference.elem), difference.a, difference.b);
  }
  if (result.outside_elems > static_cast<int64_t>(result.outside.size())) {
    fmt::print("  and {} more\n",
               result.outside_elems - static_cast<int64_t>(result.outside.size()));
  }
}

}  // namespace

int Compare(CommandLine& line, int argc, char** argv) {
  CompareFlags flags;
  line.Add("A", flags.a, "what is expected: .npy, .npz, numbers in .txt or .csv, else raw bytes")
      .Required();
  line.Add("B", flags.b,
           "what is compared with it; relative differences are relative to A's values")
      .Required();
  line.Add("--max-abs", flags.max_abs, "largest difference that passes; 0 if not given")
      .NotNegative();
  line.Add("--max-rel", flags.max_rel,
           "the same relative to the value: an element may be off by max-abs + max-rel |a|")
      .NotNegative();
  line.Add("--dtype", flags.type, "of raw bytes: float32, int8, ...; uint8 if not given");
  line.Add("--shape", flags.shape, "of raw bytes: 1,224,224,3; one dimension if not given");
  line.Add("--list", flags.list, "show at most this many elements beyond the bounds")
      .ShowDefault()
      .Between(0, 1'000'000);
  line.AddFlag("--json", flags.json, "print JSON");
  line.AddNote("Exit code 1 where an element is beyond the bounds, or shapes or names differ.");
  if (std::optional<int> ended = line.Parse(argc, argv)) return *ended;

  if (auto checked = CheckRawFlags(flags); !checked) return Fail(kWrongUsage, checked.Error());
  const auto a = ReadContents(flags.a, flags);
  if (!a) return Fail(kNotLoaded, a.Error());
  const auto b = ReadContents(flags.b, flags);
  if (!b) return Fail(kNotLoaded, b.Error());
  if (const char* option = OptionForRawBytes(flags); option != nullptr && !a->is_raw && !b->is_raw)
    return Fail(kWrongUsage, fmt::format("{}: neither file is raw bytes", option));
  std::vector<Pair> pairs = PairsOf(a->tensors, b->tensors);
  CompareAll(pairs, flags);
  const bool are_near = std::ranges::all_of(pairs, &Pair::is_near);
  if (flags.json) {
    Json report = {{"a", flags.a}, {"b", flags.b}, {"near", are_near}};
    report["tensors"] = Json::array();
    for (const Pair& pair : pairs) report["tensors"].push_back(PairJson(pair));
    PrintJson(report);
  } else {
    for (const Pair& pair : pairs) PrintPair(pair);
  }
  return are_near ? kDone : kFailed;
}

}  // namespace npukit::tools
