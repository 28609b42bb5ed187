// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The threads of a library's process, one for each thread of the desk: each carries out what it is given, one after
// the other.

#ifndef NPUKIT_SDK_REMOTE_WORKER_CALL_THREADS_H_
#define NPUKIT_SDK_REMOTE_WORKER_CALL_THREADS_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace npukit::remote {

// Thread-safe. For the life of the process: its threads are never joined.
class CallThreads {
 public:
  // For the thread of that number, which is started if it is not there yet. Number 0 is the one that calls RunMain().
  void Give(uint16_t number, std::function<void()> work);
  [[noreturn]] void RunMain();

 private:
  struct Queue {
    std::mutex mutex;
    std::condition_variable filled;
    std::deque<std::function<void()>> work;
  };
  [[noreturn]] static void Run(Queue& queue);
  Queue& QueueOf(uint16_t number);

  std::mutex mutex_;
  std::map<uint16_t, std::unique_ptr<Queue>> queues_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_CALL_THREADS_H_
