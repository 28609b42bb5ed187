// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_GRAPH_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_GRAPH_H_

// Op and Subgraph: handles into a model, cheap to copy, which must not outlive
// it. A null or dangling handle ends the process.

#include <cstddef>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/internal/litert_detail.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/internal/litert_tensor.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert {

using OpInputs = std::vector<Tensor>;
using OpOutputs = std::vector<Tensor>;

// An operation of a graph.
class Op : public internal::CopyableHandle<LiteRtOp> {
 public:
  explicit Op(LiteRtOp op) : CopyableHandle(op) {}

  LiteRtOpCode Code() const {
    LiteRtOpCode code{};
    internal::AssertOk(LiteRtGetOpCode, Get(), &code);
    return code;
  }
  bool Is(LiteRtOpCode code) const { return Code() == code; }

  // An error unless this is a custom op.
  Expected<internal::StringView> CustomCode() const {
    const char* custom_code = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtGetCustomCode(Get(), &custom_code)) << "the op is no custom op";
    return internal::StringView(custom_code);
  }

  OpInputs Inputs() const {
    return internal::Collect<Tensor>(Get(), LiteRtGetNumOpInputs, LiteRtGetOpInput);
  }
  OpOutputs Outputs() const {
    return internal::Collect<Tensor>(Get(), LiteRtGetNumOpOutputs, LiteRtGetOpOutput);
  }

  // kErrorIndexOOB if there are not so many.
  Expected<Tensor> Input(size_t index) const {
    return At(index, LiteRtGetNumOpInputs, LiteRtGetOpInput);
  }
  Expected<Tensor> Output(size_t index) const {
    return At(index, LiteRtGetNumOpOutputs, LiteRtGetOpOutput);
  }
  Expected<Op> InputDefiningOp(size_t index) const {
    LITERT_ASSIGN_OR_RETURN(const Tensor input, Input(index));
    return input.GetDefiningOp();
  }

 private:
  Expected<Tensor> At(size_t index, LiteRtStatus (*count)(LiteRtOp, LiteRtParamIndex*),
                      LiteRtStatus (*get)(LiteRtOp, LiteRtParamIndex, LiteRtTensor*)) const {
    LiteRtParamIndex size = 0;
    LITERT_RETURN_IF_ERROR(count(Get(), &size));
    if (index >= size) return Unexpected(Status::kErrorIndexOOB);
    LiteRtTensor tensor = nullptr;
    LITERT_RETURN_IF_ERROR(get(Get(), index, &tensor));
    return Tensor(tensor);
  }
};

struct Tensor::TensorUse {
  Op user;
  LiteRtParamIndex user_arg_ind;
};

using SubgraphInputs = std::vector<Tensor>;
using SubgraphOutputs = std::vector<Tensor>;

// A graph: ops in execution order, and its inputs and outputs.
class Subgraph : public internal::CopyableHandle<LiteRtSubgraph> {
 public:
  explicit Subgraph(LiteRtSubgraph subgraph) : CopyableHandle(subgraph) {}

  SubgraphInputs Inputs() const {
    return internal::Collect<Tensor>(Get(), LiteRtGetNumSubgraphInputs, LiteRtGetSubgraphInput);
  }
  SubgraphOutputs Outputs() const {
    return internal::Collect<Tensor>(Get(), LiteRtGetNumSubgraphOutputs, LiteRtGetSubgraphOutput);
  }
  std::vector<Op> Ops() const {
    return internal::Collect<Op>(Get(), LiteRtGetNumSubgraphOps, LiteRtGetSubgraphOp);
  }

  // By tensor name.
  Expected<Tensor> Input(internal::StringView name) const { return Find(Inputs(), name, "input"); }
  Expected<Tensor> Output(internal::StringView name) const {
    return Find(Outputs(), name, "output");
  }

 private:
  static Expected<Tensor> Find(const std::vector<Tensor>& tensors, internal::StringView name,
                               const char* what) {
    for (const Tensor& tensor : tensors) {
      if (tensor.Name() == name) return tensor;
    }
    return Unexpected(Status::kErrorNotFound, internal::Text({"no ", what, " named '", name, "'"}));
  }
};

inline Expected<Op> Tensor::GetDefiningOp() const {
  const auto defining_op = DefiningOp();
  if (!defining_op) return Unexpected(Status::kErrorNotFound);
  return Op(defining_op->op);
}

inline Tensor::TensorUses Tensor::Uses() const {
  LiteRtParamIndex num_uses = 0;
  internal::AssertOk(LiteRtGetNumTensorUses, Get(), &num_uses);
  TensorUses uses;
  uses.reserve(num_uses);
  for (LiteRtParamIndex i = 0; i < num_uses; ++i) {
    LiteRtOp user = nullptr;
    LiteRtParamIndex user_arg_index = 0;
    internal::AssertOk(LiteRtGetTensorUse, Get(), i, &user, &user_arg_index);
    uses.push_back(TensorUse{Op(user), user_arg_index});
  }
  return uses;
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_GRAPH_H_
