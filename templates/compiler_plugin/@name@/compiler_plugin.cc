// @Name@'s compiler plugin: what it takes (the support table), and how it turns
// a partition into a function of the bytecode.

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "@name@/module.h"
#include "litert/cc/internal/litert_op_options.h"
#include "npukit/plugin.h"

namespace @name@ {
namespace {

using litert::Expected;
using npukit::ElementType;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// An op of the model and what it becomes.
struct OpRule {
  LiteRtOpCode code;
  Opcode opcode;
  // Reads the op's fused activation.
  LiteRtStatus (*fused_activation)(LiteRtOp, uint32_t*);
};

// Add your ops here.
constexpr OpRule kRules[] = {
    {kLiteRtOpCodeTflAdd, Opcode::kAdd, LiteRtGetAddFusedActivationOption},
    {kLiteRtOpCodeTflSub, Opcode::kSub, LiteRtGetSubFusedActivationOption},
    {kLiteRtOpCodeTflMul, Opcode::kMul, LiteRtGetMulFusedActivationOption},
};

npukit::SupportTable MakeTable() {
  npukit::SupportTable table;
  for (const OpRule& rule : kRules) {
    table.Add(npukit::Support(rule.code)
                  .Types({ElementType::Float32})
                  .Where(npukit::NumInputs(2, 2))
                  .Where(npukit::OperandsHaveOneShape())
                  .Where(npukit::FusedActivationIn(
                      rule.fused_activation,
                      {litert::kActivationFunctionTypeNone, litert::kActivationFunctionTypeRelu,
                       litert::kActivationFunctionTypeReluN1To1,
                       litert::kActivationFunctionTypeRelu6})));
  }
  return table;
}

// Compiles one partition.
class FunctionCompiler {
 public:
  explicit FunctionCompiler(std::string name) { function_.name = std::move(name); }

  Expected<Function> Compile(const litert::Subgraph& partition) {
    for (const litert::Tensor& input : partition.Inputs()) {
      LITERT_ASSIGN_OR_RETURN(const uint32_t index, IndexOf(input));
      function_.inputs.push_back(index);
    }
    for (const litert::Op& op : partition.Ops()) LITERT_RETURN_IF_ERROR(CompileOp(op));
    for (const litert::Tensor& output : partition.Outputs()) {
      LITERT_ASSIGN_OR_RETURN(const uint32_t index, IndexOf(output));
      function_.outputs.push_back(index);
    }
    return std::move(function_);
  }

 private:
  Expected<void> CompileOp(const litert::Op& op) {
    for (const OpRule& rule : kRules) {
      if (!op.Is(rule.code)) continue;
      Instruction instruction;
      instruction.opcode = rule.opcode;
      LITERT_RETURN_IF_ERROR(SetBounds(op, rule, instruction));
      LITERT_ASSIGN_OR_RETURN(const auto a, op.Input(0));
      LITERT_ASSIGN_OR_RETURN(const auto b, op.Input(1));
      LITERT_ASSIGN_OR_RETURN(const auto out, op.Output(0));
      LITERT_ASSIGN_OR_RETURN(instruction.a, IndexOf(a));
      LITERT_ASSIGN_OR_RETURN(instruction.b, IndexOf(b));
      LITERT_ASSIGN_OR_RETURN(instruction.out, IndexOf(out));
      function_.code.push_back(instruction);
      return {};
    }
    return litert::Unexpected(litert::Status::kErrorUnsupported, "an op that was not selected");
  }

  static Expected<void> SetBounds(const litert::Op& op, const OpRule& rule, Instruction& i) {
    i.min = -kInfinity;
    i.max = kInfinity;
    uint32_t activation = litert::kActivationFunctionTypeNone;
    LITERT_RETURN_IF_ERROR(rule.fused_activation(op.Get(), &activation));
    switch (activation) {
      case litert::kActivationFunctionTypeNone:
        break;
      case litert::kActivationFunctionTypeRelu:
        i.min = 0;
        break;
      case litert::kActivationFunctionTypeReluN1To1:
        i.min = -1;
        i.max = 1;
        break;
      case litert::kActivationFunctionTypeRelu6:
        i.min = 0;
        i.max = 6;
        break;
      default:
        return litert::Unexpected(litert::Status::kErrorUnsupported, "the fused activation");
    }
    return {};
  }

  // The tensor's place in the function, where it is put if it is new.
  Expected<uint32_t> IndexOf(const litert::Tensor& tensor) {
    for (size_t i = 0; i < known_.size(); ++i) {
      if (known_[i] == tensor) return static_cast<uint32_t>(i);
    }
    LITERT_ASSIGN_OR_RETURN(const auto type, tensor.RankedTensorType());
    LITERT_ASSIGN_OR_RETURN(const size_t num_elems, type.Layout().NumElements());
    TensorInfo info;
    info.num_elems = static_cast<uint32_t>(num_elems);
    if (tensor.IsConstant()) {
      LITERT_ASSIGN_OR_RETURN(const auto values, tensor.WeightsData<float>());
      info.is_constant = true;
      info.values.assign(values.begin(), values.end());
    }
    function_.tensors.push_back(std::move(info));
    known_.push_back(tensor);
    return static_cast<uint32_t>(known_.size() - 1);
  }

  Function function_;
  std::vector<litert::Tensor> known_;  // by place in the function
};

class @Name@Plugin : public npukit::CompilerPlugin {
 public:
  static constexpr const char* kManufacturer = "@Name@";
  static constexpr const char* kSocModels[] = {"@name@_1"};

  const npukit::SupportTable* SupportFor(const std::string&) override { return &table_; }

  // One module, with a function per partition.
  Expected<npukit::CompiledResult> Compile(const std::string&,
                                           const litert::Model& partitions) override {
    Module module;
    for (size_t i = 0; i < partitions.NumSubgraphs(); ++i) {
      LITERT_ASSIGN_OR_RETURN(const auto partition, partitions.Subgraph(i));
      LITERT_ASSIGN_OR_RETURN(
          auto function, FunctionCompiler("partition_" + std::to_string(i)).Compile(partition));
      module.functions.push_back(std::move(function));
    }
    npukit::CompiledResult result;
    const size_t index = result.AddModule(Encode(module));
    for (const Function& function : module.functions) result.AddCall(function.name, index);
    return result;
  }

 private:
  const npukit::SupportTable table_ = MakeTable();
};

}  // namespace
}  // namespace @name@

NPUKIT_EXPORT_COMPILER_PLUGIN(@name@::@Name@Plugin);
