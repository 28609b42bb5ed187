// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// IF, WHILE, CALL, CALL_ONCE, STABLEHLO_CASE, the ops of resource variables and of hash tables, and
// those on strings, as steps of plans.

#ifndef NPUKIT_SDK_HOST_RUNTIME_CONTROL_SPECIAL_OP_MAKER_H_
#define NPUKIT_SDK_HOST_RUNTIME_CONTROL_SPECIAL_OP_MAKER_H_

#include "sdk/host/runtime/execution/graph_context.h"
#include "sdk/host/runtime/plan/special_ops.h"

namespace npukit {

// Stands at one place as long as plans hold steps of it.
class SpecialOpMaker final : public SpecialOps {
 public:
  // Its own `special_ops` is what is made here.
  explicit SpecialOpMaker(GraphContext context);
  SpecialOpMaker(const SpecialOpMaker&) = delete;
  SpecialOpMaker& operator=(const SpecialOpMaker&) = delete;

  const GraphContext& context() const { return context_; }

  bool Knows(const Op& op) const override;
  bool HasEffects(const Op& op) const override;
  litert::Expected<SpecialStep> Plan(const kernels::Node& node) override;

 private:
  GraphContext context_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_CONTROL_SPECIAL_OP_MAKER_H_
