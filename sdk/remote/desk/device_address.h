// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where a device is: the value of `--device`.

#ifndef NPUKIT_SDK_REMOTE_DESK_DEVICE_ADDRESS_H_
#define NPUKIT_SDK_REMOTE_DESK_DEVICE_ADDRESS_H_

#include <string>
#include <string_view>

#include "litert/cc/litert_expected.h"

namespace npukit::remote {

struct DeviceAddress {
  enum class Kind {
    kLocal,  // "local:", this machine, without a worker
    kExec,   // "exec:COMMAND", a shell's, which ends in npukit-worker
    kSsh,    // "ssh:[USER@]HOST[:DIR]"
  };
  Kind kind = Kind::kLocal;
  std::string command;  // kExec
  std::string host;     // kSsh, with the user
  std::string folder;   // kSsh; where the worker goes; as it was given, else a default
};

// Error: another form, an empty command or host, a host or folder that a shell or ssh would take for
// something else.
litert::Expected<DeviceAddress> ParseDeviceAddress(std::string_view text);

// As it was given.
std::string ToText(const DeviceAddress& address);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_DEVICE_ADDRESS_H_
