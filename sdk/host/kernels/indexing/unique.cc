// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>
#include <map>

#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/float_kernel_oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// The different elements in the order in which they first stand, and for each element its place among
// them. As a map orders them: a NaN equals whatever it is compared with.
template <typename T>
struct Found {
  std::vector<T> values;
  std::vector<int64_t> places;

  explicit Found(std::span<const uint8_t> bytes) {
    std::map<T, int64_t> places_of;
    for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
      T value;
      std::memcpy(&value, bytes.data() + at, sizeof(T));
      const auto [place, is_new] =
          places_of.try_emplace(value, static_cast<int64_t>(values.size()));
      if (is_new) values.push_back(value);
      places.push_back(place->second);
    }
  }
};

template <typename Fn>
auto WithUniqueType(LiteRtElementType type, const Fn& fn) {
  return WithElementType<int8_t, uint8_t, int16_t, int32_t, int64_t, float>(type, fn);
}

// How many there are is known when they are: the shape is planned for the value.
litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (in.shape.size() != 1) return InvalidNode(node, &in, "must have one dimension");
  if (IsUnknown(in)) return Inferred::NeedsValueOf(0);
  const size_t count = WithUniqueType(
      in.type(), [&]<typename T>(T /*type*/) { return Found<T>(in.constant).values.size(); });
  return Inferred{.shapes = {{static_cast<int32_t>(count)}, in.shape}};
}

// Prepared with the value that the shape was planned for.
template <typename T>
class UniqueKernel final : public Kernel {
 public:
  explicit UniqueKernel(const Node& node)
      : found_(node.inputs[0]->constant),
        wide_(node.outputs[1]->type() == kLiteRtElementTypeInt64) {
    packed_bytes_ = found_.values.size() * sizeof(T) + found_.places.size() * sizeof(int64_t);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    std::copy(found_.values.begin(), found_.values.end(), DataOf<T>(context.outputs[0]));
    for (size_t i = 0; i < found_.places.size(); ++i) {
      if (wide_) {
        DataOf<int64_t>(context.outputs[1])[i] = found_.places[i];
      } else {
        DataOf<int32_t>(context.outputs[1])[i] = static_cast<int32_t>(found_.places[i]);
      }
    }
    return {};
  }

 private:
  Found<T> found_;
  bool wide_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return WithUniqueType(node.inputs[0]->type(), [&]<typename T>(T /*type*/) {
    return litert::Expected<std::unique_ptr<Kernel>>(std::make_unique<UniqueKernel<T>>(node));
  });
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  return OracleByFloatKernel(node, inputs, outputs, 0);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Unique) = {
    .doc = {.formula = "the different elements in the order in which they first stand, and each "
                       "element's place among them",
            .source = "TFLite UNIQUE"},
    .signature = "T -> T, int32|int64; T = float32|int8|uint8|int16|int32|int64",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
