// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the sources of a test plugin share.

#ifndef NPUKIT_SDK_HOST_PLUGIN_TEST_PLUGINS_TEST_PLUGIN_H_
#define NPUKIT_SDK_HOST_PLUGIN_TEST_PLUGINS_TEST_PLUGIN_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"

extern const char kTestPluginName[];  // name.cc

inline bool Is(std::string_view name) { return kTestPluginName == name; }

class LiteRtCompilerPluginT {
 public:
  LiteRtOp stranger = nullptr;  // an op of an earlier subgraph
  std::map<size_t, std::vector<std::pair<std::string, std::string>>> specs;  // by partition
};

class LiteRtCompiledResultT {
 public:
  struct Call {
    std::string entry_point;
    size_t module = 0;
  };
  std::vector<std::string> modules;
  std::vector<Call> calls;
};

#endif  // NPUKIT_SDK_HOST_PLUGIN_TEST_PLUGINS_TEST_PLUGIN_H_
