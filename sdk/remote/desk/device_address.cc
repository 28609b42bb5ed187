// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/device_address.h"

#include <fmt/format.h>

#include <algorithm>

namespace npukit::remote {
namespace {

constexpr char kDefaultFolder[] = ".cache/npukit-worker";

litert::Unexpected Bad(std::string_view text, std::string_view why) {
  return litert::Unexpected(
      kLiteRtStatusErrorInvalidArgument,
      fmt::format("--device {}: {}; expected local:, exec:COMMAND or ssh:[USER@]HOST[:DIR]", text,
                  why));
}

bool IsPlain(std::string_view text, std::string_view others) {
  return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
  });
}

}  // namespace

litert::Expected<DeviceAddress> ParseDeviceAddress(std::string_view text) {
  const auto rest = [&](std::string_view scheme) { return text.substr(scheme.size()); };
  DeviceAddress address;
  if (text == "local:") return address;
  if (text.starts_with("exec:")) {
    address.kind = DeviceAddress::Kind::kExec;
    address.command = rest("exec:");
    if (address.command.find_first_not_of(' ') == std::string::npos) return Bad(text, "no command");
    return address;
  }
  if (!text.starts_with("ssh:")) return Bad(text, "no such kind of device");
  address.kind = DeviceAddress::Kind::kSsh;
  const std::string_view place = rest("ssh:");
  const size_t colon = place.find(':');
  address.host = place.substr(0, colon);
  address.folder = colon == std::string_view::npos ? kDefaultFolder : place.substr(colon + 1);
  if (!IsPlain(address.host, "@.-_")) return Bad(text, "no host");
  if (!IsPlain(address.folder, "/.-_"))
    return Bad(text, "a folder of other characters than letters, digits and ./-_");
  return address;
}

std::string ToText(const DeviceAddress& address) {
  switch (address.kind) {
    case DeviceAddress::Kind::kLocal:
      return "local:";
    case DeviceAddress::Kind::kExec:
      return "exec:" + address.command;
    case DeviceAddress::Kind::kSsh:
      return fmt::format("ssh:{}:{}", address.host, address.folder);
  }
  return {};
}

}  // namespace npukit::remote
