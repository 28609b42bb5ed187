// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory that a worker process shares with its parent, for the last stage that it set: to write one costs no system call
// and wakes no process. The parent reads it when the worker has ended, as untrusted bytes.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_STAGE_PAGE_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_STAGE_PAGE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace npukit::conformance {

inline constexpr size_t kMaxStageBytes = 200;

class StagePage {
 public:
  // Null: there is no memory. For processes that are forked from here on, until it is kept from them.
  static StagePage* Create();
  void KeepFromLaterProcesses();
  static void Destroy(StagePage* page);

  // Thread-safe, and may be called in a signal handler. What is beyond kMaxStageBytes is cut.
  void Write(std::string_view text);
  // The last stage; empty if none was written.
  std::string Read() const;

 private:
  // So many threads may write at a time without mixing their texts.
  static constexpr uint32_t kSlots = 16;
  struct Slot {
    uint32_t size_bytes;
    char text[kMaxStageBytes];
  };

  std::atomic<uint32_t> num_begun_;
  std::atomic<uint32_t> last_;  // 0: none yet
  Slot slots_[kSlots];
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_STAGE_PAGE_H_
