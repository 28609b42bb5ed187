// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// TFLite_Detection_PostProcess: boxes decoded from anchors, and the best of them that do not overlap:
// of all classes at once (a box with its best classes), or class by class.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/float_kernel_oracle.h"
#include "sdk/host/model/options/flex_buffer.h"

namespace npukit::kernels {
namespace {

enum Input { kEncodings = 0, kPredictions = 1, kAnchors = 2 };
enum Output { kBoxes = 0, kClasses = 1, kScores = 2, kCount = 3 };

struct Options {
  int64_t max_detections = 0;
  int64_t max_classes = 0;           // of one detection
  int64_t detections_per_class = 0;  // class by class
  bool by_class = false;
  float least_score = 0;
  float iou = 0;
  int64_t classes = 0;
  float y_scale = 1, x_scale = 1, h_scale = 1, w_scale = 1;
};

constexpr int64_t kMostDetections = int64_t{1} << 20;

litert::Expected<Options> OptionsOf(const Node& node) {
  const std::optional<FlexBuffer> buffer = FlexBuffer::Verify(node.op->custom_options);
  if (!buffer) return InvalidNode(node, "has options that are no FlexBuffer");
  const flexbuffers::Map map = buffer->root().AsMap();
  const auto per_class = map["detections_per_class"];
  const auto regular = map["use_regular_nms"];
  const Options options{.max_detections = map["max_detections"].AsInt32(),
                        .max_classes = map["max_classes_per_detection"].AsInt32(),
                        .detections_per_class = per_class.IsNull() ? 100 : per_class.AsInt32(),
                        .by_class = !regular.IsNull() && regular.AsBool(),
                        .least_score = map["nms_score_threshold"].AsFloat(),
                        .iou = map["nms_iou_threshold"].AsFloat(),
                        .classes = map["num_classes"].AsInt32(),
                        .y_scale = map["y_scale"].AsFloat(),
                        .x_scale = map["x_scale"].AsFloat(),
                        .h_scale = map["h_scale"].AsFloat(),
                        .w_scale = map["w_scale"].AsFloat()};
  if (options.max_detections < 0 || options.max_classes < 1 || options.classes < 1 ||
      options.detections_per_class < 1 || !(options.iou > 0) || options.iou > 1 ||
      options.max_detections > kMostDetections || options.max_classes > kMostDetections ||
      options.max_detections * options.max_classes > kMostDetections) {
    return InvalidNode(node, "has options out of range");
  }
  return options;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Options options, OptionsOf(node));
  const Shape& encodings = node.inputs[kEncodings]->shape;
  const Shape& predictions = node.inputs[kPredictions]->shape;
  if (encodings.size() != 3 || encodings[0] != 1 || encodings[2] < 4)
    return InvalidNode(node, node.inputs[kEncodings], "must have the shape [1,boxes,4]");
  if (predictions.size() != 3 || predictions[0] != 1 || predictions[1] != encodings[1] ||
      predictions[2] < options.classes || predictions[2] > options.classes + 1) {
    return InvalidNode(node, node.inputs[kPredictions],
                       "must have a score for each box and class, and perhaps the background");
  }
  if (node.inputs[kAnchors]->shape != Shape{encodings[1], 4})
    return InvalidNode(node, node.inputs[kAnchors], "must have an anchor for each box");
  const auto count = static_cast<int32_t>(options.max_detections * options.max_classes);
  return Inferred{.shapes = {{1, count, 4}, {1, count}, {1, count}, {1}}};
}

// uint8 tensors as floats.
struct Reader {
  bool is_stored = false;
  float zero_point = 0;
  float scale = 1;
  float At(std::span<const uint8_t> bytes, int64_t elem) const {
    if (!is_stored) return DataOf<float>(bytes)[elem];
    return (static_cast<float>(bytes[static_cast<size_t>(elem)]) - zero_point) * scale;
  }
};

litert::Expected<Reader> ReaderOf(const Node& node, size_t input) {
  if (node.inputs[input]->type() == kLiteRtElementTypeFloat32) return Reader{};
  LITERT_ASSIGN_OR_RETURN(const AffineParams params, PerTensorParams(node, *node.inputs[input]));
  return Reader{.is_stored = true,
                .zero_point = static_cast<float>(params.zero_point),
                .scale = params.scale};
}

struct Box {
  float top, left, bottom, right;
};

float Iou(const Box& a, const Box& b) {
  const float area_a = (a.bottom - a.top) * (a.right - a.left);
  const float area_b = (b.bottom - b.top) * (b.right - b.left);
  if (area_a <= 0 || area_b <= 0) return 0;
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const float overlap = std::max(height, 0.0f) * std::max(width, 0.0f);
  return overlap / (area_a + area_b - overlap);
}

class PostProcessKernel final : public Kernel {
 public:
  PostProcessKernel(const Node& node, const Options& options, const Reader& encodings,
                    const Reader& predictions, const Reader& anchors)
      : name_(NodeName(node)),
        options_(options),
        encodings_(encodings),
        predictions_(predictions),
        anchors_(anchors),
        boxes_(node.inputs[kEncodings]->shape[1]),
        encoding_width_(node.inputs[kEncodings]->shape[2]),
        columns_(node.inputs[kPredictions]->shape[2]) {}

  // Its lists are as long as the boxes: they are allocated, since the op stands once, at the end.
  litert::Expected<void> Run(const RunContext& context) const override {
    LITERT_ASSIGN_OR_RETURN(const std::vector<Box> boxes, Decode(context));
    for (const std::span<uint8_t>& output : context.outputs)
      std::fill(output.begin(), output.end(), uint8_t{0});
    std::vector<float> scores(static_cast<size_t>(boxes_ * options_.classes));
    const int64_t background = columns_ - options_.classes;
    for (int64_t b = 0; b < boxes_; ++b) {
      for (int64_t c = 0; c < options_.classes; ++c) {
        scores[static_cast<size_t>(b * options_.classes + c)] =
            predictions_.At(context.inputs[kPredictions], b * columns_ + background + c);
      }
    }
    options_.by_class ? RunByClass(context, boxes, scores) : RunAtOnce(context, boxes, scores);
    return {};
  }

 private:
  litert::Expected<std::vector<Box>> Decode(const RunContext& context) const {
    std::vector<Box> boxes(static_cast<size_t>(boxes_));
    for (int64_t b = 0; b < boxes_; ++b) {
      auto encoding = [&](int64_t i) -> double {
        return encodings_.At(context.inputs[kEncodings], b * encoding_width_ + i);
      };
      auto anchor = [&](int64_t i) -> double {
        return anchors_.At(context.inputs[kAnchors], b * 4 + i);
      };
      const double y_scale = options_.y_scale;
      const double x_scale = options_.x_scale;
      const double h_scale = options_.h_scale;
      const double w_scale = options_.w_scale;
      const auto y = static_cast<float>(encoding(0) / y_scale * anchor(2) + anchor(0));
      const auto x = static_cast<float>(encoding(1) / x_scale * anchor(3) + anchor(1));
      const auto half_h = static_cast<float>(0.5 * std::exp(encoding(2) / h_scale) * anchor(2));
      const auto half_w = static_cast<float>(0.5 * std::exp(encoding(3) / w_scale) * anchor(3));
      Box& box = boxes[static_cast<size_t>(b)];
      box = {y - half_h, x - half_w, y + half_h, x + half_w};
      if (box.top > box.bottom || box.left > box.right) {
        return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                  name_ + ": a box is decoded to a negative size");
      }
    }
    return boxes;
  }

  // Indices of boxes by falling score, without those that overlap a better one.
  std::vector<int32_t> Select(const std::vector<Box>& boxes, const std::vector<float>& scores,
                              int64_t most) const {
    std::vector<int32_t> order;
    for (size_t i = 0; i < scores.size(); ++i) {
      if (scores[i] >= options_.least_score) order.push_back(static_cast<int32_t>(i));
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](int32_t a, int32_t b) { return scores[a] > scores[b]; });
    std::vector<int32_t> selected;
    std::vector<bool> dropped(order.size(), false);
    for (size_t i = 0; i < order.size(); ++i) {
      if (static_cast<int64_t>(selected.size()) >= most) break;
      if (dropped[i]) continue;
      selected.push_back(order[i]);
      for (size_t j = i + 1; j < order.size(); ++j) {
        if (!dropped[j] && Iou(boxes[order[i]], boxes[order[j]]) > options_.iou) dropped[j] = true;
      }
    }
    return selected;
  }

  static void Put(const RunContext& context, int64_t at, const Box& box, int64_t of_class,
                  float score) {
    float* to = DataOf<float>(context.outputs[kBoxes]) + 4 * at;
    to[0] = box.top;
    to[1] = box.left;
    to[2] = box.bottom;
    to[3] = box.right;
    DataOf<float>(context.outputs[kClasses])[at] = static_cast<float>(of_class);
    DataOf<float>(context.outputs[kScores])[at] = score;
  }

  void RunAtOnce(const RunContext& context, const std::vector<Box>& boxes,
                 const std::vector<float>& scores) const {
    const int64_t wanted = std::min(options_.max_classes, options_.classes);
    std::vector<int32_t> classes(scores.size());
    std::vector<float> best(static_cast<size_t>(boxes_));
    for (int64_t b = 0; b < boxes_; ++b) {
      const float* row = scores.data() + b * options_.classes;
      int32_t* order = classes.data() + b * options_.classes;
      std::iota(order, order + options_.classes, 0);
      if (wanted == 1) {
        order[0] = static_cast<int32_t>(std::max_element(row, row + options_.classes) - row);
      } else {
        std::partial_sort(order, order + wanted, order + options_.classes,
                          [&](int32_t i, int32_t j) { return row[i] > row[j]; });
      }
      best[static_cast<size_t>(b)] = row[order[0]];
    }
    int64_t count = 0;
    for (int32_t box : Select(boxes, best, options_.max_detections)) {
      for (int64_t k = 0; k < wanted; ++k) {
        const int32_t of_class = classes[static_cast<size_t>(box * options_.classes + k)];
        Put(context, count * options_.max_classes + k, boxes[box], of_class,
            scores[static_cast<size_t>(box * options_.classes + of_class)]);
      }
      ++count;
    }
    *DataOf<float>(context.outputs[kCount]) = static_cast<float>(count);
  }

  void RunByClass(const RunContext& context, const std::vector<Box>& boxes,
                  const std::vector<float>& scores) const {
    struct Found {
      int32_t box;
      int64_t of_class;
      float score;
    };
    const int64_t per_class = std::min(options_.detections_per_class, options_.max_detections);
    std::vector<Found> found;
    std::vector<float> column(static_cast<size_t>(boxes_));
    for (int64_t c = 0; c < options_.classes; ++c) {
      for (int64_t b = 0; b < boxes_; ++b)
        column[static_cast<size_t>(b)] = scores[static_cast<size_t>(b * options_.classes + c)];
      const auto middle = static_cast<ptrdiff_t>(found.size());
      for (int32_t box : Select(boxes, column, per_class)) found.push_back({box, c, column[box]});
      std::inplace_merge(found.begin(), found.begin() + middle, found.end(),
                         [](const Found& a, const Found& b) { return a.score > b.score; });
      if (static_cast<int64_t>(found.size()) > options_.max_detections)
        found.resize(static_cast<size_t>(options_.max_detections));
    }
    for (size_t i = 0; i < found.size(); ++i)
      Put(context, static_cast<int64_t>(i), boxes[found[i].box], found[i].of_class, found[i].score);
    *DataOf<float>(context.outputs[kCount]) = static_cast<float>(found.size());
  }

  std::string name_;
  Options options_;
  Reader encodings_;
  Reader predictions_;
  Reader anchors_;
  int64_t boxes_;
  int64_t encoding_width_;
  int64_t columns_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Options options, OptionsOf(node));
  LITERT_ASSIGN_OR_RETURN(const Reader encodings, ReaderOf(node, kEncodings));
  LITERT_ASSIGN_OR_RETURN(const Reader predictions, ReaderOf(node, kPredictions));
  LITERT_ASSIGN_OR_RETURN(const Reader anchors, ReaderOf(node, kAnchors));
  return std::unique_ptr<Kernel>(
      std::make_unique<PostProcessKernel>(node, options, encodings, predictions, anchors));
}

// Corners are computed in float64, rounded, and added once.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  return OracleByFloatKernel(node, inputs, outputs, 2);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(DetectionPostProcess) = {
    .doc = {.formula = "boxes decoded from anchors, by falling score without those that overlap a "
                       "better one; their classes, scores and number; zeros after them",
            .source = "TFLite's custom op TFLite_Detection_PostProcess"},
    .signature =
        "float32, float32, float32 -> float32, float32, float32, float32; "
        "uint8, uint8, uint8 -> float32, float32, float32, float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
