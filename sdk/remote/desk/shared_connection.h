// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A connection that several links share, those of forked processes among them: a process of its own, the
// courier, carries their messages. It ends with the process that started it.

#ifndef NPUKIT_SDK_REMOTE_DESK_SHARED_CONNECTION_H_
#define NPUKIT_SDK_REMOTE_DESK_SHARED_CONNECTION_H_

#include <sys/types.h>

#include <memory>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/desk/connection.h"
#include "sdk/remote/desk/link.h"

namespace npukit::remote {

// Not thread-safe.
class SharedConnection {
 public:
  // Takes the connection over. The courier ends with the thread that calls this, too.
  static litert::Expected<std::unique_ptr<SharedConnection>> Start(
      std::unique_ptr<Connection> connection);
  // Links that remain are lost.
  ~SharedConnection();
  SharedConnection(const SharedConnection&) = delete;
  SharedConnection& operator=(const SharedConnection&) = delete;

  // A channel with a library's process of its own, which ends with the link.
  litert::Expected<std::unique_ptr<Link>> OpenLink(const LinkLimits& limits = {});

 private:
  SharedConnection(std::unique_ptr<Connection> connection, int control, pid_t courier)
      : connection_(std::move(connection)), control_(control), courier_(courier) {}

  std::unique_ptr<Connection> connection_;  // its end is the courier's
  int control_;
  pid_t courier_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_SHARED_CONNECTION_H_
