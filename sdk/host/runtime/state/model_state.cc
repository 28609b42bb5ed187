// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/state/model_state.h"

#include <fmt/format.h>

#include <cstring>

#include "litert/cc/litert_macros.h"

namespace npukit {
namespace {

constexpr size_t kAlignmentBytes = 64;

}  // namespace

litert::Expected<std::span<uint8_t>> ModelState::PortMemory(const std::string& name,
                                                            const Tensor& tensor,
                                                            uint64_t size_bytes) {
  const auto known = ports_.find(name);
  if (known == ports_.end()) {
    const uint64_t padded_bytes =
        (size_bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
    LITERT_ASSIGN_OR_RETURN(AlignedMemory memory,
                            AlignedMemory::Allocate(padded_bytes, kAlignmentBytes));
    ResetTensor(tensor, memory.bytes());
    Port& port = ports_[name];
    port = {.tensor = &tensor, .size_bytes = size_bytes, .memory = std::move(memory)};
    return port.memory.bytes();
  }
  const Port& port = known->second;
  if (port.size_bytes != size_bytes || port.tensor->element_type != tensor.element_type) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("'{}' is shared by signatures, but tensor '{}' is {} of {} bytes and tensor "
                    "'{}' {} of {}",
                    name, port.tensor->name, ElementTypeName(port.tensor->element_type),
                    port.size_bytes, tensor.name, ElementTypeName(tensor.element_type),
                    size_bytes));
  }
  return port.memory.bytes();
}

litert::Expected<std::span<uint8_t>> ModelState::TensorMemory(const Tensor& tensor,
                                                              uint64_t size_bytes) {
  const auto [known, is_new] = tensors_.try_emplace(&tensor);
  if (is_new) {
    auto memory = AlignedMemory::Allocate(size_bytes, kAlignmentBytes);
    if (!memory) {
      tensors_.erase(known);
      return litert::Unexpected(memory.Error());
    }
    known->second = std::move(*memory);
    ResetTensor(tensor, known->second.bytes());
  }
  if (known->second.bytes().size() != size_bytes) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("tensor '{}' ({}): a state of {} bytes is used as one of {}", tensor.name,
                    tensor.index, known->second.bytes().size(), size_bytes));
  }
  return known->second.bytes();
}

int32_t ModelState::VariableId(const std::string& container, const std::string& shared_name) {
  const auto next = static_cast<int32_t>(variable_ids_.size());
  const auto [known, is_new] = variable_ids_.try_emplace({container, shared_name}, next);
  if (is_new) variables_[next].name = shared_name;
  return known->second;
}

ResourceVariable* ModelState::FindVariable(int32_t id) {
  const auto known = variables_.find(id);
  return known == variables_.end() ? nullptr : &known->second;
}

HashTable* ModelState::FindTable(int32_t id) {
  const auto known = tables_.find(id);
  return known == tables_.end() ? nullptr : &known->second;
}

kernels::PhiloxStream& ModelState::RandomStream(const Op& op, uint64_t seed, uint64_t seed2) {
  const Random seeded{.seed = seed, .seed2 = seed2, .stream = kernels::PhiloxStream(seed, seed2)};
  return random_.try_emplace(&op, seeded).first->second.stream;
}

void ModelState::Reset() {
  for (auto& [op, random] : random_)
    random.stream = kernels::PhiloxStream(random.seed, random.seed2);
  for (auto& [tensor, memory] : tensors_) ResetTensor(*tensor, memory.bytes());
  for (auto& [name, port] : ports_) ResetTensor(*port.tensor, port.memory.bytes());
  for (auto& [id, variable] : variables_) variable.has_value = false;
  for (auto& [id, table] : tables_) {
    table.has_entries = false;
    table.text_of.clear();
    table.number_of.clear();
  }
  initialised_.clear();
}

void ModelState::ResetTensor(const Tensor& tensor, std::span<uint8_t> memory) {
  if (memory.empty()) return;
  // As TFLite resets a variable: int8 to the zero point, all else to zeros.
  const bool is_int8 = tensor.element_type == kLiteRtElementTypeInt8;
  std::memset(memory.data(), is_int8 ? static_cast<int>(tensor.quantization.ZeroPointOf(0)) : 0,
              memory.size());
}

}  // namespace npukit
