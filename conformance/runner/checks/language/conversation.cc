// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/language/conversation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/find_signature.h"

namespace npukit::conformance {
namespace {

litert::Unexpected NotOne(const std::string& why) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "no language model: " + why);
}

std::optional<size_t> FindPort(std::span<const PortInfo> ports, std::string_view name) {
  for (size_t i = 0; i < ports.size(); ++i) {
    if (ports[i].name == name) return i;
  }
  return std::nullopt;
}

void Fill(LiteRtElementType type, int32_t value, std::vector<uint8_t>& bytes) {
  const auto fill = [&]<typename T>(T element) {
    for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T))
      std::memcpy(bytes.data() + at, &element, sizeof(T));
  };
  switch (type) {
    case kLiteRtElementTypeFloat32:
      return fill(static_cast<float>(value));
    case kLiteRtElementTypeInt16:
      return fill(static_cast<int16_t>(value * 257));  // 127 is 32639
    default:
      return fill(static_cast<int8_t>(value));
  }
}

std::string DifferingBytes(std::span<const uint8_t> expected, std::span<const uint8_t> found) {
  size_t differing = 0;
  size_t first = 0;
  for (size_t i = expected.size(); i-- > 0;) {
    if (expected[i] == found[i]) continue;
    ++differing;
    first = i;
  }
  if (differing == 0) return {};
  return fmt::format("{} of {} bytes differ, the first at {}: {}, expected {}", differing,
                     expected.size(), first, found[first], expected[first]);
}

}  // namespace

const NamedValue* StepValues::Find(std::string_view name) const {
  const auto found = std::find_if(outputs.begin(), outputs.end(),
                                  [&](const NamedValue& value) { return value.name == name; });
  return found == outputs.end() ? nullptr : &*found;
}

std::string ErrorDifference(const StepValues& expected, const StepValues& found) {
  if (expected.error.empty()) return found.error;
  return found.error.empty() ? "no error, where one is expected: " + expected.error : "";
}

std::string ByteDifference(const NamedValue& expected, const StepValues& found) {
  const NamedValue* other = found.Find(expected.name);
  if (other == nullptr || other->bytes.size() != expected.bytes.size())
    return fmt::format("'{}' is missing, or of another size", expected.name);
  const std::string difference = DifferingBytes(expected.bytes, other->bytes);
  return difference.empty() ? "" : fmt::format("'{}': {}", expected.name, difference);
}

std::string ValueDifference(const StepValues& expected, const StepValues& found) {
  std::string difference = ErrorDifference(expected, found);
  if (!difference.empty() || !expected.error.empty()) return difference;
  for (const NamedValue& value : expected.outputs) {
    difference = ByteDifference(value, found);
    if (!difference.empty()) return difference;
  }
  return {};
}

litert::Expected<std::vector<std::string>> CacheNames(const Model& model) {
  const Signature* decode = FindSignature(model, "decode");
  if (decode == nullptr) return NotOne("there is no signature 'decode'");
  std::vector<std::string> names;
  for (const auto& input : decode->inputs) {
    const bool is_cache =
        std::any_of(decode->outputs.begin(), decode->outputs.end(),
                    [&](const auto& output) { return output.name == input.name; });
    if (is_cache) names.push_back(input.name);
  }
  if (names.empty()) return NotOne("'decode' gives back none of its inputs");
  return names;
}

litert::Expected<int32_t> ContextOf(const Model& model) {
  const Signature* decode = FindSignature(model, "decode");
  for (const auto& output : decode->outputs) {
    const Op* op = output.tensor->defining_op;
    if (op == nullptr || op->code != kLiteRtOpCodeTflDynamicUpdateSlice) continue;
    // In the dimension of positions alone a step's keys and values are shorter than the cache.
    const std::vector<int32_t>& update = op->inputs[1]->shape;
    for (size_t d = 0; d < update.size(); ++d) {
      if (update[d] < output.tensor->shape[d]) return output.tensor->shape[d];
    }
  }
  return NotOne("no DYNAMIC_UPDATE_SLICE writes a cache");
}

std::map<int32_t, std::string> SignaturesByLength(const Model& model) {
  std::map<int32_t, std::string> found;
  constexpr std::string_view kPrefill = "prefill_";
  for (const auto& signature : model.signatures) {
    const std::string& key = signature->key;
    if (key == "decode") found[1] = key;
    int32_t length = 0;
    if (!key.starts_with(kPrefill)) continue;
    const char* end = key.data() + key.size();
    if (std::from_chars(key.data() + kPrefill.size(), end, length).ptr == end && length > 1)
      found[length] = key;
  }
  return found;
}

litert::Expected<void> Conversation::FillCaches(int32_t value) {
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session_->Runner("decode"));
  for (const std::string& name : cache_names_) {
    const auto input = FindPort(runner->inputs(), name);
    if (!input) return NotOne("'decode' has no input '" + name + "'");
    std::vector<uint8_t> bytes(runner->inputs()[*input].size_bytes);
    Fill(runner->inputs()[*input].element_type, value, bytes);
    if (std::ranges::find(shared_, name) != shared_.end()) {
      std::memcpy(runner->input(*input).data(), bytes.data(), bytes.size());
    } else {
      caches_[name] = std::move(bytes);
    }
  }
  return {};
}

std::vector<std::vector<uint8_t>> Conversation::InputsOf(const SignatureRunner& runner,
                                                         const TokenStep& step) const {
  std::vector<std::vector<uint8_t>> values;
  for (const PortInfo& input : runner.inputs()) {
    std::vector<uint8_t>& bytes = values.emplace_back();
    if (const auto cache = caches_.find(input.name); cache != caches_.end()) {
      bytes = cache->second;
      continue;
    }
    const bool is_tokens = input.name == "tokens";
    if (!is_tokens && input.name != "input_pos") continue;
    std::vector<int32_t> numbers(input.size_bytes / sizeof(int32_t));
    for (size_t n = 0; n < numbers.size(); ++n) {
      const int32_t token = n < step.tokens.size() ? step.tokens[n] : 0;
      numbers[n] = is_tokens ? token : step.position + static_cast<int32_t>(n);
    }
    bytes.resize(numbers.size() * sizeof(int32_t));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
  }
  return values;
}

litert::Expected<std::map<std::string, std::vector<uint8_t>>> Conversation::Inputs(
    const TokenStep& step) const {
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session_->Runner(step.signature));
  std::vector<std::vector<uint8_t>> values = InputsOf(*runner, step);
  std::map<std::string, std::vector<uint8_t>> by_name;
  for (size_t i = 0; i < values.size(); ++i)
    by_name[runner->inputs()[i].name] = std::move(values[i]);
  return by_name;
}

litert::Expected<StepValues> Conversation::Run(const TokenStep& step) {
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session_->Runner(step.signature));
  const std::vector<std::vector<uint8_t>> inputs = InputsOf(*runner, step);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].empty()) LITERT_RETURN_IF_ERROR(runner->SetInput(i, inputs[i]));
  }
  StepValues values;
  if (const auto run = runner->Run(); !run) {
    values.error = run.Error().Message();
    if (values.error.empty()) values.error = "an error";
    return values;
  }
  const auto outputs = runner->outputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::span<const uint8_t> bytes = runner->output(i);
    values.outputs.push_back(
        {outputs[i].name, outputs[i].element_type, {bytes.begin(), bytes.end()}});
  }
  return values;
}

void Conversation::Keep(const StepValues& values) {
  for (const NamedValue& value : values.outputs) {
    if (const auto cache = caches_.find(value.name); cache != caches_.end())
      cache->second = value.bytes;
  }
}

litert::Expected<StepValues> Conversation::Take(const TokenStep& step) {
  LITERT_ASSIGN_OR_RETURN(StepValues values, Run(step));
  Keep(values);
  return values;
}

}  // namespace npukit::conformance
