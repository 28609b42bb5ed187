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
#include "sdk/remote/wire/frame_assembler.h"
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
  // Requests go in as frames.
  int fd() const { return fd_; }
  // What is there of the next answer, without waiting for the rest of it.
  struct Received {
    enum class What {
      kPart,      // the rest is still to come
      kAnswer,    // one that is whole
      kNoAnswer,  // bytes that are no message
      kEnd,       // nothing more comes: the process is gone, or about to go
    };
    What what = What::kPart;
    Frame answer;
  };
  // `spare` is memory for the payload, of a message that is done with.
  Received Receive(std::vector<uint8_t>& spare);
  // A part of an answer came, and nothing more for as long as that.
  bool IsStuck(std::chrono::milliseconds silence) const;

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
  FrameAssembler coming_;
  std::chrono::steady_clock::time_point last_bytes_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_LIBRARY_PROCESS_H_
