// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Copies of parts of a model. The partition stage never edits a graph: each
// step copies what stays into a new one. Buffers are shared, never copied.

#ifndef NPUKIT_SDK_HOST_PARTITION_COPY_H_
#define NPUKIT_SDK_HOST_PARTITION_COPY_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sdk/host/model/graph/model.h"

namespace npukit {

// Copies ops and tensors of one subgraph into another, each tensor at most
// once. Both must outlive the copier, the source unchanged.
class SubgraphCopier {
 public:
  SubgraphCopier(const Subgraph& source, Subgraph& target);

  // From now on `from` stands for `to`; null makes its readers omit it.
  void Bind(const Tensor& from, Tensor* to);
  // The tensor that `from` stands for, copied (with those that its quantisation
  // refers to) if it was not yet. Null for null.
  Tensor* Get(const Tensor* from);
  // Adds a copy at the end of the target's ops.
  Op& CopyOp(const Op& op);

  Subgraph& target() { return target_; }

 private:
  const Subgraph& source_;
  Subgraph& target_;
  std::vector<Tensor*> tensor_of_;  // by index in the source
  std::vector<bool> known_;
};

// Everything but ops, tensors, inputs and outputs.
void CopySubgraphFields(const Subgraph& from, Subgraph& to);
// Ops, tensors, inputs and outputs, into `to`, which has none; tensors and ops keep their indices. Gives the
// copier, which knows what each tensor became.
SubgraphCopier CopyWholeSubgraph(const Subgraph& from, Subgraph& to);
// Everything but subgraphs and signatures; shares the buffers.
std::unique_ptr<Model> CopyModelFields(const Model& model);
// Drops operator codes that no op has any more and adds those that are missing, so that the list
// is the one that a reader of the saved model sees.
void UpdateOperatorCodes(Model& model);
// `translate` gives the copy of a tensor of subgraph `index` of `from`, and
// `subgraph_of` the copy of that subgraph, which no signature may lack.
void CopySignatures(const Model& from, Model& to,
                    const std::function<Subgraph*(size_t index)>& subgraph_of,
                    const std::function<Tensor*(size_t index, const Tensor& tensor)>& translate);
// All of it.
std::unique_ptr<Model> CopyModel(const Model& model);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_COPY_H_
