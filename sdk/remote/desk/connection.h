// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A command of this machine whose standard input and output lead to a device's worker.

#ifndef NPUKIT_SDK_REMOTE_DESK_CONNECTION_H_
#define NPUKIT_SDK_REMOTE_DESK_CONNECTION_H_

#include <sys/types.h>

#include <memory>
#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit::remote {

class Connection {
 public:
  // A shell's command, in a session of its own: a Ctrl-C at the desk reaches the desk alone, which then
  // ends the connection.
  static litert::Expected<std::unique_ptr<Connection>> Start(const std::string& command);
  // Closes its end, by which a command and a worker that live end themselves; one that does not within
  // two seconds is killed with all that it has started.
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // To read from and to write to.
  int fd() const { return fd_; }
  // "; its command ended with exit code 3"; empty if it has not.
  std::string HowItEnded();
  // After a process was forked, for the one of the two that does not use it any more: it closes its
  // end and leaves the command alone.
  void Abandon();
  // Closes the end, which another process holds too, and keeps the command.
  void CloseEnd();

 private:
  Connection(int fd, pid_t command) : fd_(fd), command_(command) {}

  int fd_;
  pid_t command_;  // 0: not ours, or over
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_CONNECTION_H_
