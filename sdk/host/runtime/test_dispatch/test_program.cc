// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/test_dispatch/test_program.h"

#include <cstring>
#include <sstream>

#include "sdk/host/runtime/test_dispatch/test_variant.h"

namespace npukit::test_dispatch {
namespace {

constexpr uint32_t kRowPaddingElems = 8;

size_t ElementBytes(LiteRtElementType type) {
  switch (type) {
    case kLiteRtElementTypeFloat32:
    case kLiteRtElementTypeInt32:
      return 4;
    case kLiteRtElementTypeInt16:
      return 2;
    default:
      return 1;
  }
}

size_t Elems(const LiteRtLayout& layout) {
  size_t elems = 1;
  for (unsigned i = 0; i < layout.rank; ++i) elems *= static_cast<size_t>(layout.dimensions[i]);
  return elems;
}

// C order, with padding behind each innermost row.
std::vector<uint32_t> PaddedStrides(const LiteRtLayout& layout) {
  std::vector<uint32_t> strides(layout.rank);
  uint32_t stride = 1;
  for (unsigned i = layout.rank; i-- > 0;) {
    strides[i] = stride;
    stride *= static_cast<uint32_t>(layout.dimensions[i]);
    if (i + 1 == layout.rank) stride += kRowPaddingElems;
  }
  return strides;
}

// Byte offset of the element that is `elem`-th in C order.
size_t Offset(const LiteRtRankedTensorType& type, size_t elem) {
  const LiteRtLayout& layout = type.layout;
  if (!layout.has_strides) return elem * ElementBytes(type.element_type);
  size_t offset = 0;
  for (unsigned i = layout.rank; i-- > 0;) {
    const auto dim = static_cast<size_t>(layout.dimensions[i]);
    offset += elem % dim * layout.strides[i];
    elem /= dim;
  }
  return offset * ElementBytes(type.element_type);
}

float ReadFloat(const PortMemory& port, size_t elem) {
  float value = 0;
  std::memcpy(&value, port.memory + Offset(port.type, elem), sizeof(value));
  return value;
}

float Combine(const std::string& op, float a, float b) {
  if (op == "add") return a + b;
  if (op == "sub") return a - b;
  return a * b;
}

bool RunArithmetic(const Function& function, const std::vector<PortMemory>& inputs,
                   const PortMemory& output) {
  const size_t elems = Elems(output.type.layout);
  for (const PortMemory& input : inputs) {
    if (Elems(input.type.layout) != elems || input.type.element_type != kLiteRtElementTypeFloat32)
      return false;
  }
  for (size_t i = 0; i < elems; ++i) {
    float value = ReadFloat(inputs[0], i);
    for (size_t k = 1; k < inputs.size(); ++k)
      value = Combine(function.op, value, ReadFloat(inputs[k], i));
    std::memcpy(output.memory + Offset(output.type, i), &value, sizeof(value));
  }
  return true;
}

bool RunCopy(const PortMemory& input, const PortMemory& output) {
  const size_t elems = Elems(output.type.layout);
  if (Elems(input.type.layout) != elems || input.type.element_type != output.type.element_type)
    return false;
  for (size_t i = 0; i < elems; ++i) {
    std::memcpy(output.memory + Offset(output.type, i), input.memory + Offset(input.type, i),
                ElementBytes(input.type.element_type));
  }
  return true;
}

}  // namespace

bool ParseFunction(const std::string& text, const std::string& name, Function& function) {
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || line != "TESTDEV " + std::to_string(kProgramVersion))
    return false;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string keyword;
    std::string function_name;
    if (!(words >> keyword >> function_name >> function.op) || keyword != "fn" ||
        function_name != name)
      continue;
    for (std::string word; words >> word;) {
      if (word.starts_with("align="))
        function.alignment_bytes = static_cast<uint32_t>(std::stoul(word.substr(6)));
      if (word.starts_with("pad="))
        function.padding_bytes = static_cast<uint32_t>(std::stoul(word.substr(4)));
      if (word == "strides") function.has_strides = true;
    }
    return true;
  }
  return false;
}

FunctionRequirements RequirementsOf(const Function& function, const LiteRtRankedTensorType& type) {
  FunctionRequirements needed;
  needed.alignment_bytes = function.alignment_bytes;
  const size_t element_bytes = ElementBytes(type.element_type);
  needed.size_bytes = Elems(type.layout) * element_bytes + function.padding_bytes;
  if (function.has_strides && type.layout.rank > 0) {
    needed.strides_elems = PaddedStrides(type.layout);
    needed.size_bytes = element_bytes + function.padding_bytes;
    for (unsigned i = 0; i < type.layout.rank; ++i) {
      needed.size_bytes += static_cast<size_t>(type.layout.dimensions[i] - 1) *
                           needed.strides_elems[i] * element_bytes;
    }
    if (Elems(type.layout) == 0) needed.size_bytes = function.padding_bytes;
  }
  return needed;
}

bool RunFunction(const Function& function, const std::vector<PortMemory>& inputs,
                 const std::vector<PortMemory>& outputs) {
  if (function.op == "copy") {
    if (inputs.size() != outputs.size()) return false;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!RunCopy(inputs[i], outputs[i])) return false;
    }
    return true;
  }
  return !inputs.empty() && outputs.size() == 1 && RunArithmetic(function, inputs, outputs[0]);
}

}  // namespace npukit::test_dispatch
