// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Desk and worker with a bad connection between them.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/remote/desk/compiler/remote_plugin.h"
#include "sdk/remote/testing/fault_proxy.h"
#include "sdk/remote/testing/host_run.h"
#include "sdk/remote/testing/remote_script.h"

namespace npukit::remote {
namespace {

using std::chrono::milliseconds;

// x -> ADD -> y as a file.
const std::vector<uint8_t>& OneAdd() {
  static const std::vector<uint8_t> bytes = [] {
    ModelBuilder b;
    Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {4});
    Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {4});
    b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {y});
    b.Output(y);
    auto written = SerializeModel(*b.BuildUnchecked());
    EXPECT_TRUE(written);
    return written ? std::move(*written) : std::vector<uint8_t>();
  }();
  return bytes;
}

// What a desk does to compile once: its output is the bytecode. A selection of another op than the one that there is, is
// a wrong answer.
Outcome CompileOnce(Link& link) {
  static const LibraryFile plugin =
      ReadLibrary(NPUKIT_BUILD_DIR "/test_plugins/takes_add/libLiteRtCompilerPlugin_takes_add.so");
  Outcome outcome;
  LinkTrouble trouble;
  PluginFacts facts;
  PluginAnswer answer;
  const auto call = [&](const PluginCall& asked) {
    if (!link.Call(asked, answer, trouble)) return false;
    outcome.status = static_cast<LiteRtStatus>(answer.status);
    return outcome.status == kLiteRtStatusOk;
  };
  bool is_done = link.SendFile(plugin.digest, plugin.bytes, trouble) &&
                 link.OpenPlugin(plugin.digest, plugin.name, facts, trouble) &&
                 call({.function = PluginFunction::kCreate});
  const uint64_t object = answer.object;
  is_done = is_done && call({.function = PluginFunction::kPartition,
                             .nulls = kNullSoc,
                             .object = object,
                             .model = OneAdd()});
  if (is_done && (answer.selection.size() != 1 || answer.selection[0].op != 0))
    outcome.status = kLiteRtStatusErrorInvalidArgument;
  is_done = is_done &&
            call({.function = PluginFunction::kCompile,
                  .nulls = kNullSoc,
                  .object = object,
                  .model = OneAdd()}) &&
            call({.function = PluginFunction::kModule, .object = answer.object});
  if (is_done) outcome.output = answer.bytes;
  outcome.trouble = trouble.what;
  outcome.kind = trouble.kind;
  return outcome;
}

// x + c, |x|, with constants, of which "rewrites_constants" makes others.
std::unique_ptr<Model> WithConstants() {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {4});
  Tensor* c = b.Constant("c", {4}, std::vector<float>{1, 2, 3, 4});
  Tensor* u = b.Value("u", kLiteRtElementTypeFloat32, {4});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {4});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, c}, {u});
  b.AddOp(kLiteRtOpCodeTflAbs, {u}, {y});
  b.Output(y);
  return b.BuildUnchecked();
}

// What a desk does to have a model rewritten: its output is the graph that the transformations left on the device, with
// what its ops stand for.
litert::Expected<std::vector<uint8_t>> TryRewrite(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(const LoadedPlugin plugin, LoadedPlugin::Load(path));
  std::unique_ptr<Model> model = WithConstants();
  LITERT_ASSIGN_OR_RETURN(const RewriteCount count, plugin.Rewrite(model));
  UpdateOperatorCodes(*model);
  LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, SerializeModel(*model));
  const std::string origins = fmt::format("{} {}", count.applied, count.origins);
  bytes.insert(bytes.end(), origins.begin(), origins.end());
  return bytes;
}

Outcome RewriteOnce(Link& link) {
  static const LibraryFile file =
      ReadLibrary(NPUKIT_BUILD_DIR
                  "/test_plugins/rewrites_constants/libLiteRtCompilerPlugin_rewrites_constants.so");
  Outcome outcome;
  const auto path = InstallRemotePlugin(link, file);
  if (path && OpenRemotePlugin()) {
    auto rewritten = TryRewrite(*path);
    if (rewritten) {
      outcome.output = std::move(*rewritten);
    } else {
      outcome.status = rewritten.Error().Status();
    }
  }
  outcome.trouble = RemotePluginTrouble();
  outcome.kind = link.is_lost() ? LinkTrouble::Kind::kLost : LinkTrouble::Kind::kRefused;
  UninstallRemotePlugin();
  return outcome;
}

// The script, by the host's classes, which go ahead of the answers. A surprise is a wrong answer.
Outcome RunAhead(Link& link) {
  static LibraryFacts facts;
  Outcome outcome;
  LinkTrouble trouble;
  const LibraryFile& file = TestLibrary();
  // Once, without a fault.
  if (facts.build_id.empty() && link.SendFile(file.digest, file.bytes, trouble)) {
    EXPECT_TRUE(link.Open(file.digest, file.name, facts, trouble)) << trouble.what;
  }
  const auto path = InstallRemoteLibrary(
      link, file, {}, Expectation{.facts = facts, .on_surprise = [&](const std::string&) {
                                    outcome.status = kLiteRtStatusErrorInvalidArgument;
                                  }});
  for (int time = 0; time < 2; ++time) outcome.output = RunOnHost(*path, kProgram).output;
  (void)SettleRemoteLibrary();
  outcome.trouble = RemoteTrouble();
  outcome.kind = link.is_lost() ? LinkTrouble::Kind::kLost : LinkTrouble::Kind::kRefused;
  UninstallRemoteLibrary();
  return outcome;
}

// The script behind the proxy; how many bytes passed in each direction.
enum class Runs { kAtOnce, kInBackground, kAhead, kCompiler, kRewrites };
Outcome RunBehindProxy(Runs runs, const Fault* fault, milliseconds silence, size_t (&passed)[2]) {
  WorkerProcess worker;
  FaultProxy proxy(worker.TakeFd(), fault);
  Outcome outcome;
  {
    const LinkLimits limits{.silence = silence, .start = silence};
    auto link = Link::Adopt(proxy.desk_end(), proxy.desk_end(), limits);
    if (link) {
      if (runs == Runs::kAtOnce) outcome = Script(**link).Run();
      if (runs == Runs::kInBackground) outcome = Script(**link, AsyncLibrary()).RunAsync();
      if (runs == Runs::kAhead) outcome = RunAhead(**link);
      if (runs == Runs::kCompiler) outcome = CompileOnce(**link);
      if (runs == Runs::kRewrites) outcome = RewriteOnce(**link);
    } else {
      outcome.trouble = link.Error().Message();
    }
  }
  for (int i = 0; i < 2; ++i) passed[i] = proxy.passed(i == 1);
  return outcome;
}

// Whatever happens to the connection: the right values, or a word that the device was lost. Never
// wrong values, a hang, or a worker that stays.
struct Tried {
  int scenarios = 0;
  int lost = 0;
};
Tried TryFaults(Runs runs, size_t places_of_kind) {
  size_t passed[2];
  constexpr milliseconds kForever(30'000);
  (void)RunBehindProxy(runs, nullptr, kForever, passed);  // the library's file is there from now on
  const auto begin = std::chrono::steady_clock::now();
  const Outcome healthy = RunBehindProxy(runs, nullptr, kForever, passed);
  // Long enough for a healthy worker on this machine as it is now, with a sanitizer or busy.
  const milliseconds silence = std::max(
      milliseconds(400),
      4 * std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin));
  EXPECT_EQ(healthy.trouble, "");
  EXPECT_FALSE(healthy.output.empty());
  EXPECT_EQ(healthy.output == kSum, runs != Runs::kCompiler && runs != Runs::kRewrites);
  Tried tried;
  for (const FaultKind kind : {FaultKind::kCut, FaultKind::kFlip, FaultKind::kDrop,
                               FaultKind::kInsert, FaultKind::kDelay, FaultKind::kStall}) {
    for (const bool to_worker : {false, true}) {
      const size_t whole = passed[to_worker ? 1 : 0];
      const size_t places = kind == FaultKind::kStall ? places_of_kind / 4 : places_of_kind;
      for (size_t i = 0; i < places; ++i) {
        const Fault fault{kind, to_worker, whole * i / places + i % 5};
        size_t unused[2];
        const auto start = std::chrono::steady_clock::now();
        const Outcome outcome = RunBehindProxy(runs, &fault, silence, unused);
        const auto took = std::chrono::steady_clock::now() - start;
        const std::string where =
            fmt::format("fault {} {} the worker at byte {} of {}", static_cast<int>(kind),
                        to_worker ? "to" : "from", fault.at_byte, whole);
        ++tried.scenarios;
        EXPECT_LT(took, std::chrono::seconds(10) + 4 * silence) << where;
        if (outcome.trouble.empty()) {
          EXPECT_EQ(outcome.status, kLiteRtStatusOk) << where;
          EXPECT_EQ(outcome.output, healthy.output) << where;
        } else {
          EXPECT_EQ(outcome.kind, LinkTrouble::Kind::kLost) << where << ": " << outcome.trouble;
          ++tried.lost;
        }
        EXPECT_EQ(outcome.trouble.empty(), kind == FaultKind::kDelay)
            << where << ": " << outcome.trouble;
      }
    }
  }
  return tried;
}

TEST(RemoteFaultTest, RightOrLost) {
  const Tried tried = TryFaults(Runs::kAtOnce, 24);
  EXPECT_GE(tried.scenarios, 200);
  EXPECT_GT(tried.lost, 150);
}

TEST(RemoteFaultTest, RightOrLostInBackground) {
  const Tried tried = TryFaults(Runs::kInBackground, 8);
  EXPECT_GE(tried.scenarios, 80);
  EXPECT_GT(tried.lost, 60);
}

TEST(RemoteFaultTest, RightOrLostAheadOfAnswers) {
  const Tried tried = TryFaults(Runs::kAhead, 8);
  EXPECT_GE(tried.scenarios, 80);
  EXPECT_GT(tried.lost, 60);
}

// The graph that a desk goes on with is the one that the device made, whole.
TEST(RemoteFaultTest, RightOrLostInRewriting) {
  const Tried tried = TryFaults(Runs::kRewrites, 8);
  EXPECT_GE(tried.scenarios, 80);
  EXPECT_GT(tried.lost, 60);
}

TEST(RemoteFaultTest, RightOrLostInCompiling) {
  const Tried tried = TryFaults(Runs::kCompiler, 8);
  EXPECT_GE(tried.scenarios, 80);
  EXPECT_GT(tried.lost, 60);
}

// Bytes that no desk sends: the worker ends, or refuses.
TEST(RemoteFaultTest, WorkerBearsWhatIsNoDesk) {
  uint32_t random = 1;
  for (int i = 0; i < 60; ++i) {
    WorkerProcess worker;
    const int fd = worker.TakeFd();
    Frame frame{.kind = static_cast<MessageKind>(i % 10), .number = 1, .payload = {}};
    for (int byte = 0; byte < i * 3; ++byte)
      frame.payload.push_back(static_cast<uint8_t>((random = random * 1664525 + 1013904223) >> 24));
    std::vector<uint8_t> bytes = EncodeFrame(frame);
    if (i % 3 == 0) bytes.resize(bytes.size() - 1);
    EXPECT_EQ(send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
    shutdown(fd, SHUT_WR);
    uint8_t ignored[4096];
    pollfd ready = {fd, POLLIN, 0};
    while (poll(&ready, 1, 5000) > 0 && read(fd, ignored, sizeof ignored) > 0) {
    }
    close(fd);
  }
}

}  // namespace
}  // namespace npukit::remote
