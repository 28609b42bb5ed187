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

constexpr Entry kEntries[] = {
    {kLiteRtOpCodeTflAssignVariable, true, MakeAssignVariable},
    {kLiteRtOpCodeTflCall, true, MakeCall},
    {kLiteRtOpCodeTflCallOnce, true, MakeCallOnce},
    {kLiteRtOpCodeTflHashtable, false, MakeTable},
    {kLiteRtOpCodeTflHashtableFind, true, MakeTableFind},
    {kLiteRtOpCodeTflHashtableImport, true, MakeTableImport},
    {kLiteRtOpCodeTflHashtableSize, true, MakeTableSize},
    {kLiteRtOpCodeTflIf, true, MakeIf},
    {kLiteRtOpCodeTflMultinomial, false, MakeMultinomial},
    {kLiteRtOpCodeTflRandomStandardNormal, false, MakeRandomNormal},
    {kLiteRtOpCodeTflRandomUniform, false, MakeRandomUniform},
    {kLiteRtOpCodeTflReadVariable, true, MakeReadVariable},
    {kLiteRtOpCodeTflSkipGram, false, MakeSkipGram},
    {kLiteRtOpCodeTflVarHandle, false, MakeVarHandle},
    {kLiteRtOpCodeTflWhile, true, MakeWhile},
    {kLiteRtOpCodeShloWhile, true, MakeWhile},
    {kLiteRtOpCodeShloWindow, false, MakeReduceWindow},
    {kLiteRtOpCodeShloScatter, false, MakeScatter},
    {kStablehloCase, true, MakeCase},
};

// Those that TFLite runs on strings, which kernels do not know. SHAPE and RANK look at no element.
constexpr Entry kStringEntries[] = {
    {kLiteRtOpCodeTflEqual, false, MakeStringOp},
    {kLiteRtOpCodeTflExpandDims, false, MakeStringOp},
    {kLiteRtOpCodeTflFill, false, MakeStringOp},
    {kLiteRtOpCodeTflGather, false, MakeStringOp},
    {kLiteRtOpCodeTflGatherNd, false, MakeStringOp},
    {kLiteRtOpCodeTflHashtableLookup, false, MakeStringOp},
    {kLiteRtOpCodeTflNotEqual, false, MakeStringOp},
    {kLiteRtOpCodeTflReshape, false, MakeStringOp},
    {kLiteRtOpCodeTflSlice, false, MakeStringOp},
    {kLiteRtOpCodeTflSqueeze, false, MakeStringOp},
    {kLiteRtOpCodeTflStridedSlice, false, MakeStringOp},
    {kLiteRtOpCodeTflTile, false, MakeStringOp},
};

const Entry* Find(const Op& op) {
  const auto is_string = [](const Tensor* tensor) {
    return tensor != nullptr && tensor->element_type == kLiteRtElementTypeTfString;
  };
  if (std::ranges::any_of(op.inputs, is_string)) {
    const auto* of_strings = std::ranges::find(kStringEntries, op.code, &Entry::code);
    if (of_strings != std::end(kStringEntries)) return of_strings;
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
