// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_PLUGIN_TEST_PLUGINS_LOAD_TEST_PLUGIN_H_
#define NPUKIT_SDK_HOST_PLUGIN_TEST_PLUGINS_LOAD_TEST_PLUGIN_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit {

// The plugin of that name that CMakeLists.txt builds. Fails the test and ends it if it does not
// load.
inline LoadedPlugin LoadTestPlugin(const std::string& name) {
  auto plugin = LoadedPlugin::Load(NPUKIT_BUILD_DIR "/test_plugins/" + name +
                                   "/libLiteRtCompilerPlugin_" + name + ".so");
  if (!plugin) {
    ADD_FAILURE() << plugin.Error().Message();
    abort();
  }
  return std::move(*plugin);
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLUGIN_TEST_PLUGINS_LOAD_TEST_PLUGIN_H_
