// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A remote library's table of graphs.

#ifndef NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_GRAPHS_H_
#define NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_GRAPHS_H_

#include "litert/vendors/c/litert_dispatch_api.h"

namespace npukit::remote {

extern const LiteRtDispatchGraphInterface remote_graph_table;

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_GRAPHS_H_
