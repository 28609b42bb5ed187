// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a compiler plugin selected in one subgraph, and the check that it makes
// sense.

#ifndef NPUKIT_SDK_HOST_PARTITION_SELECTION_H_
#define NPUKIT_SDK_HOST_PARTITION_SELECTION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

// One LiteRtPushOp. The op comes from a plugin: it may be any pointer until
// CheckSelection has passed.
struct SelectedOp {
  Op* op = nullptr;
  LiteRtParamIndex partition_index = 0;
  bool operator==(const SelectedOp&) const = default;
};
using Selection = std::vector<SelectedOp>;

}  // namespace npukit

// The C API's LiteRtOpList, alive during one call of
// LiteRtCompilerPluginPartition.
class LiteRtOpListT {
 public:
  void Push(LiteRtOpT* op, LiteRtParamIndex partition_index) {
    selection_.push_back({op, partition_index});
  }
  const npukit::Selection& selection() const { return selection_; }

 private:
  npukit::Selection selection_;
};

namespace npukit {

inline constexpr int32_t kNoColor = -1;

// A checked selection by position. Partition indices are a plugin's free choice
// (0, 7, SIZE_MAX); a color numbers those that occur from 0 in ascending order.
struct OpColors {
  std::vector<int32_t> color_of_op;  // one per op of the subgraph; kNoColor: not selected
  std::vector<LiteRtParamIndex> partition_index;  // of each color
  size_t selected_count() const;
  bool operator==(const OpColors&) const = default;
};

// Errors (InvalidArgument): a null op, an op that is not of `subgraph`, an op
// selected twice; the message names the op as far as it can be known. Pointers
// that are not ops of `model` are never followed.
litert::Expected<OpColors> CheckSelection(const Model& model, const Subgraph& subgraph,
                                          const Selection& selection);

// "op 3 MUL (name of its first output)".
std::string DescribeOp(const Op& op);

// One line per selected op: "3 MUL -> 0".
std::string ToString(const OpColors& colors, const Subgraph& subgraph);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_SELECTION_H_
