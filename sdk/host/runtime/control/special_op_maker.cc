// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/control/special_op_maker.h"

#include <algorithm>

#include "sdk/host/runtime/control/special_kernels.h"

namespace npukit {
namespace {

using Make = litert::Expected<SpecialStep> (*)(const GraphContext& context,
                                               const kernels::Node& node);

struct Entry {
  LiteRtOpCode code;
  bool has_effects;
  Make make;
};

constexpr auto kStablehloCase = static_cast<LiteRtOpCode>(209);  // no name in abi 2.1

constexpr Entry kEntries[] = {
    {kLiteRtOpCodeTflAssignVariable, true, MakeAssignVariable},
    {kLiteRtOpCodeTflCall, true, MakeCall},
    {kLiteRtOpCodeTflCallOnce, true, MakeCallOnce},
    {kLiteRtOpCodeTflHashtable, false, MakeTable},
    {kLiteRtOpCodeTflHashtableFind, true, MakeTableFind},
    {kLiteRtOpCodeTflHashtableImport, true, MakeTableImport},
    {kLiteRtOpCodeTflHashtableSize, true, MakeTableSize},
    {kLiteRtOpCodeTflIf, true, MakeIf},
    {kLiteRtOpCodeTflReadVariable, true, MakeReadVariable},
    {kLiteRtOpCodeTflVarHandle, false, MakeVarHandle},
    {kLiteRtOpCodeTflWhile, true, MakeWhile},
    {kLiteRtOpCodeShloWhile, true, MakeWhile},
    {kLiteRtOpCodeShloWindow, false, MakeReduceWindow},
    {kLiteRtOpCodeShloScatter, false, MakeScatter},
    {kStablehloCase, true, MakeCase},
};

// Kernels compute nothing with strings.
constexpr Entry kGatherStrings = {kLiteRtOpCodeTflGather, false, MakeGatherStrings};

const Entry* Find(const Op& op) {
  if (op.code == kLiteRtOpCodeTflGather && !op.inputs.empty() && op.inputs[0] != nullptr &&
      op.inputs[0]->element_type == kLiteRtElementTypeTfString) {
    return &kGatherStrings;
  }
  const auto* found = std::ranges::find(kEntries, op.code, &Entry::code);
  return found == std::end(kEntries) ? nullptr : found;
}

}  // namespace

SpecialOpMaker::SpecialOpMaker(GraphContext context) : context_(context) {
  context_.special_ops = this;
}

bool SpecialOpMaker::Knows(const Op& op) const { return Find(op) != nullptr; }

bool SpecialOpMaker::HasEffects(const Op& op) const {
  const Entry* entry = Find(op);
  return entry != nullptr && entry->has_effects;
}

litert::Expected<SpecialStep> SpecialOpMaker::Plan(const kernels::Node& node) {
  return Find(*node.op)->make(context_, node);
}

}  // namespace npukit
