// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/network/network.h"

#include <algorithm>
#include <sstream>

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

std::string Network::ToString() const {
  std::ostringstream out;
  out << "network " << name << "\n";
  for (size_t i = 0; i < values.size(); ++i) {
    const Value& value = values[i];
    out << "  v" << i << " " << NameOf(value.dtype) << " [";
    for (size_t d = 0; d < value.shape.size(); ++d) out << (d == 0 ? "" : ",") << value.shape[d];
    out << "]";
    if (value.is_constant()) out << " constant";
    if (value.input_index >= 0) out << " input " << value.input_index;
    if (value.output_index >= 0) out << " output " << value.output_index;
    if (value.base != kNoValue) out << " in v" << value.base << "+" << value.base_offset_bytes;
    out << " '" << value.name << "'\n";
  }
  for (const Layer& layer : layers) {
    out << "  v" << layer.output << " = ";
    layer.op->Print(out);
    out << "  # op " << layer.source_op << "\n";
  }
  return out.str();
}

}  // namespace acme::compiler
