// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/call_threads.h"

#include <thread>
#include <utility>

namespace npukit::remote {

void CallThreads::Run(Queue& queue) {
  for (;;) {
    std::function<void()> work;
    {
      std::unique_lock lock(queue.mutex);
      queue.filled.wait(lock, [&] { return !queue.work.empty(); });
      work = std::move(queue.work.front());
      queue.work.pop_front();
    }
    work();
  }
}

CallThreads::Queue& CallThreads::QueueOf(uint16_t number) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Queue>& queue = queues_[number];
  if (queue != nullptr) return *queue;
  queue = std::make_unique<Queue>();
  if (number != 0) std::thread([&queue = *queue] { Run(queue); }).detach();
  return *queue;
}

void CallThreads::Give(uint16_t number, std::function<void()> work) {
  Queue& queue = QueueOf(number);
  {
    const std::lock_guard lock(queue.mutex);
    queue.work.push_back(std::move(work));
  }
  queue.filled.notify_one();
}

void CallThreads::RunMain() { Run(QueueOf(0)); }

}  // namespace npukit::remote
