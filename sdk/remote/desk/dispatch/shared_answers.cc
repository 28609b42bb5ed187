// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/dispatch/shared_answers.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <new>

namespace npukit::remote {
namespace {

constexpr size_t kSlots = size_t{1} << 16;
constexpr size_t kProbes = 16;  // places that a question may have
constexpr size_t kBytes = size_t{48} << 20;

constexpr uint64_t PlaceOf(uint64_t begin, uint64_t size) { return begin << 24 | size; }
static_assert(SharedAnswers::kMaxBytesOfAnswer < size_t{1} << 24);

}  // namespace

// Nothing is locked, as a process may be killed anywhere, and nothing is ever taken out, so that a
// search may end at the first free place. A slot is filled in three steps, each of which leaves it
// in order:
//
//   question   whoever exchanges the 0 for it owns the slot; who is late keeps its answer
//   bytes      to a part of `bytes` of its own, by adding to `taken`
//   place      stored last (release): who reads it (acquire) sees the bytes, too
//
// A process that dies between the first and the last leaves a slot whose place is 0: no answer.
struct SharedAnswers::Memory {
  struct Slot {
    std::atomic<uint64_t> question;  // 0: free
    // Where its answer is and of how many bytes, once it is there: both 0 until then.
    std::atomic<uint64_t> place;
  };

  std::atomic<uint64_t> taken;  // of `bytes`
  std::array<Slot, kSlots> slots;
  std::array<uint8_t, kBytes> bytes;

  // The question's, or a free one of its places; null: there is none.
  Slot* SlotOf(uint64_t question) {
    for (size_t i = 0; i < kProbes; ++i) {
      Slot& slot = slots[(question + i) % kSlots];
      const uint64_t has = slot.question.load(std::memory_order_acquire);
      if (has == question || has == 0) return &slot;
    }
    return nullptr;
  }
};

std::shared_ptr<SharedAnswers> SharedAnswers::Create() {
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  void* const memory = mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  // Zeros, which it is: an object without a constructor's writes.
  return std::shared_ptr<SharedAnswers>(new SharedAnswers(static_cast<Memory*>(memory)));
}

SharedAnswers::~SharedAnswers() { munmap(memory_, sizeof(Memory)); }

std::optional<std::vector<uint8_t>> SharedAnswers::Find(uint64_t question) const {
  if (question == 0) return std::nullopt;
  const Memory::Slot* const slot = memory_->SlotOf(question);
  if (slot == nullptr || slot->question.load(std::memory_order_acquire) != question)
    return std::nullopt;
  const uint64_t place = slot->place.load(std::memory_order_acquire);
  const uint64_t begin = place >> 24;
  const uint64_t size = place & ((uint64_t{1} << 24) - 1);
  // Any process may have written anything.
  if (size == 0 || size > kMaxBytesOfAnswer || begin > kBytes - size) return std::nullopt;
  const uint8_t* const from = memory_->bytes.data() + begin;
  return std::vector<uint8_t>(from, from + size);
}

void SharedAnswers::Note(uint64_t question, std::span<const uint8_t> answer) {
  if (question == 0 || answer.empty() || answer.size() > kMaxBytesOfAnswer) return;
  Memory::Slot* const slot = memory_->SlotOf(question);
  uint64_t free = 0;
  if (slot == nullptr ||
      !slot->question.compare_exchange_strong(free, question, std::memory_order_acq_rel)) {
    return;
  }
  const uint64_t begin = memory_->taken.fetch_add(answer.size(), std::memory_order_relaxed);
  // `taken` may have gone past the end; it only grows, so that nobody finds room any more.
  if (begin > kBytes - answer.size()) return;
  std::copy(answer.begin(), answer.end(), memory_->bytes.begin() + begin);
  slot->place.store(PlaceOf(begin, answer.size()), std::memory_order_release);
}

}  // namespace npukit::remote
