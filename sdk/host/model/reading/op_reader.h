// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_MODEL_READING_OP_READER_H_
#define NPUKIT_SDK_HOST_MODEL_READING_OP_READER_H_

#include <span>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/reading/read_context.h"

namespace npukit::schema {
struct Operator;
}  // namespace npukit::schema

namespace npukit {

// Fills a new op of a subgraph whose tensors are all there, and links it to
// them. Error: an index out of range, a tensor that another op writes already,
// options or a module that the file does not hold.
litert::Expected<void> ReadOp(const schema::Operator& in,
                              std::span<const Model::OperatorCode> codes, ReadContext& context,
                              Subgraph& subgraph, Op& out);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_READING_OP_READER_H_
