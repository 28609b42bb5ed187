// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// NON_MAX_SUPPRESSION_V4 and V5: the boxes with the highest scores, but for those that overlap one that
// was taken. V5 may lower the scores of overlapping boxes instead (sigma > 0).

#include <algorithm>
#include <cmath>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/float_kernel_oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

enum Input { kBoxes = 0, kScores = 1, kMost = 2, kIou = 3, kLeastScore = 4, kSigma = 5 };

bool IsSoft(const Node& node) { return node.inputs.size() == 6; }

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& boxes = *node.inputs[kBoxes];
  if (boxes.shape.size() != 2 || boxes.shape[1] != 4)
    return InvalidNode(node, &boxes, "must have the shape [boxes,4]");
  if (node.inputs[kScores]->shape != Shape{boxes.shape[0]})
    return InvalidNode(node, node.inputs[kScores], "must have a score for each box");
  for (size_t input = kMost; input < node.inputs.size(); ++input) {
    if (node.inputs[input]->elems() != 1)
      return InvalidNode(node, node.inputs[input], "must have one element");
  }
  if (IsUnknown(*node.inputs[kMost])) return Inferred::NeedsValueOf(kMost);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> most,
                          IntegerValues(node, *node.inputs[kMost]));
  LITERT_ASSIGN_OR_RETURN(const Shape shape, NarrowShape(node, most));
  if (IsSoft(node)) return Inferred{.shapes = {shape, shape, {}}};
  return Inferred{.shapes = {shape, {}}};
}

// Overlap over union of two boxes given by any two opposite corners.
float Iou(const float* a, const float* b) {
  auto side = [](const float* box, int axis) {
    return std::pair(std::min(box[axis], box[axis + 2]), std::max(box[axis], box[axis + 2]));
  };
  const auto [a_top, a_bottom] = side(a, 0);
  const auto [a_left, a_right] = side(a, 1);
  const auto [b_top, b_bottom] = side(b, 0);
  const auto [b_left, b_right] = side(b, 1);
  const float area_a = (a_bottom - a_top) * (a_right - a_left);
  const float area_b = (b_bottom - b_top) * (b_right - b_left);
  if (area_a <= 0 || area_b <= 0) return 0;
  const float height = std::min(a_bottom, b_bottom) - std::max(a_top, b_top);
  const float width = std::min(a_right, b_right) - std::max(a_left, b_left);
  const float overlap = std::max(height, 0.0f) * std::max(width, 0.0f);
  return overlap / (area_a + area_b - overlap);
}

struct Candidate {
  int32_t box;
  float score;
  int64_t compared;  // with so many of the boxes that were taken
  bool operator<(const Candidate& other) const { return score < other.score; }
};

class NmsKernel final : public Kernel {
 public:
  explicit NmsKernel(const Node& node)
      : boxes_(node.inputs[kBoxes]->shape[0]),
        most_(node.outputs[0]->shape[0]),
        soft_(IsSoft(node)) {
    scratch_bytes_ = static_cast<size_t>(boxes_) * sizeof(Candidate);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    int32_t* taken = DataOf<int32_t>(context.outputs[0]);
    float* taken_scores = soft_ ? DataOf<float>(context.outputs[1]) : nullptr;
    const int64_t count = Select(context, taken, taken_scores);
    std::fill(taken + count, taken + most_, 0);
    if (soft_) std::fill(taken_scores + count, taken_scores + most_, 0.0f);
    *DataOf<int32_t>(context.outputs[soft_ ? 2 : 1]) = static_cast<int32_t>(count);
    return {};
  }

 private:
  int64_t Select(const RunContext& context, int32_t* taken, float* taken_scores) const {
    const float* boxes = DataOf<float>(context.inputs[kBoxes]);
    const float* scores = DataOf<float>(context.inputs[kScores]);
    const float iou_limit = *DataOf<float>(context.inputs[kIou]);
    const float least = *DataOf<float>(context.inputs[kLeastScore]);
    const float sigma = soft_ ? *DataOf<float>(context.inputs[kSigma]) : 0;
    const auto scale = static_cast<float>(sigma > 0 ? -0.5 / sigma : 0);
    // A heap in scratch memory, as std::priority_queue keeps one: equal scores come out alike.
    auto* heap = DataOf<Candidate>(context.scratch);
    int64_t waiting = 0;
    for (int64_t i = 0; i < boxes_; ++i) {
      if (!(scores[i] > least)) continue;
      heap[waiting++] = {static_cast<int32_t>(i), scores[i], 0};
      std::push_heap(heap, heap + waiting);
    }
    const int64_t wanted = std::min(waiting, most_);
    int64_t count = 0;
    while (count < wanted && waiting > 0) {
      std::pop_heap(heap, heap + waiting);
      Candidate next = heap[--waiting];
      const float score = next.score;
      bool dropped = false;
      for (int64_t j = count - 1; j >= next.compared; --j) {
        const float iou = Iou(boxes + int64_t{next.box} * 4, boxes + int64_t{taken[j]} * 4);
        dropped = iou >= iou_limit;
        if (dropped) break;
        if (sigma > 0) next.score *= std::exp(scale * iou * iou);
        if (next.score <= least) break;
      }
      next.compared = count;
      if (dropped) continue;
      if (next.score == score) {
        taken[count] = next.box;
        if (taken_scores != nullptr) taken_scores[count] = next.score;
        ++count;
        continue;
      }
      if (!(next.score > least)) continue;
      // Its score went down, so that others may come first now. What it was compared with is not
      // looked at again.
      heap[waiting++] = next;
      std::push_heap(heap, heap + waiting);
    }
    return count;
  }

  int64_t boxes_;
  int64_t most_;
  bool soft_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return std::unique_ptr<Kernel>(std::make_unique<NmsKernel>(node));
}

// A score that was lowered is a product of as many exponentials as boxes were taken.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  const double ulps =
      (FunctionUlps::kExp + 4) * (1 + static_cast<double>(node.outputs[0]->shape[0]));
  return OracleByFloatKernel(node, inputs, outputs, ulps);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(NonMaxSuppressionV4) = {
    .doc = {.formula =
                "boxes by falling score, without those that overlap a taken one by iou or more; "
                "zeros after them, and their number",
            .source = "TFLite NON_MAX_SUPPRESSION_V4"},
    .signature = "float32, float32, int32, float32, float32 -> int32, int32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(NonMaxSuppressionV5) = {
    .doc = {.formula = "the same with scores; sigma > 0: overlapping boxes' scores fall by "
                       "e^(-iou^2 / (2 sigma))",
            .source = "TFLite NON_MAX_SUPPRESSION_V5"},
    .signature = "float32, float32, int32, float32, float32, float32 -> int32, float32, int32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
