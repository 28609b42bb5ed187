// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The places in op options that name another subgraph by its index.

#ifndef NPUKIT_SDK_HOST_MODEL_OPTIONS_SUBGRAPH_REFERENCES_H_
#define NPUKIT_SDK_HOST_MODEL_OPTIONS_SUBGRAPH_REFERENCES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "sdk/host/model/options/op_options.h"

namespace npukit {

// Calls `visit` with each subgraph index in the options and the name of its
// field; what it writes is kept.
void EditSubgraphReferences(OpOptions& options,
                            const std::function<void(const char* field, int32_t& index)>& visit);

// The indices that the options name, in field order.
std::vector<int32_t> SubgraphReferences(const OpOptions& options);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_OPTIONS_SUBGRAPH_REFERENCES_H_
