// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// --device, --device-dir and --compile-on-device: where a vendor's libraries run (docs/remote.md).

#ifndef NPUKIT_SDK_TOOLS_FLAGS_DEVICE_FLAGS_H_
#define NPUKIT_SDK_TOOLS_FLAGS_DEVICE_FLAGS_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/desk/device_address.h"
#include "sdk/remote/desk/link.h"

namespace npukit::tools {

class CommandLine;

struct DeviceFlags {
  std::string address;              // of --device; empty: this machine
  std::string folder;               // of --device-dir; empty: --plugin-dir
  bool compiles_on_device = false;  // by the compiler plugin there
  bool dispatches = true;           // false for verbs that run nothing
  // While OnDevice() runs: the path by which the host finds the device's dispatch library. Else empty.
  std::string library;

  // --device and --device-dir.
  void AddTo(CommandLine& line);
  // --compile-on-device.
  void AddCompilingTo(CommandLine& line);
  // Not for "local:".
  bool is_asked() const { return !address.empty() && address != "local:"; }
  // Wrong usage if --device-dir is given and nothing runs on a device.
  std::optional<int> CheckFolder() const;
  // For verbs that need compiler plugins: wrong usage if neither --plugin-dir nor, where the device compiles, --device-dir
  // says where they are.
  std::optional<int> CheckFolders(const std::string& plugin_dir) const;
  // Where the host looks for compiler plugins: nowhere but among those that are linked in, where the device's is one.
  std::string CompilerFolder(const std::string& plugin_dir) const {
    return compiles_on_device ? std::string() : plugin_dir;
  }
};

// The dispatch library for the device in a folder: the only one, or the one that fits the names of
// vendors ("A,B"). Error: there is none, or no single one.
litert::Expected<std::string> ChooseDeviceLibrary(const std::string& folder,
                                                  std::string_view vendors);

// The same for a compiler plugin.
litert::Expected<std::string> ChooseDevicePlugin(const std::string& folder,
                                                 std::string_view vendors);

// A verb's work with the dispatch library, and the compiler plugin if it is to compile there, on the device. `work`
// gives an exit code. Where the device was lost in it, it is done once more on a fresh worker. What went wrong between
// desk and device is printed after it. Without --device: `work`, as it is.
//
// One at a time in a process. kWrongUsage: the address, --compile-on-device without one; kNotLoaded: no worker answers,
// or no library.
int OnDevice(DeviceFlags& flags, const std::string& plugin_dir, std::string_view vendors,
             const std::function<int()>& work);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_DEVICE_FLAGS_H_
