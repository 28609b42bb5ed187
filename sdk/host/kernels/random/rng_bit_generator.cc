// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/random/counter_generators.h"

namespace npukit::kernels {
namespace {

// Words of 32 bits in a state: the key, and the lower half of the counter. A Philox state of three
// numbers of 64 bits has the upper half too; of two, the key stands for it.
constexpr size_t kKeyWord = 0;
constexpr size_t kCounterWord = 2;
constexpr size_t kUpperWord = 4;

RngAlgorithm AlgorithmOf(const Node& node) {
  const auto* options = node.op->OptionsAs<StablehloRngBitGeneratorOptions>();
  const RngAlgorithm algorithm = options == nullptr ? RngAlgorithm::kDefault : options->algorithm;
  return algorithm == RngAlgorithm::kDefault ? RngAlgorithm::kPhilox : algorithm;
}

// Outputs: 0 the state after it, 1 the bits, of the shape that the file gives.
litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& state = *node.inputs[0];
  const RngAlgorithm algorithm = AlgorithmOf(node);
  const bool is_threefry = algorithm == RngAlgorithm::kThreeFry;
  if (!is_threefry && algorithm != RngAlgorithm::kPhilox)
    return UnsupportedNode(node, "has an algorithm that is neither Philox nor Threefry");
  const bool fits = state.shape == Shape{2} || (!is_threefry && state.shape == Shape{3});
  if (!fits) {
    return InvalidNode(node, &state,
                       is_threefry ? "must have the shape [2]" : "must have the shape [2] or [3]");
  }
  const Shape& shape = node.outputs[1]->tensor->shape;
  if (std::ranges::any_of(shape, [](int32_t dim) { return dim < 0; }))
    return InvalidNode(node, "has an output without a known shape");
  return Inferred{.shapes = {state.shape, shape}};
}

class BitsKernel final : public Kernel {
 public:
  explicit BitsKernel(RngAlgorithm algorithm) : algorithm_(algorithm) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    std::array<uint32_t, 6> words{};
    std::memcpy(words.data(), context.inputs[0].data(), context.inputs[0].size());
    const GeneratorKey key = {words[kKeyWord], words[kKeyWord + 1]};
    if (algorithm_ == RngAlgorithm::kThreeFry) {
      Fill(context.outputs[1], words, [&] {
        return Threefry2x32(key, {words[kCounterWord], words[kCounterWord + 1]});
      });
    } else {
      const size_t upper = context.inputs[0].size() == 3 * sizeof(uint64_t) ? kUpperWord : kKeyWord;
      const uint32_t low = words[upper];
      const uint32_t high = words[upper + 1];
      Fill(context.outputs[1], words, [&] {
        return Philox4x32(key, {words[kCounterWord], words[kCounterWord + 1], low, high});
      });
    }
    std::memcpy(context.outputs[0].data(), words.data(), context.outputs[0].size());
    return {};
  }

 private:
  // The last block may be used in part; the counter goes past it all the same.
  template <typename Block>
  static void Fill(std::span<uint8_t> out, std::array<uint32_t, 6>& words, const Block& block) {
    for (size_t at = 0; at < out.size();) {
      const auto bits = block();
      const size_t size_bytes = std::min(sizeof(bits), out.size() - at);
      std::memcpy(out.data() + at, bits.data(), size_bytes);
      at += size_bytes;
      if (++words[kCounterWord] == 0) ++words[kCounterWord + 1];
    }
  }

  RngAlgorithm algorithm_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return std::unique_ptr<Kernel>(std::make_unique<BitsKernel>(AlgorithmOf(node)));
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ShloRngBitGenerator) = {
    .doc = {.formula = "random bits from a state (key and counter), and the state after them: "
                       "Philox4x32 of 10 rounds (the default) or Threefry2x32 of 20",
            .source = "TFLite STABLEHLO_RNG_BIT_GENERATOR"},
    .signature = "uint64 -> uint64, int32|uint32|int64|uint64",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = OracleByKernel,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
