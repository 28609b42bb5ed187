// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a compiler plugin is asked about, as bytes for the device (plugin_call.h).

#ifndef NPUKIT_SDK_REMOTE_DESK_COMPILER_SENT_GRAPH_H_
#define NPUKIT_SDK_REMOTE_DESK_COMPILER_SENT_GRAPH_H_

#include <cstdint>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::remote {

// A .tflite whose last subgraph is this one, its ops in the same order. Error: a file can't express it.
litert::Expected<std::vector<uint8_t>> SerializeSubgraph(const Subgraph& subgraph);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_COMPILER_SENT_GRAPH_H_
