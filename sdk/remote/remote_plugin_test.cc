// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compiler plugins on a device: each of the tests' plugins, whatever it does wrong, answers over the wire as it does in
// this process.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/testing/test_models.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/remote/desk/compiler/remote_plugin.h"
#include "sdk/remote/desk/compiler/sent_graph.h"
#include "sdk/remote/testing/remote_script.h"
#include "sdk/remote/wire/digest.h"

namespace npukit::remote {
namespace {

using ::testing::HasSubstr;

std::string PathOf(const std::string& name) {
  return NPUKIT_BUILD_DIR "/test_plugins/" + name + "/libLiteRtCompilerPlugin_" + name + ".so";
}

// x -> ADD -> MUL -> SUB.
std::unique_ptr<Model> ThreeOps() {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {4});
  Tensor* v = b.Value("v", kLiteRtElementTypeFloat32, {4});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {4});
  Tensor* z = b.Value("z", kLiteRtElementTypeFloat32, {4});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {v});
  b.AddOp(kLiteRtOpCodeTflMul, {v, x}, {y});
  b.AddOp(kLiteRtOpCodeTflSub, {y, x}, {z});
  b.Output(z);
  return b.BuildUnchecked();
}

// (x * k) - x, twice, with constants, of which "rewrites" makes one op each.
std::unique_ptr<Model> Shrinkable() {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {4});
  for (const char* const name : {"a", "b"}) {
    Tensor* k = b.Constant(fmt::format("k{}", name), {4}, std::vector<float>{1, 2, 3, 4});
    Tensor* v = b.Value(fmt::format("v{}", name), kLiteRtElementTypeFloat32, {4});
    Tensor* y = b.Value(fmt::format("y{}", name), kLiteRtElementTypeFloat32, {4});
    b.AddOp(kLiteRtOpCodeTflMul, {x, k}, {v});
    b.AddOp(kLiteRtOpCodeTflSub, {v, x}, {y});
    x = y;
  }
  b.Output(x);
  return b.BuildUnchecked();
}

// x + c, |x|, x + d, with a constant that nothing changes and one that two ops share.
std::unique_ptr<Model> WithConstants(int32_t elems = 4) {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  const auto values = [&](float value) {
    return std::vector<float>(static_cast<size_t>(elems), value);
  };
  Tensor* x = b.Input("x", type, {elems});
  Tensor* c = b.Constant("c", {elems}, values(1));
  Tensor* d = b.Constant("d", {elems}, values(2));
  Tensor* u = b.Value("u", type, {elems});
  Tensor* v = b.Value("v", type, {elems});
  Tensor* w = b.Value("w", type, {elems});
  Tensor* y = b.Value("y", type, {elems});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, c}, {u});
  b.AddOp(kLiteRtOpCodeTflAbs, {u}, {v});
  b.AddOp(kLiteRtOpCodeTflAdd, {v, d}, {w});
  b.AddOp(kLiteRtOpCodeTflMul, {w, c}, {y});
  b.Output(y);
  return b.BuildUnchecked();
}

// Three DISPATCH_OPs with bytecode, and x + x.
std::unique_ptr<Model> PartlyCompiled() {
  auto model = CompiledModel();
  Subgraph& subgraph = model->main_subgraph();
  Tensor& sum = subgraph.AddTensor();
  sum.name = "sum";
  sum.shape = {1};
  Op& add = subgraph.AddOp();
  add.code = kLiteRtOpCodeTflAdd;
  add.options = DefaultOptions(add.code);
  for (int i = 0; i < 2; ++i) Subgraph::AddInput(add, subgraph.inputs[0]);
  Subgraph::AddOutput(add, sum);
  subgraph.outputs.push_back(&sum);
  UpdateOperatorCodes(*model);
  return model;
}

std::string TextOf(const SelectorAnswer& answer, const Subgraph& subgraph) {
  std::string text;
  const auto position = [&](const Op* op) -> std::string {
    if (op == nullptr) return "null";
    for (size_t i = 0; i < subgraph.ops().size(); ++i) {
      if (&subgraph.op(i) == op) return fmt::format("{}", i);
    }
    return "foreign";
  };
  for (const SelectedOp& selected : answer.selection)
    text += fmt::format("op {} in {}; ", position(selected.op), selected.partition_index);
  for (const SelectorAnswer::Remark& remark : answer.remarks)
    text += fmt::format("op {}: {}; ", position(remark.op), remark.text);
  return text;
}

std::string TextOf(const CompiledPartitions& compiled) {
  std::string text;
  for (const SharedBytes& module : compiled.modules)
    text += fmt::format("module {}; ", std::string(module.bytes.begin(), module.bytes.end()));
  for (const auto& call : compiled.calls) {
    text += fmt::format("call {} of {}", call.entry_point, call.module);
    for (const auto& handle : call.debug_handles)
      text += fmt::format(", handle {} {} {}", handle.handle, handle.name, handle.ops);
    for (const auto& pair : call.in_place)
      text += fmt::format(", in place {} {}", pair.output, pair.input);
    text += "; ";
  }
  return text;
}

template <typename T, typename ToText>
std::string TextOr(const litert::Expected<T>& expected, ToText to_text) {
  if (expected) return to_text(*expected);
  return fmt::format("error {}: {}", static_cast<int>(expected.Error().Status()),
                     expected.Error().Message());
}

// What the plugin's transformations make of models, as text.
std::string InterviewRewrites(const LoadedPlugin& plugin) {
  if (plugin.transformations().empty()) return {};
  std::string text;
  for (const auto& given :
       {ThreeOps(), Shrinkable(), WithConstants(), PartlyCompiled(), EveryFeature()}) {
    auto model = CopyModel(*given);
    const auto count = plugin.Rewrite(model);
    if (!count) {
      text += fmt::format("error {}: {}\n", static_cast<int>(count.Error().Status()),
                          count.Error().Message());
      continue;
    }
    text += fmt::format("{} rewrites, limit {}", count->applied, count->limit_reached);
    if (count->applied != 0) {
      UpdateOperatorCodes(*model);
      const auto bytes = SerializeModel(*model);
      text += fmt::format(", origins {}, file {}", count->origins,
                          bytes ? Digest(*bytes) : bytes.Error().Message());
    }
    text += "\n";
  }
  return text;
}

// All that can be asked of a plugin, as text, without its path.
std::string Interview(const std::string& path) {
  std::string text;
  const auto plugin = LoadedPlugin::Load(path);
  if (!plugin) {
    text = TextOr(plugin, [](const LoadedPlugin&) { return ""; });
  } else {
    const auto model = ThreeOps();
    text = fmt::format("{}; {}; {}\n", plugin->manufacturer(), plugin->soc_models(),
                       static_cast<int>(plugin->supported_hardware()));
    for (const LiteRtTransformation& one : plugin->transformations())
      text += fmt::format("{} {} {}; ", one.name == nullptr ? "nameless" : one.name, one.benefit,
                          one.pattern != nullptr);
    text += InterviewRewrites(*plugin);
    for (const char* const soc : {"", "t1", "no_such"}) {
      text += fmt::format("{}: {}\n", soc, plugin->CheckCompatibility(soc).HasValue());
      text += TextOr(plugin->Partition(soc, model->main_subgraph()),
                     [&](const auto& answer) { return TextOf(answer, model->main_subgraph()); });
      text += "\n" + TextOr(plugin->Compile(soc, *model),
                            [](const auto& compiled) { return TextOf(compiled); });
      const CompileSpec specs[] = {{.key = "first", .bytes = {'a', 0, 'b'}}};
      const auto set = plugin->SetCompileSpecs(NPUKIT_ALL_PARTITIONS, specs);
      text += "\n" + (set ? std::string("set") : set.Error().Message()) + "\n";
    }
  }
  for (size_t at = text.find(path); at != std::string::npos; at = text.find(path))
    text.replace(at, path.size(), "PLUGIN");
  return text;
}

// A worker and a link to it.
class RemotePluginTest : public testing::Test {
 protected:
  void SetUp() override {
    const int fd = worker_.TakeFd();
    auto link = Link::Adopt(fd, fd);
    ASSERT_TRUE(link) << link.Error().Message();
    link_ = std::move(*link);
  }
  void TearDown() override {
    UninstallRemotePlugin();
    link_.reset();
  }
  // Empty: the plugin can't be loaded there, for the reason in `why`.
  std::string Install(const LibraryFile& file, std::string& why) {
    auto path = InstallRemotePlugin(*link_, file);
    EXPECT_TRUE(path);
    const auto opened = OpenRemotePlugin();
    if (opened) return *path;
    why = opened.Error().Message();
    return {};
  }

  WorkerProcess worker_;
  std::unique_ptr<Link> link_;
};

// But selects_stranger, which keeps an op from one call to the next: there each call has a model of its own.
TEST_F(RemotePluginTest, EveryPluginAnswersAsHere) {
  const char* const kNames[] = {"selects_all",       "takes_add",          "takes_mul",
                                "selects_nothing",   "selects_null",       "example_like",
                                "selects_twice",     "fails_in_partition", "fails_in_compile",
                                "fails_on_sub",      "too_few_calls",      "two_modules",
                                "null_result",       "null_module",        "empty_module",
                                "null_entry_point",  "bad_module_index",   "duplicate_entry_points",
                                "incompatible",      "wrong_version",      "no_manufacturer",
                                "create_fails",      "create_gives_null",  "null_soc_model",
                                "explains",          "bad_debug_handle",   "in_place",
                                "far_in_place",      "twice_in_place",     "takes_specs",
                                "abi_2_1_0",         "abi_2_1_5",          "abi_2_2_0",
                                "queried_sparse",    "queried_plain",      "rewrites",
                                "breaks_graph",      "never_settles",      "nameless_rewrite",
                                "rewrites_constants"};
  for (const char* const name : kNames) {
    SCOPED_TRACE(name);
    const LibraryFile file = ReadLibrary(PathOf(name));
    std::string why;
    const std::string path = Install(file, why);
    ASSERT_EQ(path, fmt::format("linked:{}", name)) << why;
    const std::string here = Interview(PathOf(name));
    EXPECT_EQ(Interview(path), here);
  }
}

// What the worker finds wrong with a file is told as it is at the desk.
TEST_F(RemotePluginTest, WhatCantBeLoadedIsRefused) {
  const std::pair<const char*, const char*> kRows[] = {
      {"missing_function", "does not export LiteRtCompilerPluginRegisterAllTransformations"},
      {"queried_null", "LiteRtCompilerPluginQueryInterface(0, version 1.0.0) gave null"},
      {"unresolved_import", "LiteRtFunctionOfNoHost"}};
  for (const auto& [name, message] : kRows) {
    const LibraryFile file = ReadLibrary(PathOf(name));
    std::string why;
    EXPECT_EQ(Install(file, why), "");
    EXPECT_THAT(why, HasSubstr(message));
    EXPECT_FALSE(link_->is_lost());
  }
}

// The whole way from a model to a compiled one, with graphs that are sent in the call and as files.
TEST_F(RemotePluginTest, PlacementGivesTheSameModel) {
  for (const char* const name : {"takes_add", "rewrites_constants", "queried_plain"}) {
    const LibraryFile file = ReadLibrary(PathOf(name));
    std::string why;
    const std::string path = Install(file, why);
    for (const int32_t elems : {4, 50'000}) {
      const auto model = WithConstants(elems);
      std::vector<std::vector<uint8_t>> files;
      std::vector<std::string> texts;
      for (const std::string& from : {PathOf(name), path}) {
        const auto plugin = LoadedPlugin::Load(from);
        ASSERT_TRUE(plugin) << plugin.Error().Message();
        const LoadedPlugin* const one = &*plugin;
        const auto applied = ApplyPlugins(*model, std::span(&one, 1));
        ASSERT_TRUE(applied) << applied.Error().Message();
        EXPECT_FALSE(applied->partitions.empty());
        auto bytes = SerializeModel(*applied->model);
        ASSERT_TRUE(bytes);
        files.push_back(std::move(*bytes));
        texts.push_back(ToString(*applied));
      }
      EXPECT_EQ(files[0], files[1]) << name;
      for (size_t at = texts[1].find(path); at != std::string::npos; at = texts[1].find(path))
        texts[1].replace(at, path.size(), PathOf(name));
      EXPECT_EQ(texts[0], texts[1]) << name;
    }
  }
}

// The rewritten graph comes back, and what is new in it: no constant that the desk has.
TEST_F(RemotePluginTest, ConstantsDoNotComeBack) {
  const LibraryFile file = ReadLibrary(PathOf("rewrites_constants"));
  std::string why;
  ASSERT_NE(Install(file, why), "") << why;
  PluginAnswer answer;
  LinkTrouble trouble;
  ASSERT_TRUE(link_->Call(PluginCall{.function = PluginFunction::kCreate}, answer, trouble));
  const uint64_t plugin = answer.object;
  const auto bytes = SerializeModel(*WithConstants(50'000));
  ASSERT_TRUE(bytes);
  const PluginCall call{.function = PluginFunction::kRewrite, .object = plugin, .model = *bytes};
  EXPECT_FALSE(link_->Call(call, answer, trouble));
  EXPECT_EQ(trouble.what, "there are no transformations, or no model");
  ASSERT_TRUE(link_->Call(
      PluginCall{.function = PluginFunction::kTransformations, .object = plugin}, answer, trouble));
  ASSERT_TRUE(link_->Call(call, answer, trouble)) << trouble.what;
  EXPECT_EQ(answer.number, 2U);
  EXPECT_EQ(answer.constants.size(), 2U);  // of c and d; two of as many elements are new
  EXPECT_GT(answer.bytes.size(), 400'000U);
  EXPECT_LT(answer.bytes.size(), 410'000U);
  EXPECT_FALSE(link_->is_lost());
}

// Handles are pointers of another process: bytecode is what comes back.
TEST_F(RemotePluginTest, ExecutablesStayThere) {
  for (const bool has_bytecode : {true, false}) {
    const LibraryFile file =
        ReadLibrary(PathOf(has_bytecode ? "queried_gives_handles" : "queried_only_handles"));
    std::string why;
    const auto plugin = LoadedPlugin::Load(Install(file, why));
    ASSERT_TRUE(plugin) << plugin.Error().Message();
    EXPECT_FALSE(plugin->has_executables());
    const auto compiled = plugin->Compile("", *ThreeOps());
    EXPECT_EQ(compiled.HasValue(), has_bytecode);
  }
}

// One link, two processes: the compiler stays while dispatch libraries come and go.
TEST_F(RemotePluginTest, LivesBesideADispatchLibrary) {
  const LibraryFile file = ReadLibrary(PathOf("selects_all"));
  std::string why;
  const auto plugin = LoadedPlugin::Load(Install(file, why));
  ASSERT_TRUE(plugin) << plugin.Error().Message();
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(Script(*link_).Run().output, kSum);
    EXPECT_TRUE(plugin->Compile("", *ThreeOps()));
  }
}

TEST_F(RemotePluginTest, DesksMistakesAreRefusedAndTheLinkStays) {
  PluginAnswer answer;
  LinkTrouble trouble;
  EXPECT_FALSE(link_->Call(PluginCall{.function = PluginFunction::kCreate}, answer, trouble));
  EXPECT_EQ(trouble.what, "no compiler plugin is open");
  PluginFacts facts;
  EXPECT_FALSE(link_->OpenPlugin(std::string(64, '0'), "lib.so", facts, trouble));
  EXPECT_EQ(trouble.what, "a library that was not sent");
  const LibraryFile file = ReadLibrary(PathOf("selects_all"));
  ASSERT_TRUE(link_->SendFile(file.digest, file.bytes, trouble));
  ASSERT_TRUE(link_->OpenPlugin(file.digest, file.name, facts, trouble)) << trouble.what;
  ASSERT_TRUE(link_->Call(PluginCall{.function = PluginFunction::kCreate}, answer, trouble));
  const uint64_t plugin = answer.object;
  const PluginCall kMistakes[] = {
      {.function = PluginFunction::kDestroy, .object = 99},
      {.function = PluginFunction::kNumModules, .object = plugin},
      {.function = PluginFunction::kPartition, .object = plugin},
      {.function = PluginFunction::kCompile, .object = plugin, .model = {1, 2, 3}},
      {.function = PluginFunction::kCompile, .object = plugin, .digest = std::string(64, '0')},
      {.function = PluginFunction::kCompile, .object = plugin, .digest = "../x"}};
  for (const PluginCall& call : kMistakes) {
    EXPECT_FALSE(link_->Call(call, answer, trouble)) << NameOf(call.function);
    EXPECT_EQ(trouble.kind, LinkTrouble::Kind::kRefused) << trouble.what;
  }
  EXPECT_TRUE(link_->Call(PluginCall{.function = PluginFunction::kDestroy, .object = plugin},
                          answer, trouble));
}

// A file whose last subgraph is the one asked about can be read, whatever the subgraph's ops refer to.
TEST(SentGraphTest, EverySubgraphCanBeSent) {
  for (const auto& model : {EveryOptionsTable(), EveryFeature(), CompiledModel()}) {
    for (const auto& subgraph : model->subgraphs()) {
      const auto bytes = SerializeSubgraph(*subgraph);
      ASSERT_TRUE(bytes) << bytes.Error().Message();
      const auto read = ParseModel(SharedBytes::Copy(*bytes));
      ASSERT_TRUE(read) << read.Error().Message();
      const Subgraph& last = *(*read)->subgraphs().back();
      ASSERT_EQ(last.ops().size(), subgraph->ops().size());
      for (size_t i = 0; i < last.ops().size(); ++i) {
        EXPECT_EQ(last.op(i).code, subgraph->op(i).code);
        EXPECT_EQ(last.op(i).options, subgraph->op(i).options);
      }
    }
  }
}

}  // namespace
}  // namespace npukit::remote
