// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/graph/networks.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "conformance/spec/graph/layer_stack.h"
#include "sdk/host/model/samples/language_model.h"

namespace npukit::conformance {
namespace {

using Type = LayerStack::Type;

// Ten dense layers around a bottleneck of 8, as MLPerf Tiny's anomaly detection has them.
litert::Expected<std::unique_ptr<Model>> Autoencoder(Type type) {
  LayerStack net(type, 1);
  Tensor* x = net.Input({1, 640});
  for (int32_t width : {128, 128, 128, 128, 8, 128, 128, 128, 128})
    x = net.Dense(x, width, /*relu=*/true);
  net.Output(net.Dense(x, 640, /*relu=*/false));
  return net.Build();
}

// A convolution, four depthwise-separable blocks, a classifier of 12: keyword spotting.
litert::Expected<std::unique_ptr<Model>> DepthwiseSeparable(Type type) {
  LayerStack net(type, 2);
  Tensor* x = net.Conv(net.Input({1, 49, 10, 1}), 64, 10, 4, 2, /*relu=*/true);
  for (int block = 0; block < 4; ++block) {
    x = net.Depthwise(x, 3, 1, /*relu=*/true);
    x = net.Conv(x, 64, 1, 1, 1, /*relu=*/true);
  }
  x = net.Dense(net.Flatten(net.GlobalAveragePool(x)), 12, /*relu=*/false);
  net.Output(net.Softmax(x));
  return net.Build();
}

// Three residual stages, the later two with a strided 1x1 shortcut: image classification.
litert::Expected<std::unique_ptr<Model>> Residual(Type type) {
  LayerStack net(type, 3);
  Tensor* x = net.Conv(net.Input({1, 32, 32, 3}), 16, 3, 3, 1, /*relu=*/true);
  int32_t channels = 16;
  for (int stage = 0; stage < 3; ++stage, channels *= 2) {
    const int32_t stride = stage == 0 ? 1 : 2;
    Tensor* shortcut = stage == 0 ? x : net.Conv(x, channels, 1, 1, stride, /*relu=*/false);
    Tensor* y = net.Conv(x, channels, 3, 3, stride, /*relu=*/true);
    x = net.Add(net.Conv(y, channels, 3, 3, 1, /*relu=*/false), shortcut, /*relu=*/true);
  }
  x = net.Dense(net.Flatten(net.GlobalAveragePool(x)), 10, /*relu=*/false);
  net.Output(net.Softmax(x));
  return net.Build();
}

// Two inverted residual blocks (expand, depthwise, project, add).
litert::Expected<std::unique_ptr<Model>> InvertedResidual(Type type) {
  LayerStack net(type, 4);
  Tensor* x = net.Conv(net.Input({1, 24, 24, 3}), 8, 3, 3, 2, /*relu=*/true);
  for (int block = 0; block < 2; ++block) {
    Tensor* y = net.Conv(x, 48, 1, 1, 1, /*relu=*/true);
    y = net.Conv(net.Depthwise(y, 3, 1, /*relu=*/true), 8, 1, 1, 1, /*relu=*/false);
    x = net.Add(x, y, /*relu=*/false);
  }
  net.Output(net.Dense(net.Flatten(net.GlobalAveragePool(x)), 5, /*relu=*/false));
  return net.Build();
}

// Attention of one head and a feed-forward pair, each with its residual: an encoder's block.
litert::Expected<std::unique_ptr<Model>> Transformer(Type type) {
  constexpr int32_t kSteps = 16;
  constexpr int32_t kWidth = 32;
  LayerStack net(type, 6);
  Tensor* x = net.Input({1, kSteps, kWidth});
  Tensor* query = net.Dense(x, kWidth, /*relu=*/false);
  Tensor* key = net.Dense(x, kWidth, /*relu=*/false);
  Tensor* value = net.Dense(x, kWidth, /*relu=*/false);
  // Rescaled to a deviation of about 2, so that the softmax neither saturates nor is flat.
  Tensor* scores = net.Rescale(net.MatMul(query, key, /*transpose_b=*/true, 0), 1.0f / 24);
  Tensor* mixed = net.MatMul(net.Softmax(scores), value, /*transpose_b=*/false,
                             value->quantization.scale.empty() ? 1 : value->quantization.scale[0]);
  Tensor* attended = net.Add(x, net.Dense(mixed, kWidth, /*relu=*/false), /*relu=*/false);
  Tensor* hidden = net.Gelu(net.Dense(attended, 4 * kWidth, /*relu=*/false));
  net.Output(net.Add(attended, net.Dense(hidden, kWidth, /*relu=*/false), /*relu=*/false));
  return net.Build();
}

// MobileNet v1's beginning: a strided convolution, separable blocks that halve and widen in turn.
litert::Expected<std::unique_ptr<Model>> MobileNet(Type type) {
  LayerStack net(type, 7);
  Tensor* x = net.Conv(net.Input({1, 64, 64, 3}), 16, 3, 3, 2, /*relu=*/true);
  for (int32_t channels : {32, 64, 64, 128}) {
    x = net.Depthwise(x, 3, channels == x->shape[3] ? 1 : 2, /*relu=*/true);
    x = net.Conv(x, channels, 1, 1, 1, /*relu=*/true);
  }
  x = net.Dense(net.Flatten(net.GlobalAveragePool(x)), 20, /*relu=*/false);
  net.Output(net.Softmax(x));
  return net.Build();
}

// Elementwise float arithmetic with branches that meet again.
litert::Expected<std::unique_ptr<Model>> Elementwise(Type) {
  LayerStack net(Type::kFloat32, 5);
  Tensor* x = net.Input({4, 33});
  Tensor* gain = net.Constant({4, 33});
  Tensor* a = net.Binary(kLiteRtOpCodeTflMul, x, gain);
  Tensor* b = net.Binary(kLiteRtOpCodeTflSub, x, gain);
  Tensor* c = net.Add(a, b, /*relu=*/true);
  net.Output(net.Binary(kLiteRtOpCodeTflMul, c, x));
  net.Output(b);
  return net.Build();
}

// More ops than the fields of 8 bits of a program number: x times constants, summed up one by one.
litert::Expected<std::unique_ptr<Model>> ManyOps(Type type) {
  constexpr int kTerms = 160;
  LayerStack net(type, 8);
  Tensor* x = net.Input({1, 9});
  Tensor* sum = x;
  for (int i = 0; i < kTerms; ++i) {
    Tensor* term = net.Binary(kLiteRtOpCodeTflMul, x, net.Constant({1, 9}));
    sum = net.Add(sum, term, /*relu=*/false);
  }
  net.Output(sum);
  return net.Build();
}

// Language models whose caches hold more positions than plugins may compile programs of their own for.
constexpr std::string_view kLong = "_long";

// Small, so that a conversation takes no time; all that a check looks at is there.
std::optional<LanguageModelShape> SmallLanguageModel(std::string_view name) {
  const bool is_long = name.ends_with(kLong);
  if (is_long) name.remove_suffix(kLong.size());
  std::optional<LanguageModelShape> shape = FindLanguageModel(name);
  if (!shape) return std::nullopt;
  // Every third layer of Gemma's is another one.
  if (shape->family != LanguageFamily::kGemma) shape->layers = 2;
  shape->width = 64;
  shape->head_dim = 16;
  shape->hidden = 128;
  shape->vocabulary = 128;
  shape->context = is_long ? 144 : 40;
  shape->prefill = {8};
  return shape;
}

struct Network {
  const char* name;
  Type type;
  litert::Expected<std::unique_ptr<Model>> (*build)(Type);
};
constexpr Network kNetworks[] = {
    {"autoencoder_int8", Type::kInt8, Autoencoder},
    {"autoencoder_float32", Type::kFloat32, Autoencoder},
    {"ds_cnn_int8", Type::kInt8, DepthwiseSeparable},
    {"ds_cnn_float32", Type::kFloat32, DepthwiseSeparable},
    {"resnet_int8", Type::kInt8, Residual},
    {"resnet_float32", Type::kFloat32, Residual},
    {"mobile_int8", Type::kInt8, InvertedResidual},
    {"mobile_float32", Type::kFloat32, InvertedResidual},
    {"mobilenet_int8", Type::kInt8, MobileNet},
    {"mobilenet_float32", Type::kFloat32, MobileNet},
    {"transformer_int8", Type::kInt8, Transformer},
    {"transformer_float32", Type::kFloat32, Transformer},
    {"elementwise_float32", Type::kFloat32, Elementwise},
    {"many_ops_int8", Type::kInt8, ManyOps},
};

}  // namespace

std::vector<std::string> NetworkNames() {
  std::vector<std::string> names;
  for (const Network& network : kNetworks) names.emplace_back(network.name);
  for (const LanguageModelName& language : LanguageModelNames()) {
    names.push_back(language.name);
    names.push_back(fmt::format("{}{}", language.name, kLong));
  }
  return names;
}

bool IsNetwork(std::string_view name) {
  for (const Network& network : kNetworks) {
    if (network.name == name) return true;
  }
  return SmallLanguageModel(name).has_value();
}

litert::Expected<std::unique_ptr<Model>> BuildNetwork(std::string_view name) {
  for (const Network& network : kNetworks) {
    if (network.name == name) return network.build(network.type);
  }
  if (const auto shape = SmallLanguageModel(name)) return BuildLanguageModel(*shape);
  return litert::Unexpected(kLiteRtStatusErrorNotFound, "no network '" + std::string(name) + "'");
}

}  // namespace npukit::conformance
