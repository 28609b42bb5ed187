// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The partition stage: a model in, the same model with its partitions outlined
// out, and for every op where it went and why.
//
//   odml.npu_call        always a partition of its own, whole; the selector's
//   answer is not asked for odml.cpu_call        never; inlined after
//   everything is partitioned, so that the selector never sees its body another
//   composite    selected: outlined as one op, without its decomposition. Not
//   selected: inlined, and the selector
//                        is asked again, until nothing new shows up

#ifndef NPUKIT_SDK_HOST_PARTITION_PARTITION_MODEL_H_
#define NPUKIT_SDK_HOST_PARTITION_PARTITION_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/selection.h"

namespace npukit {

// What a selector says about one subgraph.
struct SelectorAnswer {
  Selection selection;
  struct Remark {
    const Op* op = nullptr;
    std::string text;
  };
  std::vector<Remark> remarks;  // why an op was left; those about other ops are ignored
};

// Asked once per subgraph, and again when inlining brought new ops to light.
// Must not change the subgraph. It never sees dispatch ops: where there are any
// it gets a copy of the subgraph without them.
using Selector = std::function<litert::Expected<SelectorAnswer>(Subgraph& subgraph)>;

// Where an op of the given model went. Composites that were inlined are
// replaced by the ops of their decomposition.
struct OpPlacementRecord {
  uint32_t subgraph = 0;      // in the given model
  uint32_t index = 0;         // position there; for an inlined op that of its composite
  std::string op;             // "CONV_2D"
  std::string name;           // of its first output tensor
  std::string composite;      // name of the composite it was inlined from; else empty
  int partition = -1;         // -1: stays outside
  std::string reason;         // why it stays outside; empty if it doesn't
  bool was_dispatch = false;  // compiled before, by another plugin
  std::string plugin{};       // manufacturer, where that is known; else empty
  // Where the op itself stands in the given model, and the name of its first output there: of an
  // inlined op in the decomposition.
  struct Home {
    uint32_t subgraph = 0;
    uint32_t index = 0;
    std::string name;
  };
  Home home{};
};

// A selector that is also told where each op of the subgraph comes from: records[i] is of op i.
using RecordSelector = std::function<litert::Expected<SelectorAnswer>(
    Subgraph& subgraph, std::span<const OpPlacementRecord* const> records)>;

struct PartitionedModel {
  struct Partition {
    Op* call = nullptr;          // in `outer`
    LiteRtParamIndex index = 0;  // the plugin's partition index; for an npu_call 0
    bool is_npu_call = false;
    std::vector<uint32_t> ops;  // into `records`
  };
  std::unique_ptr<Model> outer;
  std::unique_ptr<Model> bodies;      // subgraph i is the body of partitions[i]
  std::vector<Partition> partitions;  // by subgraph, then in the order in which
                                      // the outer graph runs them
  std::vector<OpPlacementRecord> records;
};

struct PartitionOptions {
  // Shown as the reason of ops that were not selected and got no remark.
  std::string default_reason = "not selected";
  // Composites that stay composites if they are not selected; null: none, all are inlined.
  std::function<bool(const Op& composite)> keep_whole;
};

// `model` is not changed; the results share its buffers. Without any partition
// `outer` equals `model`: nothing is inlined. Errors: the selector's own, a
// selection that CheckSelection refuses, composites whose decomposition is
// missing, does not fit or contains itself.
litert::Expected<PartitionedModel> PartitionModel(const Model& model, const Selector& selector,
                                                  const PartitionOptions& options = {});

litert::Expected<PartitionedModel> PartitionModel(const Model& model,
                                                  const RecordSelector& selector,
                                                  const PartitionOptions& options = {});

// One line per op and partition, for goldens and --dump.
std::string ToString(const PartitionedModel& partitioned);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_PARTITION_MODEL_H_
