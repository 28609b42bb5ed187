// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a step of a language model costs by where it stands in its context, and that it gives the bits
// that attention to the whole cache gives.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "reference_plugin/tests/acme_plugin.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "simulator/driver/execution_context.h"
#include "simulator/driver/loaded_module.h"
#include "simulator/module/module.h"

namespace npukit {
namespace {

// The module of all signatures of a model, whose entry points are in their order.
litert::Expected<acme::Module> CompileFor(const Model& model, const std::string& soc) {
  LITERT_ASSIGN_OR_RETURN(const PluginChoice choice, ChoosePlugins(kPluginDir, {"AcmeCorp"}));
  LITERT_ASSIGN_OR_RETURN(
      const ApplyResult applied,
      ApplyPlugins(model, std::vector{&choice.plugins.front()}, {.soc_model = soc}));
  const auto bytes = applied.model->buffers().Get(applied.modules.front().buffer).bytes;
  auto module = acme::ParseModule({bytes.begin(), bytes.end()});
  if (!module)
    return litert::Unexpected(litert::Status::kErrorRuntimeFailure, module.Error().Message());
  return std::move(*module);
}

litert::Expected<acme::Module> CompileFor(const LanguageModelShape& shape, const std::string& soc) {
  LITERT_ASSIGN_OR_RETURN(const auto model, BuildLanguageModel(shape));
  return CompileFor(*model, soc);
}

struct Step {
  std::vector<std::vector<uint8_t>> outputs;
  int64_t cycles = 0;
};

// A step on the chip: tokens from a position on, caches of random numbers; of float32 larger ones in
// the rows that hold no token.
class Stepper {
 public:
  Stepper(const acme::Module& module, const std::string& soc, const LanguageModelShape& shape)
      : shape_(shape) {
    auto hardware = acme::BuiltinHardware(soc);
    EXPECT_TRUE(hardware);
    auto loaded = acme::LoadedModule::Load(std::make_shared<const acme::Hardware>(*hardware),
                                           acme::SerializeModule(module));
    EXPECT_TRUE(loaded) << loaded.Error().Message();
    module_ = std::move(*loaded);
  }

  Step Run(size_t entry, int32_t position) {
    acme::ExecutionContext context(module_, entry);
    std::vector<std::vector<uint8_t>> memory;
    std::mt19937 random(static_cast<uint32_t>(position) + 1);
    const auto& bindings = context.entry().bindings;
    // Caches are one buffer, as input and as output.
    const auto of = [&](size_t i) { return bindings[i].initial > 0 ? bindings[i].initial - 1 : i; };
    for (size_t i = 0; i < bindings.size(); ++i) {
      memory.push_back(Input(bindings[i], position, random));
      EXPECT_TRUE(context.Bind(i, memory[of(i)].data(), bindings[i].size_bytes));
    }
    const auto run = context.Run({});
    EXPECT_TRUE(run) << run.Error().Message();
    Step step;
    for (size_t i = 0; i < bindings.size(); ++i) {
      if (bindings[i].output) step.outputs.push_back(memory[of(i)]);
    }
    if (context.result() != nullptr) step.cycles = context.result()->counters.cycles;
    return step;
  }

 private:
  std::vector<uint8_t> Input(const acme::ModuleBinding& binding, int32_t position,
                             std::mt19937& random) const {
    std::vector<uint8_t> bytes(binding.size_bytes);
    const size_t elems = bytes.size() / 4;
    const bool is_cache = binding.name.starts_with("kv_cache");
    const bool by_row = binding.name.starts_with("kv_cache_k");
    const bool is_float = bytes.size() == CacheElems() * sizeof(float);
    if (is_cache && !is_float && !binding.output) {
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
      return bytes;
    }
    for (size_t i = 0; i < elems && !binding.output; ++i) {
      const auto number = static_cast<int32_t>(random() >> 1);
      int32_t bits = 0;
      if (binding.name == "tokens") bits = number % shape_.vocabulary;
      if (binding.name == "input_pos") bits = position + static_cast<int32_t>(i);
      if (is_cache) {
        const auto context = static_cast<size_t>(shape_.context);
        const size_t place = (by_row ? i / static_cast<size_t>(shape_.head_dim) : i) % context;
        const float unit = static_cast<float>(number) * 0x1p-30f - 1;
        const float elem = place < static_cast<size_t>(position) ? unit : 100 * unit;
        std::memcpy(&bits, &elem, sizeof(bits));
      }
      std::memcpy(bytes.data() + i * sizeof(bits), &bits, sizeof(bits));
    }
    return bytes;
  }

  size_t CacheElems() const {
    return static_cast<size_t>(shape_.kv_heads) * static_cast<size_t>(shape_.context) *
           static_cast<size_t>(shape_.head_dim);
  }

  LanguageModelShape shape_;
  std::shared_ptr<const acme::LoadedModule> module_;
};

LanguageModelShape ShapeOf(const std::string& name, int32_t context) {
  LanguageModelShape shape = *FindLanguageModel(name);
  shape.context = context;
  shape.prefill = {8};
  shape.prefill_logits = true;
  return shape;
}

acme::Module WithoutVariants(acme::Module module) {
  for (acme::ModuleEntry& entry : module.entries) entry.variants.clear();
  return module;
}

class AcmeContext : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(AcmeContext, ShorterOnesGiveTheSameBitsForLess) {
  const auto& [name, soc] = GetParam();
  const LanguageModelShape shape = ShapeOf(name, 256);
  const auto module = CompileFor(shape, soc);
  ASSERT_TRUE(module) << module.Error().Message();
  ASSERT_EQ(module->entries.size(), 2u);
  Stepper some(*module, soc, shape);
  Stepper all(WithoutVariants(*module), soc, shape);
  for (size_t entry = 0; entry < 2; ++entry) {
    ASSERT_EQ(module->entries[entry].variants.size(), 2u) << "of 64 and 128 positions";
    const int32_t tokens = entry == 0 ? 8 : 1;
    int64_t before = 0;
    // Steps that end before 64, at 64, behind it; before 128; behind it; at the end.
    for (const int32_t end : {tokens, 64, 65, 128, 129, 256}) {
      const Step short_step = some.Run(entry, end - tokens);
      const Step whole_step = all.Run(entry, end - tokens);
      EXPECT_EQ(short_step.outputs, whole_step.outputs) << entry << " up to " << end;
      if (end <= 128) {
        EXPECT_LT(short_step.cycles, whole_step.cycles) << entry << " up to " << end;
      } else {
        EXPECT_EQ(short_step.cycles, whole_step.cycles) << entry << " up to " << end;
      }
      EXPECT_GE(short_step.cycles, before);
      before = short_step.cycles;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Language, AcmeContext,
                         testing::Combine(testing::Values("toy_gemma", "toy_llama", "toy_qwen",
                                                          "toy_gemma_float", "toy_llama_float",
                                                          "toy_gemma_int8", "toy_llama_int4"),
                                          testing::Values("acme_a0", "acme_a1", "acme_a2")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_on_" +
                                  std::get<1>(info.param);
                         });

// What is allocated costs nothing until tokens stand there.
TEST(AcmeContext, OfEightTimesTheLengthCostsTheSameAtTheSamePosition) {
  for (const char* soc : {"acme_a0", "acme_a1", "acme_a2"}) {
    std::vector<int64_t> cycles;
    for (const int32_t context : {256, 2048}) {
      const LanguageModelShape shape = ShapeOf("toy_gemma", context);
      const auto module = CompileFor(shape, soc);
      ASSERT_TRUE(module) << module.Error().Message();
      cycles.push_back(Stepper(*module, soc, shape).Run(1, 40).cycles);
    }
    EXPECT_NEAR(static_cast<double>(cycles[1]), static_cast<double>(cycles[0]),
                0.02 * static_cast<double>(cycles[0]))
        << soc;
  }
}

// int16's SOFTMAX gives what is hidden a share, which int16's products do not lose.
TEST(AcmeContext, OfInt16IsAttendedToAsAWhole) {
  const auto module = CompileFor(ShapeOf("toy_llama_a16w8", 256), "acme_a1");
  ASSERT_TRUE(module) << module.Error().Message();
  for (const acme::ModuleEntry& entry : module->entries) EXPECT_TRUE(entry.variants.empty());
}

// softmax(q by keys + mask) by values over 256 positions, with the mask as an input.
litert::Expected<std::unique_ptr<Model>> MaskedAttention() {
  constexpr auto kType = kLiteRtElementTypeFloat32;
  ModelBuilder b;
  Tensor* q = b.Input("q", kType, {1, 4, 8, 32});
  Tensor* keys = b.Input("keys", kType, {1, 4, 256, 32});
  Tensor* values = b.Input("values", kType, {1, 4, 256, 32});
  Tensor* mask = b.Input("mask", kType, {1, 1, 8, 256});
  Tensor* scores = b.Value("scores", kType, {1, 4, 8, 256});
  Tensor* masked = b.Value("masked", kType, {1, 4, 8, 256});
  Tensor* shares = b.Value("shares", kType, {1, 4, 8, 256});
  Tensor* mixed = b.Value("mixed", kType, {1, 4, 8, 32});
  b.AddOp(kLiteRtOpCodeTflBatchMatmul, BatchMatMulOptions{.adj_y = true}, {q, keys}, {scores});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {scores, mask}, {masked}, 2);
  b.AddOp(kLiteRtOpCodeTflSoftmax, SoftmaxOptions{.beta = 1.0f}, {masked}, {shares}, 2);
  b.AddOp(kLiteRtOpCodeTflBatchMatmul, BatchMatMulOptions{}, {shares, values}, {mixed});
  b.Output(mixed);
  return b.Build();
}

// The mask hides, in each of 8 rows, what is behind row + `seen`; in the last row all, if asked.
Step RunMasked(const acme::Module& module, const std::string& soc, int32_t seen, bool hide_row) {
  auto loaded =
      acme::LoadedModule::Load(std::make_shared<const acme::Hardware>(*acme::BuiltinHardware(soc)),
                               acme::SerializeModule(module));
  EXPECT_TRUE(loaded) << loaded.Error().Message();
  acme::ExecutionContext context(*loaded, 0);
  std::mt19937 random(7);
  std::vector<std::vector<float>> memory;
  const auto& bindings = context.entry().bindings;
  for (size_t i = 0; i < bindings.size(); ++i) {
    std::vector<float>& elems = memory.emplace_back(bindings[i].size_bytes / sizeof(float));
    for (float& elem : elems) elem = static_cast<float>(random() >> 1) * 0x1p-30f - 1;
    for (size_t at = 0; at < elems.size() && bindings[i].name == "mask"; ++at) {
      const auto row = static_cast<int32_t>(at / 256);
      const bool is_hidden = static_cast<int32_t>(at % 256) > row + seen || (hide_row && row == 7);
      elems[at] = is_hidden ? -10000.0f : 0.0f;
    }
    EXPECT_TRUE(context.Bind(i, reinterpret_cast<uint8_t*>(elems.data()), bindings[i].size_bytes));
  }
  const auto run = context.Run({});
  EXPECT_TRUE(run) << run.Error().Message();
  const auto* mixed = reinterpret_cast<const uint8_t*>(memory.back().data());
  return {{{mixed, mixed + bindings.back().size_bytes}}, context.result()->counters.cycles};
}

TEST(AcmeContext, OfAMaskThatIsAnInputIsFoundWhenItIsThere) {
  const auto model = MaskedAttention();
  ASSERT_TRUE(model) << model.Error().Message();
  for (const char* soc : {"acme_a0", "acme_a1", "acme_a2"}) {
    const auto module = CompileFor(**model, soc);
    ASSERT_TRUE(module) << module.Error().Message();
    ASSERT_EQ(module->entries.size(), 1u);
    ASSERT_EQ(module->entries[0].variants.size(), 2u);
    const acme::Module all = WithoutVariants(*module);
    // The last row sees up to seen + 7.
    for (const int32_t seen : {0, 56, 57, 120, 121, 248}) {
      const Step some = RunMasked(*module, soc, seen, false);
      const Step whole = RunMasked(all, soc, seen, false);
      EXPECT_EQ(some.outputs, whole.outputs) << soc << " " << seen;
      EXPECT_EQ(some.cycles < whole.cycles, seen + 7 < 128) << soc << " " << seen;
    }
    // What sees nothing has shares of all that there is.
    const Step some = RunMasked(*module, soc, 0, true);
    const Step whole = RunMasked(all, soc, 0, true);
    EXPECT_EQ(some.outputs, whole.outputs) << soc;
    EXPECT_EQ(some.cycles, whole.cycles) << soc;
  }
}

}  // namespace
}  // namespace npukit
