// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/network/network.h"

#include <fmt/format.h>

#include <algorithm>

namespace acme::compiler {
int64_t Value::Elems() const {
  int64_t elems = 1;
  for (int32_t dim : shape) elems *= dim;
  return elems;
}

uint64_t LayerOp::ElemsRead(const Network& network, ValueId, ValueId operand) const {
  return static_cast<uint64_t>(network.value(operand).Elems());
}

std::vector<ValueId> Layer::Inputs() const {
  std::vector<ValueId> ids = op->Operands();
  std::erase(ids, kNoValue);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

Network::Storage Network::RootOf(ValueId id) const {
  Storage storage{id, 0};
  while (value(storage.value).base != kNoValue) {
    storage.offset_bytes += value(storage.value).base_offset_bytes;
    storage.value = value(storage.value).base;
  }
  return storage;
}

const Layer* Network::WriterOf(ValueId id) const {
  const auto writer = std::find_if(layers.rbegin(), layers.rend(),
                                   [id](const Layer& layer) { return layer.output == id; });
  return writer == layers.rend() ? nullptr : &*writer;
}

std::string Network::ToString() const {
  std::string text = fmt::format("network {}\n", name);
  for (size_t i = 0; i < values.size(); ++i) {
    const Value& value = values[i];
    text += fmt::format("  v{} {} [{}]", i, NameOf(value.dtype), fmt::join(value.shape, ","));
    if (value.is_constant()) text += " constant";
    if (value.input_index >= 0) text += fmt::format(" input {}", value.input_index);
    if (value.output_index >= 0) text += fmt::format(" output {}", value.output_index);
    if (value.base != kNoValue)
      text += fmt::format(" in v{}+{}", value.base, value.base_offset_bytes);
    text += fmt::format(" '{}'\n", value.name);
  }
  for (const Layer& layer : layers)
    text +=
        fmt::format("  v{} = {}  # op {}\n", layer.output, layer.op->Describe(), layer.source_op);
  return text;
}

}  // namespace acme::compiler
