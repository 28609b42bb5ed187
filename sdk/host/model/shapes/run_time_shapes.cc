// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/shapes/run_time_shapes.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>

#include "sdk/host/model/options/subgraph_references.h"
#include "sdk/host/model/shapes/stored_shapes.h"

namespace npukit {
namespace {

std::span<const size_t> ShapeOperands(const Op& op) {
  static const auto* const table = [] {
    auto* operands = new std::unordered_map<LiteRtOpCode, std::vector<size_t>>;
#define SHAPE_OPERANDS(NAME, ...) \
  if (const auto code = OpCodeFromName(#NAME)) (*operands)[*code] = {__VA_ARGS__};
#include "sdk/host/model/shapes/shape_operands.def"
    return operands;
  }();
  const auto known = table->find(op.code);
  return known == table->end() ? std::span<const size_t>() : known->second;
}

// A constant, of which one without elements takes no bytes.
bool IsKnown(const Tensor& tensor) {
  const bool is_empty =
      tensor.defining_op == nullptr && DenseBytes(tensor.element_type, tensor.shape) == uint64_t{0};
  return !tensor.is_variable && (tensor.is_constant() || is_empty);
}

bool IsRandom(const Op& op) {
  const std::string name = OpCodeName(op.code);
  return name.starts_with("RANDOM_") || name == "MULTINOMIAL";
}

class Analysis {
 public:
  explicit Analysis(const Model& model)
      : model_(model),
        found_(model.subgraphs().size()),
        is_visited_(model.subgraphs().size()),
        varies_(model.subgraphs().size()) {}

  // Until no more subgraphs are found to be called with varying shapes. This ends, since `varies_`
  // only grows.
  std::vector<std::vector<bool>> Run() {
    do {
      changed_ = false;
      known_.clear();
      is_visited_.assign(is_visited_.size(), false);
      for (size_t s = 0; s < found_.size(); ++s) Visit(s);
    } while (changed_);
    return found_;
  }

 private:
  struct Knowledge {
    bool shape = true;
    bool value = false;
  };

  Knowledge Of(const Tensor* tensor) const {
    if (tensor == nullptr) return {.shape = true, .value = true};
    if (const auto known = known_.find(tensor); known != known_.end()) return known->second;
    return {.shape = true, .value = IsKnown(*tensor)};
  }

  void Visit(size_t subgraph) {
    if (is_visited_[subgraph]) return;
    is_visited_[subgraph] = true;
    const Subgraph& graph = model_.subgraph(subgraph);
    if (varies_[subgraph]) {
      for (const Tensor* input : graph.inputs) known_[input] = {.shape = false, .value = false};
    }
    found_[subgraph].clear();
    for (const auto& op : graph.ops()) found_[subgraph].push_back(!VisitOp(*op));
  }

  // False if a shape of the op is not fixed.
  bool VisitOp(const Op& op) {
    Knowledge given = {.shape = true, .value = !IsRandom(op) && !op.is_dispatch()};
    for (const Tensor* input : op.inputs) {
      given.shape = given.shape && Of(input).shape;
      given.value = given.value && Of(input).value;
    }
    given.value = given.value && given.shape;
    if (ReadsOnlyShapes(op.code)) given.value = given.shape;
    for (const size_t index : ShapeOperands(op)) {
      if (index < op.inputs.size()) given.shape = given.shape && Of(op.inputs[index]).value;
    }
    given.shape = given.shape && !HasImpossibleShapes(op);
    if (op.code == kLiteRtOpCodeTflReadVariable && !op.outputs.empty()) {
      const Tensor& output = *op.outputs.front();
      given = {.shape = !output.shape.empty() && !output.is_dynamic(), .value = false};
    }
    if (const auto called = SubgraphReferences(op.options); !called.empty())
      given = {.shape = Call(op, called, given.shape), .value = false};
    for (const Tensor* output : op.outputs) known_[output] = given;
    return given.shape;
  }

  // Whether the outputs of the call have fixed shapes, where its inputs have.
  bool Call(const Op& op, std::span<const int32_t> called, bool inputs_are_fixed) {
    std::vector<const Subgraph*> subgraphs;
    for (int32_t index : called) {
      const auto s = static_cast<size_t>(index);
      if (index < 0 || s >= model_.subgraphs().size()) return false;
      Visit(s);
      subgraphs.push_back(&model_.subgraph(s));
    }
    const bool is_loop = op.code == kLiteRtOpCodeTflWhile || op.code == kLiteRtOpCodeShloWhile;
    const bool outputs_are_fixed =
        inputs_are_fixed && (is_loop ? IsSteady(op, *subgraphs.back()) : Agree(op, subgraphs));
    if (inputs_are_fixed && (outputs_are_fixed || !is_loop)) return outputs_are_fixed;
    // A loop that is not steady varies even if its inputs are fixed: its body gets what it gave.
    for (int32_t index : called) {
      changed_ = changed_ || !varies_[static_cast<size_t>(index)];
      varies_[static_cast<size_t>(index)] = true;
    }
    return false;
  }

  // A body that gives the shapes that it is given.
  bool IsSteady(const Op& op, const Subgraph& body) const {
    if (body.outputs.size() != op.outputs.size() || body.inputs.size() != op.outputs.size())
      return false;
    for (size_t i = 0; i < body.outputs.size(); ++i) {
      if (!Of(body.outputs[i]).shape || body.outputs[i]->shape != body.inputs[i]->shape)
        return false;
    }
    return true;
  }

  bool Agree(const Op& op, std::span<const Subgraph* const> branches) const {
    for (const Subgraph* branch : branches) {
      if (branch->outputs.size() != op.outputs.size()) return false;
      for (size_t i = 0; i < op.outputs.size(); ++i) {
        if (!Of(branch->outputs[i]).shape ||
            branch->outputs[i]->shape != branches.front()->outputs[i]->shape)
          return false;
      }
    }
    return true;
  }

  const Model& model_;
  std::vector<std::vector<bool>> found_;
  std::vector<bool> is_visited_;                        // by subgraph
  std::vector<bool> varies_;                            // by subgraph: called with other shapes
  std::unordered_map<const Tensor*, Knowledge> known_;  // of what ops compute, and of inputs
  bool changed_ = false;
};

}  // namespace

bool ReadsOnlyShapes(LiteRtOpCode code) {
  return code == kLiteRtOpCodeTflShape || code == kLiteRtOpCodeTflRank;
}

std::vector<std::vector<bool>> FindRunTimeShapes(const Model& model) {
  return Analysis(model).Run();
}

}  // namespace npukit
