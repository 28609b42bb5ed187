// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/stage_page.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace npukit::conformance {

static_assert(std::atomic<uint32_t>::is_always_lock_free);

// The kernel's zeros are a page without a stage.
StagePage* StagePage::Create() {
  void* const memory =
      mmap(nullptr, sizeof(StagePage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<StagePage*>(memory);
}

void StagePage::KeepFromLaterProcesses() { madvise(this, sizeof(StagePage), MADV_DONTFORK); }

void StagePage::Destroy(StagePage* page) {
  if (page != nullptr) munmap(page, sizeof(StagePage));
}

void StagePage::Write(std::string_view text) {
  uint32_t number = num_begun_.fetch_add(1) + 1;
  if (number == 0) number = num_begun_.fetch_add(1) + 1;
  Slot& slot = slots_[number % kSlots];
  const size_t size = std::min(text.size(), kMaxStageBytes);
  slot.size_bytes = static_cast<uint32_t>(size);
  std::memcpy(slot.text, text.data(), size);
  last_ = number;
}

std::string StagePage::Read() const {
  const uint32_t number = last_;
  if (number == 0) return {};
  const Slot& slot = slots_[number % kSlots];
  return std::string(slot.text, std::min<size_t>(slot.size_bytes, kMaxStageBytes));
}

}  // namespace npukit::conformance
