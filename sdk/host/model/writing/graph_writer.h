// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Includes FlatBuffers: for this folder's sources only.

#ifndef NPUKIT_SDK_HOST_MODEL_WRITING_GRAPH_WRITER_H_
#define NPUKIT_SDK_HOST_MODEL_WRITING_GRAPH_WRITER_H_

#include <flatbuffers/flatbuffers.h>

#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"

#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/writing/buffer_plan.h"

namespace npukit::schema {
struct SubGraph;
}  // namespace npukit::schema

namespace npukit {

// Custom options that LiteRT writes before it knows where a module lies; both
// numbers are patched later.
inline constexpr uint64_t kOffsetPlaceholder = 1;

inline litert::Unexpected CannotWrite(std::string message) {
  return litert::Unexpected(kLiteRtStatusErrorSerialization, std::move(message));
}

// Writes subgraphs. Operator codes that the ops need and `codes` lacks are
// added at its end.
class GraphWriter {
 public:
  GraphWriter(flatbuffers::FlatBufferBuilder& builder, const BufferPlan& plan,
              std::vector<Model::OperatorCode>& codes)
      : builder_(builder), plan_(plan), codes_(codes) {}

  // Error: an op or list that refers to tensors of another subgraph, a dispatch
  // op with another custom code.
  litert::Expected<flatbuffers::Offset<schema::SubGraph>> Write(const Subgraph& subgraph);

 private:
  flatbuffers::FlatBufferBuilder& builder_;
  const BufferPlan& plan_;
  std::vector<Model::OperatorCode>& codes_;
};

// Whether an op's custom options go behind the FlatBuffer.
bool HasOutsideCustomOptions(const Op& op, const BufferPlan& plan);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_WRITING_GRAPH_WRITER_H_
