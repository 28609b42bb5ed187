// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The way to a device's worker, by its address.

#ifndef NPUKIT_SDK_REMOTE_DESK_CONNECT_H_
#define NPUKIT_SDK_REMOTE_DESK_CONNECT_H_

#include <memory>
#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/desk/connection.h"
#include "sdk/remote/desk/device_address.h"

namespace npukit::remote {

// Starts a worker at an address of kind kExec or kSsh. Over ssh worker and host library of the folder
// (worker_files.h) go there first, through the same connection, unless they are there with the same
// digest; where the folder has none, those that lie there are taken. A connection's command is
// `ssh`, or what NPUKIT_SSH says ("ssh -p 2222").
//
// Errors: the address's host can't be reached or refuses; what its disk says.
litert::Expected<std::unique_ptr<Connection>> Connect(const DeviceAddress& address,
                                                      const std::string& device_dir);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_CONNECT_H_
