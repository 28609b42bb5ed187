// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/guarded_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

// Around the buffer, where its alignment leaves room before the guard page: what is written there
// does not crash and is found afterwards.
constexpr uint8_t kPattern = 0xa7;

size_t PageBytes() {
  static const auto page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return page_bytes;
}

}  // namespace

litert::Expected<GuardedMemory> GuardedMemory::Allocate(size_t size_bytes, size_t alignment_bytes,
                                                        size_t offset_bytes, At at) {
  const size_t page = PageBytes();
  const size_t alignment = std::max<size_t>(alignment_bytes, 1);
  const size_t inner = (size_bytes + alignment + offset_bytes + page - 1) / page * page;
  GuardedMemory memory;
  memory.mapping_bytes_ = inner + 2 * page;
  void* mapping =
      mmap(nullptr, memory.mapping_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    return litert::Unexpected(kLiteRtStatusErrorMemoryAllocationFailure,
                              "no memory for a tensor buffer");
  }
  memory.mapping_ = static_cast<uint8_t*>(mapping);
  mprotect(memory.mapping_ + page, inner, PROT_READ | PROT_WRITE);
  std::memset(memory.mapping_ + page, kPattern, inner);
  uint8_t* const latest_start = memory.mapping_ + page + inner - size_bytes;
  const size_t past_alignment =
      (reinterpret_cast<uintptr_t>(latest_start) - offset_bytes) % alignment;
  // A page's start is aligned to a page only; what must lie at more is placed from the end.
  const bool at_end = at == At::kEnd || alignment > page;
  memory.data_ = at_end ? latest_start - past_alignment : memory.mapping_ + page;
  memory.size_bytes_ = size_bytes;
  std::memset(memory.data_, 0, size_bytes);
  memory.region_ = AddGuardedRegion(
      {memory.mapping_, memory.mapping_ + memory.mapping_bytes_, memory.data_, size_bytes});
  return memory;
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapping_bytes_(other.mapping_bytes_),
      data_(other.data_),
      size_bytes_(other.size_bytes_),
      region_(std::exchange(other.region_, kNoGuardedRegion)) {}

GuardedMemory& GuardedMemory::operator=(GuardedMemory&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_bytes_, other.mapping_bytes_);
  std::swap(data_, other.data_);
  std::swap(size_bytes_, other.size_bytes_);
  std::swap(region_, other.region_);
  return *this;
}

GuardedMemory::~GuardedMemory() {
  RemoveGuardedRegion(region_);
  if (mapping_ != nullptr) munmap(mapping_, mapping_bytes_);
}

void GuardedMemory::SetName(std::string_view name) { NameGuardedRegion(region_, name); }

std::string GuardedMemory::StrayWrite() const {
  const uint8_t* begin = mapping_ + PageBytes();
  const uint8_t* end = mapping_ + mapping_bytes_ - PageBytes();
  auto untouched = [](uint8_t byte) { return byte == kPattern; };
  if (!std::all_of(static_cast<const uint8_t*>(data_) + size_bytes_, end, untouched))
    return "wrote past the end of";
  if (!std::all_of(begin, static_cast<const uint8_t*>(data_), untouched))
    return "wrote before the start of";
  return {};
}

void GuardedMemory::MakeReadOnly() {
  mprotect(mapping_ + PageBytes(), mapping_bytes_ - 2 * PageBytes(), PROT_READ);
}

void GuardedMemory::MakeWritable() {
  mprotect(mapping_ + PageBytes(), mapping_bytes_ - 2 * PageBytes(), PROT_READ | PROT_WRITE);
}

litert::Expected<void> GuardConstants(Model& model, const Op& op) {
  constexpr size_t kAlignmentBytes = 16;  // as in files
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    Tensor* tensor = op.inputs[i];
    if (tensor == nullptr || !tensor->is_constant()) continue;
    const std::span<const uint8_t> bytes = tensor->weights.bytes();
    LITERT_ASSIGN_OR_RETURN(GuardedMemory made,
                            GuardedMemory::Allocate(bytes.size(), kAlignmentBytes));
    const auto memory = std::make_shared<GuardedMemory>(std::move(made));
    memory->SetName(fmt::format("constant input {}", i));
    std::copy(bytes.begin(), bytes.end(), memory->bytes().begin());
    memory->MakeReadOnly();
    tensor->weights.buffer_id = model.buffers().Add({memory->bytes(), memory});
  }
  return {};
}

}  // namespace npukit::conformance
