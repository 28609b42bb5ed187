// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/device_address.h"

#include <gtest/gtest.h>

namespace npukit::remote {
namespace {

using Kind = DeviceAddress::Kind;

TEST(DeviceAddressTest, KnownForms) {
  const auto local = ParseDeviceAddress("local:");
  ASSERT_TRUE(local);
  EXPECT_EQ(local->kind, Kind::kLocal);
  const auto exec = ParseDeviceAddress("exec:qemu-aarch64 -L / w:x");
  ASSERT_TRUE(exec);
  EXPECT_EQ(exec->kind, Kind::kExec);
  EXPECT_EQ(exec->command, "qemu-aarch64 -L / w:x");
  const auto ssh = ParseDeviceAddress("ssh:me@board-1.local:/data/npukit");
  ASSERT_TRUE(ssh);
  EXPECT_EQ(ssh->kind, Kind::kSsh);
  EXPECT_EQ(ssh->host, "me@board-1.local");
  EXPECT_EQ(ssh->folder, "/data/npukit");
  const auto plain = ParseDeviceAddress("ssh:board");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->folder, ".cache/npukit-worker");
}

TEST(DeviceAddressTest, OthersAreNamed) {
  for (const char* const text :
       {"", "board", "local", "local:x", "exec:", "exec:  ", "ssh:", "ssh::dir",
        "ssh:-oProxyCommand=x", "ssh:a b", "ssh:board:", "ssh:board:a b", "ssh:board:$(x)",
        "ssh:board:-x", "adb:x"}) {
    const auto address = ParseDeviceAddress(text);
    ASSERT_FALSE(address) << text;
    EXPECT_NE(address.Error().Message().find("expected local:, exec:COMMAND or ssh:"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace npukit::remote
