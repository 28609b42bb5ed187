// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What tests of the plugin's files share. For sources that are given NPUKIT_BUILD_DIR.

#ifndef NPUKIT_REFERENCE_PLUGIN_TESTS_ACME_PLUGIN_H_
#define NPUKIT_REFERENCE_PLUGIN_TESTS_ACME_PLUGIN_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "sdk/host/model/samples/sample_models.h"

namespace npukit {

// AcmeCorp's compiler plugin and dispatch library, and the host.
inline const std::string kPluginDir = NPUKIT_BUILD_DIR "/lib";

// Of one of the project's own networks (sample_models.h).
inline std::unique_ptr<Model> Sample(std::string_view name) {
  auto model = BuildSampleModel(name);
  EXPECT_TRUE(model) << model.Error().Message();
  return std::move(*model);
}

}  // namespace npukit

#endif  // NPUKIT_REFERENCE_PLUGIN_TESTS_ACME_PLUGIN_H_
