// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/connect.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/remote/desk/ssh_bootstrap.h"
#include "sdk/remote/desk/worker_files.h"

namespace npukit::remote {
namespace {

// A board may have to wake up, and a file of megabytes to be written.
constexpr std::chrono::milliseconds kSilence = std::chrono::seconds(60);

// No questions, which nobody would see; a link that is dead is noticed. Host and folder are plain words.
std::string SshCommand(const DeviceAddress& address) {
  const char* const named = std::getenv("NPUKIT_SSH");
  std::string script = BootstrapCommand(address.folder);
  // Between single quotes again, for this side's shell.
  std::string quoted;
  for (const char c : script) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  // BatchMode: without a key ssh fails in place of asking. A link that says nothing twice for five
  // seconds is over for ssh, about as long as for a Link (LinkLimits::silence).
  return fmt::format(
      "exec {} -T -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=5 "
      "-o ServerAliveCountMax=2 {} '{}'",
      named == nullptr || *named == '\0' ? "ssh" : named, address.host, quoted);
}

}  // namespace

litert::Expected<std::unique_ptr<Connection>> Connect(const DeviceAddress& address,
                                                      const std::string& device_dir) {
  if (address.kind == DeviceAddress::Kind::kLocal) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              "local: is this machine, which needs no worker");
  }
  if (address.kind == DeviceAddress::Kind::kExec) return Connection::Start(address.command);
  LITERT_ASSIGN_OR_RETURN(const WorkerFiles files, FindWorkerFiles(device_dir));
  LITERT_ASSIGN_OR_RETURN(auto connection, Connection::Start(SshCommand(address)));
  if (auto begun = Bootstrap(connection->fd(), files, kSilence); !begun) {
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                              fmt::format("{}: no worker starts: {}{}", address.host,
                                          begun.Error().Message(), connection->HowItEnded()));
  }
  return connection;
}

}  // namespace npukit::remote
