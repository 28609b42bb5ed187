// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The process that holds a vendor's library, from outside: started, spoken to through a socket, ended
// with all that it has started.

#ifndef NPUKIT_SDK_REMOTE_WORKER_LIBRARY_PROCESS_H_
#define NPUKIT_SDK_REMOTE_WORKER_LIBRARY_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/wire/facts.h"
#include "sdk/remote/wire/frame.h"
#include "sdk/remote/worker/file_cache.h"

namespace npukit::remote {

// The answer to a request that can't be carried out.
Frame Refusal(const Frame& request, const std::string& why);
Frame AnswerTo(const Frame& request, MessageKind kind, std::vector<uint8_t> payload = {});

// What the process has from its start.
struct LibraryStart {
  std::string path;
  const FileCache& cache;
  bool is_quiet = false;
  // Descriptors that must not be the vendor's: the connection to the desk, other libraries' sockets.
  std::vector<int> not_its;
};

class LibraryProcess {
 public:
  LibraryProcess() = default;
  ~LibraryProcess() { Kill(); }
  LibraryProcess(const LibraryProcess&) = delete;
  LibraryProcess& operator=(const LibraryProcess&) = delete;

  bool is_open() const { return pid_ > 0; }
  // Requests go in as frames, and answers come out; its end: the process is gone.
  int fd() const { return fd_; }

  // In place of the one before, which is killed.
  litert::Expected<void> Start(const LibraryStart& start);
  // Once its end of the socket is closed, or it is to be stopped for the reason given.
  HowItEnded Close(std::string detail = {});

 private:
  bool HasEnded() const;
  // With all that it has started. Then it is gone: hardware that bears one process alone bears the next one.
  void Kill();

  pid_t pid_ = -1;
  int fd_ = -1;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_LIBRARY_PROCESS_H_
