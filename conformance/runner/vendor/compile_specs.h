// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compile specs of a run: what its user hands to the vendor's compiler and dispatch library
// (npukit/compile_spec.h), for every partition and whichever way a check takes to them.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_COMPILE_SPECS_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_COMPILE_SPECS_H_

#include <span>
#include <vector>

#include "conformance/runner/vendor/plugin_under_test.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/metadata/compile_spec.h"
#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit::conformance {

// Asks the compiler plugin whether it can use them, in a process of its own; one that is on a device
// is asked by each check. InvalidArgument: a spec for a single partition or for another plugin, a key
// that the plugin does not know, a value that it refuses.
litert::Expected<void> SetRunSpecs(std::span<const CompileSpecRequest> asked,
                                   PluginUnderTest& under_test);

// As the host's functions take them.
std::vector<CompileSpecRequest> SpecRequests(const PluginUnderTest& under_test);

// The plugin as the host loads it, with the specs set.
litert::Expected<LoadedPlugin> LoadPlugin(const PluginUnderTest& under_test);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_COMPILE_SPECS_H_
