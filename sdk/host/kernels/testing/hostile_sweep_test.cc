// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ops that are right, spoilt in every way of testing/node_mutations.h: each is an error that names the
// op and the tensor at fault, or runs.
//   OfGoodNodes: ops of many kinds.
//   OfTheCorpus: the ops of the shared corpora, that is nearly every operator. One op of each kind;
//                NPUKIT_HOSTILE_ALL=1 takes all.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/node_mutations.h"
#include "sdk/host/kernels/testing/spec_shorthand.h"
#include "sdk/host/model/reading/model_reader.h"
#include "tests/support/shared_dir.h"

namespace npukit::kernels {
namespace {

using testing::Binary;
using testing::Conv;
using testing::ConvFloat;
using testing::ConvInt8;
using testing::DepthwiseInt8;
using testing::Float;
using testing::FullyConnected;
using testing::Indices;
using testing::Int16;
using testing::Int8;
using testing::NodeSpec;
using testing::Pad;
using testing::Pool;
using testing::Reduce;
using testing::Reshape;
using testing::TensorSpec;
using testing::Unary;
using testing::With;
using testing::Without;
using testing::WithScale;

// Ops that are right, and stay right without elements.
std::vector<NodeSpec> GoodNodes() {
  const auto fixed = Int8({}, 1.0f / 256, -128);
  return {
      ConvFloat(),
      ConvFloat(Conv(2, 1, Padding::kValid)),
      ConvInt8(),
      ConvInt8(Conv(1, 2)),
      With(ConvInt8(),
           [](NodeSpec& s) {
             s.inputs[1] = WithScale(s.inputs[1], {1, 2, 3, 4, 5, 6});
           }),
      DepthwiseInt8(),
      FullyConnected(),
      Without(FullyConnected(), 2),
      Unary(kLiteRtOpCodeTflAveragePool2d, Int8({1, 5, 5, 3}), Int8({}), Pool(2, 2)),
      Unary(kLiteRtOpCodeTflAveragePool2d, Float({1, 5, 5, 3}), Float({}),
            Pool(3, 1, Padding::kSame)),
      Unary(kLiteRtOpCodeTflMaxPool2d, Int8({1, 5, 5, 3}), Int8({}), Pool(2, 1)),
      Unary(kLiteRtOpCodeTflSoftmax, Float({3, 5}), Float({}), SoftmaxOptions{.beta = 1}),
      Unary(kLiteRtOpCodeTflSoftmax, Int8({3, 5}), fixed, SoftmaxOptions{.beta = 1}),
      Unary(kLiteRtOpCodeTflSoftmax, Int16({3, 5}, 0.01f), Int16({}, 1.0f / 32768),
            SoftmaxOptions{.beta = 1}),
      Binary(kLiteRtOpCodeTflAdd, Int8({2, 3}), Int8({3}), Int8({}), AddOptions{}),
      Binary(kLiteRtOpCodeTflAdd, Float({2, 3}), Float({2, 1}), Float({}), AddOptions{}),
      Binary(kLiteRtOpCodeTflSub, Int16({2, 3}), Int16({3}), Int16({}), SubOptions{}),
      Binary(kLiteRtOpCodeTflMul, Int8({2, 3}), Int8({1, 3}), Int8({}), MulOptions{}),
      Reduce(kLiteRtOpCodeTflMean, Int8({2, 3, 4}), {1, -1}),
      Reduce(kLiteRtOpCodeTflSum, Float({2, 3, 4}), {0}),
      Reduce(kLiteRtOpCodeTflReduceMax, Int8({2, 3, 4}), {2}),
      Unary(kLiteRtOpCodeTflQuantize, Float({2, 4}), Int8({})),
      Unary(kLiteRtOpCodeTflQuantize, Float({2, 4}), WithScale(Int8({}), {1, 2, 3, 4}, 1)),
      Unary(kLiteRtOpCodeTflQuantize, Int8({2, 4}), Int16({})),
      Unary(kLiteRtOpCodeTflDequantize, Int8({2, 4}), Float({})),
      Unary(kLiteRtOpCodeTflDequantize, WithScale(Int8({2, 4}), {1, 2}, 0), Float({})),
      Pad({1, 2, 0, 1}),
      Reshape({3, -1}),
  };
}

// What the kernels throw would end the process of who calls them.
litert::Expected<void> TryNoThrow(const testing::Mutation& mutation) {
  try {
    return TryNode(mutation.spec);
  } catch (const std::exception& thrown) {
    return litert::Unexpected(kLiteRtStatusErrorUnknown, std::string("threw ") + thrown.what());
  }
}

// A hostile op may not take seconds to refuse or run: nothing here has more than 2^16 elements.
constexpr double kMostSeconds = 5;

// Spoils a node in every way; gives how many ways there were.
size_t CheckMutations(const NodeSpec& good) {
  size_t count = 0;
  testing::ForEachMutation(good, [&](const testing::Mutation& mutation) {
    ++count;
    const std::clock_t begin = std::clock();  // of this process alone
    const auto tried = TryNoThrow(mutation);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_LT(seconds, kMostSeconds) << NameOf(good) << ", " << mutation.what;
    if (tried) {
      EXPECT_EQ(mutation.verdict, testing::Verdict::kMayFail)
          << NameOf(good) << ", " << mutation.what << ": was accepted";
      return;
    }
    const std::string& message = tried.Error().Message();
    if (message.find(NameOf(mutation.spec)) == std::string::npos ||
        message.find(mutation.blamed) == std::string::npos) {
      ADD_FAILURE() << NameOf(good) << ", " << mutation.what << ": \"" << message
                    << "\" does not name the op or " << mutation.blamed;
    }
  });
  return count;
}

TEST(HostileSweep, GoodNodesRun) {
  for (const NodeSpec& good : GoodNodes()) {
    const auto tried = TryNode(good);
    EXPECT_TRUE(tried) << tried.Error();
  }
}

TEST(HostileSweep, ZeroSizedTensorsRun) {
  for (const NodeSpec& good : GoodNodes()) {
    NodeSpec empty = good;
    const size_t rank = good.inputs[0].shape.size();
    for (TensorSpec& input : empty.inputs) {
      if (input.constant.empty() && input.shape.size() == rank) input.shape[0] = 0;
    }
    if (empty.code == kLiteRtOpCodeTflReshape) empty.inputs[1] = Indices({0, 6});
    if (empty.inputs[0].quantization.is_per_channel())
      empty.inputs[0] = WithScale(Int8({0, 4}), {1, 2, 3, 4}, 1);
    const auto tried = TryNode(empty);
    EXPECT_TRUE(tried) << tried.Error();
  }
}

TEST(HostileSweep, OfGoodNodes) {
  size_t count = 0;
  for (const NodeSpec& good : GoodNodes()) count += CheckMutations(good);
  RecordProperty("mutations", fmt::format("{}", count));
  EXPECT_GT(count, 3000u);
}

// Types, ranks and which tensors are constant: ops of one kind are spoilt once.
std::string KindOf(const NodeSpec& spec) {
  std::string kind = NameOf(spec);
  for (const auto* tensors : {&spec.inputs, &spec.outputs}) {
    for (const TensorSpec& tensor : *tensors) {
      kind += tensor.is_omitted ? " -" : fmt::format(" {}", ElementTypeName(tensor.type));
      kind += tensor.constant.empty() ? "" : "c";
      kind += tensor.quantization.is_per_channel() ? "p" : "";
    }
    kind += " >";
  }
  return kind;
}

TEST(HostileSweep, OfTheCorpus) {
  namespace fs = std::filesystem;
  const fs::path corpus = fs::path(SharedDir()) / "ops";
  if (!fs::exists(corpus)) {
    GTEST_SKIP() << corpus
                 << " is absent: only the ops of OfGoodNodes are spoilt, not every operator";
  }
  const bool all = std::getenv("NPUKIT_HOSTILE_ALL") != nullptr;
  std::set<std::string> kinds;
  std::set<std::string> operators;
  size_t count = 0;
  std::vector<fs::path> files;
  for (const char* name : {"ops", "ops2"}) {
    const fs::path folder = fs::path(SharedDir()) / name;
    if (!fs::exists(folder)) continue;
    for (const auto& file : fs::recursive_directory_iterator(folder)) {
      if (file.path().extension() == ".tflite") files.push_back(file.path());
    }
  }
  for (const fs::path& file : files) {
    auto model = LoadModel(file.string());
    ASSERT_TRUE(model) << model.Error();
    for (const auto& op : (*model)->main_subgraph().ops()) {
      // A NodeSpec has no custom code.
      if (FindOperator(*op) == nullptr || op->code == kLiteRtOpCodeTflCustom) continue;
      const NodeSpec good = NodeSpec::Of(*op);
      if (!kinds.insert(KindOf(good)).second && !all) continue;
      SCOPED_TRACE(file.stem().string());
      operators.insert(OpName(*op));
      count += CheckMutations(good);
    }
  }
  RecordProperty("mutations", fmt::format("{}", count));
  std::cout << operators.size() << " operators in " << kinds.size() << " kinds, " << count
            << " mutations\n";
  EXPECT_GT(operators.size(), 50u);
}

}  // namespace
}  // namespace npukit::kernels
