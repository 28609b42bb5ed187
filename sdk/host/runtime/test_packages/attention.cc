// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An operator package as an author would write it: attention in one operator, float32, for the CPU.
//   y[b][t] = sum over s of softmax over s of (scale * q[b][t] . k[b][s]) * v[b][s]
// q [batch, t, depth], k [batch, s, depth], v [batch, s, width]. Options, a FlexBuffer map: scale
// (float, default 1 / sqrt(depth)), causal (bool, default false: else s <= t only).

#include <flatbuffers/flexbuffers.h>

#include <cmath>

#include "npukit/customized_op.h"

namespace {

class Attention : public npukit::CustomizedOp {
  litert::Expected<void> Load(const NpukitOpAttributes& attributes) override {
    if (attributes.options_size_bytes == 0) return {};
    if (!flexbuffers::VerifyBuffer(attributes.options, attributes.options_size_bytes))
      return Invalid("the options are no FlexBuffer");
    const auto root = flexbuffers::GetRoot(attributes.options, attributes.options_size_bytes);
    if (!root.IsMap()) return Invalid("the options are no map");
    scale_ = root.AsMap()["scale"].AsFloat();
    causal_ = root.AsMap()["causal"].AsBool();
    return {};
  }

  litert::Expected<void> Trace(Inputs inputs, Inputs outputs) override {
    if (inputs.size() != 3 || outputs.size() != 1) return Invalid("expected q, k, v and a result");
    for (const NpukitOpTensor& tensor : inputs) {
      if (tensor.element_type != kLiteRtElementTypeFloat32 || tensor.rank != 3)
        return Unsupported(std::string(tensor.name) + ": expected float32 of rank 3");
    }
    return {};
  }

  litert::Expected<void> Reshape(Inputs in, Outputs out) override {
    const int32_t* q = in[0].dims;
    const int32_t* k = in[1].dims;
    const int32_t* v = in[2].dims;
    if (q[0] != k[0] || q[0] != v[0] || q[2] != k[2] || k[1] != v[1])
      return Invalid("the shapes of q, k and v do not fit");
    out[0].rank = 3;
    out[0].dims[0] = q[0];
    out[0].dims[1] = q[1];
    out[0].dims[2] = v[2];
    return {};
  }

  litert::Expected<size_t> Setup(Inputs in, Inputs) override {
    if (scale_ == 0) scale_ = 1.0f / std::sqrt(static_cast<float>(in[0].dims[2]));
    return static_cast<size_t>(in[1].dims[1]) * sizeof(float);
  }

  litert::Expected<void> Forward(Inputs in, Inputs out, void* scratch) override {
    const int64_t batch = in[0].dims[0], rows = in[0].dims[1], depth = in[0].dims[2];
    const int64_t keys = in[1].dims[1], width = in[2].dims[2];
    const float* q = npukit::Values<float>(in[0]).data();
    const float* k = npukit::Values<float>(in[1]).data();
    const float* v = npukit::Values<float>(in[2]).data();
    float* y = npukit::Values<float>(out[0]).data();
    auto* weights = static_cast<float*>(scratch);
    for (int64_t b = 0; b < batch; ++b) {
      for (int64_t t = 0; t < rows; ++t) {
        const int64_t count = causal_ ? std::min(t + 1, keys) : keys;
        Softmax(q + (b * rows + t) * depth, k + b * keys * depth, count, depth, weights);
        float* row = y + (b * rows + t) * width;
        for (int64_t w = 0; w < width; ++w) {
          float sum = 0;
          for (int64_t s = 0; s < count; ++s) sum += weights[s] * v[(b * keys + s) * width + w];
          row[w] = sum;
        }
      }
    }
    return {};
  }

  void Softmax(const float* q, const float* k, int64_t count, int64_t depth, float* weights) const {
    float largest = -INFINITY;
    for (int64_t s = 0; s < count; ++s) {
      float dot = 0;
      for (int64_t d = 0; d < depth; ++d) dot += q[d] * k[s * depth + d];
      weights[s] = dot * scale_;
      largest = std::max(largest, weights[s]);
    }
    float sum = 0;
    for (int64_t s = 0; s < count; ++s) sum += weights[s] = std::exp(weights[s] - largest);
    for (int64_t s = 0; s < count; ++s) weights[s] /= sum;
  }

  float scale_ = 0;
  bool causal_ = false;
};

}  // namespace

NPUKIT_OP_PACKAGE_BEGIN("npukit.test.attention", kNpukitOpDeviceCpu)
NPUKIT_OP_PACKAGE_OPERATOR("npukit.attention", Attention)
NPUKIT_OP_PACKAGE_END()
