// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a compiler plugin selected in one subgraph, and the check that it makes sense.

#ifndef NPUKIT_SDK_HOST_PARTITION_SELECTION_H_
#define NPUKIT_SDK_HOST_PARTITION_SELECTION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

// One LiteRtPushOp. The op comes from a plugin: it may be any pointer until CheckSelection has
// passed.
struct SelectedOp {
  Op* op = nullptr;
  LiteRtParamIndex partition_index = 0;
  bool operator==(const SelectedOp&) const = default;
};
using Selection = std::vector<SelectedOp>;

}  // namespace npukit

// The C API's LiteRtOpList, alive during one call of LiteRtCompilerPluginPartition.
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

// What a plugin says about one subgraph.
struct SelectorAnswer {
  Selection selection;
  struct Remark {
    const Op* op = nullptr;
    std::string text;
  };
  std::vector<Remark> remarks;  // why an op was left; those about other ops are ignored
};
// Must not change the subgraph.
using Selector = std::function<litert::Expected<SelectorAnswer>(Subgraph& subgraph)>;

// Errors (InvalidArgument): a null op, an op that is not of `subgraph`, an op selected twice; the
// message names the op as far as it can be known. Pointers that are not ops of `model` or
// `subgraph` are never followed.
litert::Expected<void> CheckSelection(const Model& model, const Subgraph& subgraph,
                                      const Selection& selection);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_SELECTION_H_
