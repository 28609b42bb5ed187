// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Who writes and who reads each value of a network, all at once.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_VALUE_USES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_VALUE_USES_H_

#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// By name: layers by their place, whatever storage a value uses.
struct ValueLinks {
  explicit ValueLinks(const Network& network);
  std::vector<int32_t> writer;  // -1: none
  std::vector<std::vector<int32_t>> readers;
};

// By storage: of names for one (Value::base) the root counts. Layers by their place, in order.
struct ValueUses {
  explicit ValueUses(const Network& network);
  std::vector<std::vector<int32_t>> readers;
  std::vector<int32_t> writer;  // the last; -1: none
  std::vector<bool> shared;     // has other names, or is one

  // Whether layers read the value, under this one name, and nobody else does.
  bool AreLayersAlone(const Network& network, ValueId id) const;
  // The layer that writes such a value, if one layer alone reads it; else -1.
  int32_t WriterForOne(const Network& network, ValueId id) const;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_VALUE_USES_H_
