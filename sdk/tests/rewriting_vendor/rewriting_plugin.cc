// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A compiler plugin that rewrites the graph and gives each op of its programs a debug handle:
//
//   MUL(SUB(x, y), SUB(x, y))  -> SQUARED_DIFFERENCE(x, y)    two ops become one
//   ABS(x)                     -> MAXIMUM(x, NEG(x))          one becomes two
//   ADD(x, NEG(y))             -> SUB(x, y)                   which it does not take
//
// Its program is text, see rewriting_dispatch.cc. The spec "wrong" names an op whose results are
// off by one, "fail" one that cannot be run.

#include <map>
#include <string>

#include "litert/cc/internal/litert_builder.h"
#include "litert/cc/internal/litert_matchers.h"
#include "npukit/compile_spec.h"
#include "npukit/plugin.h"

namespace {

using npukit::CompiledResult;
using npukit::ElementType;
using npukit::Support;
using npukit::SupportTable;

const std::map<LiteRtOpCode, std::string>& Instructions() {
  static const std::map<LiteRtOpCode, std::string> instructions = {
      {kLiteRtOpCodeTflAdd, "add"},
      {kLiteRtOpCodeTflMaximum, "maximum"},
      {kLiteRtOpCodeTflNeg, "neg"},
      {kLiteRtOpCodeTflSquaredDifference, "squared_difference"}};
  return instructions;
}

LiteRtStatus SquareOfDifference(LiteRtBuilder builder, LiteRtOp op) {
  using namespace litert;
  Op root(op);
  Op difference(nullptr);
  const auto same = m_CaptureOrSameAs(&difference, m_OpCode<kLiteRtOpCodeTflSub>());
  if (!Match(root, m_Op<kLiteRtOpCodeTflMul>(same, same))) return kLiteRtStatusPatternNoMatch;
  Builder rewrite(builder);
  rewrite.ReplaceOp(root, kLiteRtOpCodeTflSquaredDifference, difference.Inputs());
  rewrite.EraseOp(difference);
  return kLiteRtStatusOk;
}

LiteRtStatus AbsToMaximum(LiteRtBuilder builder, LiteRtOp op) {
  using namespace litert;
  Op root(op);
  if (!Match(root, m_OpCode<kLiteRtOpCodeTflAbs>())) return kLiteRtStatusPatternNoMatch;
  Builder rewrite(builder);
  const Tensor x = root.Inputs()[0];
  const auto type = x.RankedTensorType();
  if (!type) return kLiteRtStatusPatternNoMatch;
  const auto negative = rewrite.CreateOpWithOutputSpec(
      kLiteRtOpCodeTflNeg, {x}, RankedTensorSpecBuilder(*type).WithTensorName("negative").Build());
  if (!negative) return kLiteRtStatusErrorRuntimeFailure;
#if defined(REWRITES_OTHERWISE)
  rewrite.ReplaceOp(root, kLiteRtOpCodeTflMaximum, {*negative, x});
#else
  rewrite.ReplaceOp(root, kLiteRtOpCodeTflMaximum, {x, *negative});
#endif
  return kLiteRtStatusOk;
}

LiteRtStatus SumWithNegative(LiteRtBuilder builder, LiteRtOp op) {
  using namespace litert;
  Op root(op);
  Op negative(nullptr);
  const auto captured = m_CaptureOrSameAs(&negative, m_OpCode<kLiteRtOpCodeTflNeg>());
  if (!Match(root, m_Op<kLiteRtOpCodeTflAdd>(m_Any(), captured)))
    return kLiteRtStatusPatternNoMatch;
  Builder rewrite(builder);
  rewrite.ReplaceOp(root, kLiteRtOpCodeTflSub, {root.Inputs()[0], negative.Inputs()[0]});
  rewrite.EraseOp(negative);
  return kLiteRtStatusOk;
}

// Numbers the tensors of a partition.
class TensorNumbers {
 public:
  std::string Of(const litert::Tensor& tensor) {
    return " " + std::to_string(numbers_.emplace(tensor.Get(), numbers_.size()).first->second);
  }

 private:
  std::map<LiteRtTensor, size_t> numbers_;
};

class RewritingPlugin : public npukit::CompilerPlugin {
 public:
  static constexpr const char* kManufacturer = "Rewriting";
  static constexpr const char* kSocModels[] = {"r1"};

  RewritingPlugin() {
    for (const auto& [code, name] : Instructions())
      table_.Add(Support(code).Types({ElementType::Float32}));
    AddTransformation(&SquareOfDifference, "square of difference", 1);
    AddTransformation(&AbsToMaximum, "abs to maximum", 1);
    AddTransformation(&SumWithNegative, "sum with negative", 2);
  }

  const SupportTable* SupportFor(const std::string&) override { return &table_; }

  litert::Expected<CompiledResult> Compile(const std::string&,
                                           const litert::Model& partitions) override {
    CompiledResult result;
    std::string program;
    for (size_t i = 0; i < partitions.NumSubgraphs(); ++i) {
      LITERT_ASSIGN_OR_RETURN(const litert::Subgraph body, partitions.Subgraph(i));
      program += CompileBody(body, i);
    }
    const size_t module = result.AddModule(program);
    for (size_t i = 0; i < partitions.NumSubgraphs(); ++i) {
      const size_t call = result.AddCall("main_" + std::to_string(i), module);
      LITERT_ASSIGN_OR_RETURN(const litert::Subgraph body, partitions.Subgraph(i));
      for (uint32_t op = 0; op < body.Ops().size(); ++op)
        result.AddDebugHandle(call, HandleOf(op), "instruction", {op});
    }
    return result;
  }

  bool KnowsSpec(const std::string& key) const override {
    return key == NPUKIT_SPEC_KEEP_INTERMEDIATES || key == "wrong" || key == "fail";
  }

 private:
  static uint32_t HandleOf(uint32_t op) { return 10 * (op + 1); }

  bool IsNamedBy(const char* key, size_t partition, const std::string& name) const {
    const auto spec = Spec(partition, key);
    return spec && std::string(spec->begin(), spec->end()) == name;
  }

  std::string CompileBody(const litert::Subgraph& body, size_t partition) const {
    TensorNumbers numbers;
    std::string text = "fn main_" + std::to_string(partition) + "\nin";
    for (const litert::Tensor& input : body.Inputs()) text += numbers.Of(input);
    text += "\n";
    uint32_t number = 0;
    for (const litert::Op& op : body.Ops()) {
      const std::string name = Instructions().at(op.Code());
      text += name;
      if (IsNamedBy("wrong", partition, name)) text += "!";
      if (IsNamedBy("fail", partition, name)) text += "?";
      text += " " + std::to_string(HandleOf(number++)) + numbers.Of(op.Outputs()[0]);
      for (const litert::Tensor& input : op.Inputs()) text += numbers.Of(input);
      text += "\n";
    }
    text += "out";
    for (const litert::Tensor& output : body.Outputs()) text += numbers.Of(output);
    return text + "\n";
  }

  SupportTable table_;
};

}  // namespace

NPUKIT_EXPORT_COMPILER_PLUGIN(RewritingPlugin);
