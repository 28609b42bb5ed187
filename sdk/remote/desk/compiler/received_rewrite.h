// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A model as a device's transformations left it. The answer is not trusted: it is the model that was sent but for what a
// rewrite may change, or an error.

#ifndef NPUKIT_SDK_REMOTE_DESK_COMPILER_RECEIVED_REWRITE_H_
#define NPUKIT_SDK_REMOTE_DESK_COMPILER_RECEIVED_REWRITE_H_

#include <memory>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/rewrite/rewrite.h"
#include "sdk/remote/wire/plugin_call.h"

namespace npukit::remote {

struct ReceivedRewrite {
  std::unique_ptr<Model>
      model;  // null if nothing was rewritten; shares the buffers of the one that was sent
  RewriteCount count;
};

// Constants and bytecode that the device did not send back are those of `sent`; new constants come to its buffers. Errors
// (InvalidArgument) name the subgraph and the op or tensor: no readable graph; other subgraphs, signatures, inputs or
// outputs than `sent` has; origins that are missing or name ops that `sent` has not; constants that it has not.
litert::Expected<ReceivedRewrite> ReceiveRewrite(const Model& sent, const PluginAnswer& answer);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_COMPILER_RECEIVED_REWRITE_H_
