// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a run judges: a vendor's two libraries and what the vendor claims of them.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_PLUGIN_UNDER_TEST_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_PLUGIN_UNDER_TEST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/process/device_pool.h"
#include "conformance/spec/claims/claims.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/metadata/compile_spec.h"

namespace npukit::conformance {

struct PluginUnderTest {
  std::string plugin_dir;
  std::string plugin_path;  // compiler plugin; on devices "linked:VENDOR"
  // Where that is on devices: this machine's of the same vendor, to be compared with; empty: there is none.
  std::string desk_plugin_path;
  std::string dispatch_path;  // dispatch library; empty: none was found
  // Where that is on devices, alone or with the compiler plugin: how to reach them. Empty: all is on this machine.
  std::optional<DeviceRequest> device;
  std::string manufacturer;
  Claims claims;
  // What every partition is compiled and run with (npukit/compile_spec.h); the compiler plugin knows their keys.
  std::vector<CompileSpec> specs;
  uint64_t seed = 1;
  bool isolate = true;  // false: checks stay in this process, for a debugger
};

// Finds the libraries and asks the plugin its name, in a process of its own: the caller must stay
// free of vendor code. With several plugins in the folder `manufacturer` chooses; empty is an error
// then. Errors: NotFound or what opening the library gave. Claims are not read.
litert::Expected<PluginUnderTest> FindPluginUnderTest(const std::string& plugin_dir,
                                                      const std::string& manufacturer);

// A vendor whose compiler plugin is built for the device alone: the one of `folder` that fits `manufacturer`, or the only
// one. The first device is asked its name. InvalidArgument: no such address, several plugins.
litert::Expected<PluginUnderTest> FindPluginOnDevice(const std::vector<std::string>& addresses,
                                                     const std::string& folder,
                                                     const std::string& manufacturer);

// Whether the folder holds a compiler plugin for the device that is this vendor's by its file's name.
bool HasDevicePlugin(const std::string& folder, const std::string& manufacturer);

// Puts the dispatch library of `folder`, at these addresses (device_address.h), in the place of the one
// found, and with `compiles_there` the compiler plugin, too. "local:" leaves them, and can't be one of several. Errors: an
// address, or no such library in the folder.
litert::Expected<void> MoveToDevices(const std::vector<std::string>& addresses,
                                     const std::string& folder, bool compiles_there,
                                     PluginUnderTest& under_test);

// MANUFACTURER.claims.yaml beside the plugin, this machine's if there is one; empty if there is none.
std::string DefaultClaimsPath(const PluginUnderTest& under_test);
// MANUFACTURER.baseline.json beside the plugin; empty if there is none.
std::string DefaultBaselinePath(const PluginUnderTest& under_test);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_PLUGIN_UNDER_TEST_H_
