// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a library has answered, for processes that use it one after the other or side by side: memory that a parent makes
// and its children share. Nothing that is read here is trusted: it is what is expected, and the device's answer is
// compared with it. A child that dies while it writes leaves an answer that nobody finds.

#ifndef NPUKIT_SDK_REMOTE_DESK_DISPATCH_SHARED_ANSWERS_H_
#define NPUKIT_SDK_REMOTE_DESK_DISPATCH_SHARED_ANSWERS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace npukit::remote {

// Thread-safe, and between processes.
class SharedAnswers {
 public:
  static constexpr size_t kMaxBytesOfAnswer = size_t{64} << 10;

  // Null where the system gives no memory. Pages that nobody writes to take none.
  static std::shared_ptr<SharedAnswers> Create();
  ~SharedAnswers();
  SharedAnswers(const SharedAnswers&) = delete;
  SharedAnswers& operator=(const SharedAnswers&) = delete;

  std::optional<std::vector<uint8_t>> Find(uint64_t question) const;
  // The first answer to a question stays. Once there is no room nothing is kept any more.
  void Note(uint64_t question, std::span<const uint8_t> answer);

 private:
  struct Memory;
  explicit SharedAnswers(Memory* memory) : memory_(memory) {}

  Memory* const memory_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_DISPATCH_SHARED_ANSWERS_H_
