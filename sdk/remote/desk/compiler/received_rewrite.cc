// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/compiler/received_rewrite.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/model_verifier.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/partition/copy.h"

namespace npukit::remote {
namespace {

litert::Unexpected Wrong(std::string what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, std::move(what));
}

// -- What a rewrite leaves as it was ----------------------------------------------------------------

bool IsSameValue(const Tensor& a, const Tensor& b) {
  return a.name == b.name && a.element_type == b.element_type && a.shape == b.shape &&
         a.shape_signature == b.shape_signature;
}

bool AreSameValues(const std::vector<Tensor*>& a, const std::vector<Tensor*>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!IsSameValue(*a[i], *b[i])) return false;
  }
  return true;
}

bool AreSamePorts(const std::vector<Signature::NamedTensor>& a,
                  const std::vector<Signature::NamedTensor>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].name != b[i].name || (a[i].tensor == nullptr) != (b[i].tensor == nullptr) ||
        (a[i].tensor != nullptr && !IsSameValue(*a[i].tensor, *b[i].tensor))) {
      return false;
    }
  }
  return true;
}

size_t NumberOf(const Subgraph* subgraph, const Model& model) {
  size_t number = 0;
  while (number < model.subgraphs().size() && &model.subgraph(number) != subgraph) ++number;
  return number;
}

litert::Expected<void> CheckFrame(const Model& sent, const Model& came) {
  const size_t count = sent.subgraphs().size();
  if (came.subgraphs().size() != count)
    return Wrong(fmt::format("{} subgraphs, expected {}", came.subgraphs().size(), count));
  for (size_t s = 0; s < count; ++s) {
    if (!AreSameValues(sent.subgraph(s).inputs, came.subgraph(s).inputs) ||
        !AreSameValues(sent.subgraph(s).outputs, came.subgraph(s).outputs)) {
      return Wrong(fmt::format("subgraph {}: other inputs or outputs", s));
    }
  }
  if (sent.signatures.size() != came.signatures.size()) return Wrong("other signatures");
  for (size_t i = 0; i < sent.signatures.size(); ++i) {
    const Signature& a = *sent.signatures[i];
    const Signature& b = *came.signatures[i];
    if (a.key != b.key || NumberOf(a.subgraph, sent) != NumberOf(b.subgraph, came) ||
        !AreSamePorts(a.inputs, b.inputs) || !AreSamePorts(a.outputs, b.outputs)) {
      return Wrong(fmt::format("signature {}: another one", i));
    }
  }
  return {};
}

litert::Expected<void> CheckOrigins(const Model& sent, const Model& came,
                                    const RemoteOrigins& origins) {
  const size_t num_subgraphs = came.subgraphs().size();
  if (origins.size() != num_subgraphs)
    return Wrong(fmt::format("origins of {} subgraphs of {}", origins.size(), num_subgraphs));
  for (size_t s = 0; s < origins.size(); ++s) {
    const size_t num_ops = came.subgraph(s).ops().size();
    const size_t num_sent = sent.subgraph(s).ops().size();
    if (origins[s].size() != num_ops)
      return Wrong(
          fmt::format("subgraph {}: origins of {} ops of {}", s, origins[s].size(), num_ops));
    for (size_t op = 0; op < num_ops; ++op) {
      const std::vector<uint32_t>& of_op = origins[s][op];
      for (size_t i = 0; i < of_op.size(); ++i) {
        if (of_op[i] >= num_sent)
          return Wrong(fmt::format("subgraph {}, op {}: it stands for op {} of {}", s, op, of_op[i],
                                   num_sent));
        if (i > 0 && of_op[i] <= of_op[i - 1])
          return Wrong(fmt::format("subgraph {}, op {}: its origins are not in order", s, op));
      }
    }
  }
  return {};
}

// -- The model, among the buffers of the one that was sent --------------------------------------------

class Received {
 public:
  Received(const Model& sent, const Model& came, const PluginAnswer& answer)
      : sent_(sent), came_(came), answer_(answer), model_(CopyModelFields(sent)) {}

  litert::Expected<std::unique_ptr<Model>> Make() {
    CopyGraphs();
    AddNewConstants();
    LITERT_RETURN_IF_ERROR(TakeSentConstants());
    LITERT_RETURN_IF_ERROR(TakeOps());
    UpdateOperatorCodes(*model_);
    LITERT_RETURN_IF_ERROR(VerifyModel(*model_));
    return std::move(model_);
  }

 private:
  void CopyGraphs() {
    std::vector<SubgraphCopier> copiers;
    for (const auto& subgraph : came_.subgraphs()) {
      Subgraph& copy = model_->AddSubgraph();
      CopySubgraphFields(*subgraph, copy);
      copiers.push_back(CopyWholeSubgraph(*subgraph, copy));
    }
    CopySignatures(
        came_, *model_, [&](size_t i) { return &model_->subgraph(i); },
        [&](size_t i, const Tensor& tensor) { return copiers[i].Get(&tensor); });
  }

  // In the order in which they were made there, which is that of a file's buffers. Tensors of the
  // copy have numbers of `came` until here, and of `sent` from here on; so sent constants are put
  // in after it.
  void AddNewConstants() {
    std::map<BufferStore::Id, BufferStore::Id> ids = {{BufferStore::kEmpty, BufferStore::kEmpty}};
    for (const auto& subgraph : came_.subgraphs()) {
      for (const auto& tensor : subgraph->tensors()) ids.emplace(tensor->weights.buffer_id, 0);
    }
    for (auto& [theirs, ours] : ids) {
      if (theirs != BufferStore::kEmpty)
        ours = model_->buffers().Add(SharedBytes::Copy(came_.buffers().Get(theirs).bytes));
    }
    for (const auto& subgraph : model_->subgraphs()) {
      for (const auto& tensor : subgraph->tensors())
        tensor->weights.buffer_id = ids.at(tensor->weights.buffer_id);
    }
  }

  static Tensor* TensorOf(const Model& model, uint32_t subgraph, uint32_t tensor) {
    if (subgraph >= model.subgraphs().size()) return nullptr;
    const Subgraph& of = model.subgraph(subgraph);
    return tensor < of.tensors().size() ? &of.tensor(tensor) : nullptr;
  }

  litert::Expected<void> TakeSentConstants() {
    for (const RemoteConstant& constant : answer_.constants) {
      Tensor* const tensor = TensorOf(*model_, constant.subgraph, constant.tensor);
      const Tensor* const sent = TensorOf(sent_, constant.sent_subgraph, constant.sent_tensor);
      if (tensor == nullptr || sent == nullptr || sent->weights.buffer_id == BufferStore::kEmpty ||
          tensor->weights.buffer_id != BufferStore::kEmpty) {
        return Wrong(fmt::format(
            "subgraph {}, tensor {}: it can't have the constant of subgraph {}, tensor {}",
            constant.subgraph, constant.tensor, constant.sent_subgraph, constant.sent_tensor));
      }
      tensor->weights.buffer_id = sent->weights.buffer_id;
    }
    return {};
  }

  // What an op has that is not of the graph: its place among the operator codes, and bytecode, which no rewrite makes.
  litert::Expected<void> TakeOps() {
    for (size_t s = 0; s < answer_.origins.size(); ++s) {
      for (const auto& op : model_->subgraph(s).ops()) {
        const std::vector<uint32_t>& origins = answer_.origins[s][op->index];
        const Op* const one =
            origins.size() == 1 ? &sent_.subgraph(s).op(origins.front()) : nullptr;
        op->operator_code_hint = one == nullptr ? 0 : one->operator_code_hint;
        if (!op->is_dispatch()) continue;
        if (one == nullptr || !one->is_dispatch())
          return Wrong(
              fmt::format("subgraph {}, op {}: a DISPATCH_OP that was not sent", s, op->index));
        op->dispatch = one->dispatch;
        op->custom_options = one->custom_options;
        op->has_custom_options = one->has_custom_options;
      }
    }
    return {};
  }

  const Model& sent_;
  const Model& came_;
  const PluginAnswer& answer_;
  std::unique_ptr<Model> model_;
};

}  // namespace

litert::Expected<ReceivedRewrite> ReceiveRewrite(const Model& sent, const PluginAnswer& answer) {
  ReceivedRewrite received;
  received.count.applied = static_cast<size_t>(answer.number);
  received.count.limit_reached = answer.numbers[0] != 0;
  if (answer.number == 0) return received;
  LITERT_ASSIGN_OR_RETURN(const std::unique_ptr<Model> came,
                          ParseModel(SharedBytes::Copy(answer.bytes), "the rewritten model"));
  LITERT_RETURN_IF_ERROR(CheckFrame(sent, *came));
  LITERT_RETURN_IF_ERROR(CheckOrigins(sent, *came, answer.origins));
  LITERT_ASSIGN_OR_RETURN(received.model, Received(sent, *came, answer).Make());
  received.count.origins = answer.origins;
  return received;
}

}  // namespace npukit::remote
