// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/time_page/time_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "npukit/metrics.h"
#include "sdk/tools/time_page/layer_limit.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

// Two partitions with a CPU op between them, as a library reports that tells everything.
struct Reported {
  Reported() {
    delegate.ops = {{.subgraph = 0, .index = 3, .op = "CONV_2D", .name = "a/b", .composite = {}}};
    delegate.handles = {{.handle = 7, .name = "a/b", .ops = {0}, .value = {}}};
    steps.resize(3);
    for (const size_t npu : {0, 2}) {
      steps[npu].target = Target::kNpu;
      steps[npu].op = "DISPATCH_OP";
      steps[npu].delegate = &delegate;
    }
    steps[1].op = "SOFTMAX";
    steps[1].name = "soft";
    DispatchMetrics& first = metrics[0];
    first.Set(NPUKIT_METRIC_SOC, std::string("soc_1"));
    first.Set(NPUKIT_METRIC_INVOCATIONS, int64_t{2});
    first.Set(NPUKIT_METRIC_CYCLES, int64_t{200});
    first.Set(NPUKIT_METRIC_BYTES_READ, int64_t{60});
    first.Set(NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE, int64_t{16});
    first.Set(NPUKIT_METRIC_MEMORY_BYTES_PER_CYCLE, int64_t{4});
    first.Set(NPUKIT_METRIC_CLOCK_MHZ, 500.0);
    first.Set("op/a/b/cycles", int64_t{200});
    first.Set("op/a/b/macs", int64_t{1600});
    first.Set("op/a/b/bytes_read", int64_t{40});
    first.Set("op/a/b/bytes_written", int64_t{20});
    first.Set("op/a/b/stall_cycles:matrix:weights", int64_t{120});
    first.Set("op/a/b/stall_cycles:load:idle", int64_t{190});
    first.Set(
        NPUKIT_METRIC_TRACE_EVENTS,
        std::string(R"([{"ph": "M", "tid": 1, "name": "thread_name", "args": {"name": "load"}},
      {"ph": "M", "tid": 2, "name": "thread_name", "args": {"name": "matrix"}},
      {"ph": "X", "tid": 2, "name": "a/b", "cat": "m.conv", "ts": 0.1, "dur": 0.1,
       "args": {"handle": 7, "begin_cycle": 51, "end_cycle": 99}},
      {"ph": "C", "name": "scratchpad bytes", "ts": 0.02, "args": {"bytes": 64}},
      {"ph": "C", "name": "other", "ts": 0.02, "args": {"bytes": 1}}, {"ph": "X"}, 3])"));
    DispatchMetrics& second = metrics[2];
    second.Set(NPUKIT_METRIC_CYCLES, int64_t{50});
    second.Set("op/9/cycles", int64_t{50});
    second.Set(NPUKIT_METRIC_TRACE_EVENTS,
               std::string(R"([{"ph": "X", "tid": 5, "name": "late", "ts": 0.2, "dur": 0.1,
       "args": {"handle": 9}}])"));
  }
  Json Data(const std::vector<DoubledRun>& doubled = {}, const std::string& why = "") const {
    return TimePageData({"m.tflite", steps, times, metrics}, doubled, why);
  }

  DelegateRecord delegate;
  std::vector<StepInfo> steps;
  std::vector<StepTime> times = {{0, 10}, {10, 5010}, {5010, 6000}};
  std::vector<DispatchMetrics> metrics = std::vector<DispatchMetrics>(3);
};

TEST(TimePage, HasLayersOfEachStepPerInference) {
  const Json data = Reported().Data();
  EXPECT_EQ(data["model"], "m.tflite");
  EXPECT_EQ(data["soc"], "soc_1");
  EXPECT_EQ(data["cycles"], 150);
  EXPECT_EQ(data["bytes"], 30);
  EXPECT_EQ(data["chip"]["memory_bytes_per_cycle"], 4);
  EXPECT_TRUE(data["chip"]["scratchpad_bytes"].is_null());
  ASSERT_EQ(data["layers"].size(), 3u);
  const Json& conv = data["layers"][0];
  EXPECT_EQ(conv["name"], "a/b");
  EXPECT_EQ(conv["ops"], Json::array({"3 CONV_2D (a/b)"}));
  EXPECT_EQ(conv["cycles"], 100);
  EXPECT_EQ(conv["bytes"], 30);
  EXPECT_EQ(conv["stalls"], Json({{"matrix/weights", 60}, {"load/idle", 95}}));
  EXPECT_EQ(data["layers"][1]["target"], "cpu");
  EXPECT_EQ(data["layers"][1]["host_us"], 5);
  EXPECT_EQ(data["layers"][2]["name"], "9");
}

TEST(TimePage, TimelineHasStepsOneAfterTheOther) {
  const Json timeline = Reported().Data()["timeline"];
  EXPECT_EQ(timeline["unit"], "cycles");
  // The second step's trace gives times alone: 0.2 us at 500 MHz behind what ended at 99.
  EXPECT_EQ(timeline["end"], 99 + 100 + 50);
  EXPECT_EQ(timeline["kinds"], Json::array({"m.conv", "late"}));
  ASSERT_EQ(timeline["engines"].size(), 3u);
  EXPECT_EQ(timeline["engines"][0]["name"], "load");
  EXPECT_TRUE(timeline["engines"][0]["slices"].empty());
  EXPECT_EQ(timeline["engines"][1]["slices"], Json::array({51, 48, 0, 0}));
  EXPECT_EQ(timeline["engines"][2]["slices"], Json::array({199, 50, 2, 1}));
  EXPECT_EQ(timeline["memory"], Json::array({Json::array({10, 64})}));
}

TEST(TimePage, ShowsWhatWasMeasuredWithMore) {
  const std::vector<DoubledRun> doubled = {
      {.resource = "array", .cycles = 140, .layer_cycles = {{"a/b", 97}}, .error = {}},
      {.resource = "bandwidth", .cycles = 100, .layer_cycles = {{"a/b", 60}}, .error = {}},
      {.resource = "scratchpad", .cycles = {}, .layer_cycles = {}, .error = "no room"}};
  const Json data = Reported().Data(doubled);
  EXPECT_EQ(data["layers"][0]["doubled"], Json({{"array", 97}, {"bandwidth", 60}}));
  EXPECT_EQ(data["layers"][0]["limit"], "bandwidth");
  EXPECT_EQ(data["layers"][0]["help"], "twice the bandwidth: 60 cycles (-40%)");
  EXPECT_EQ(data["doubled"][1]["cycles"], 100);
  EXPECT_THAT(data["notes"].dump(), HasSubstr("Twice the scratchpad: no room"));
  // A layer without a name of its own is not matched.
  EXPECT_TRUE(data["layers"][2]["doubled"].empty());
}

TEST(TimePage, SaysWhatIsNotReported) {
  std::vector<StepInfo> steps(1);
  const std::vector<StepTime> times(1);
  std::vector<DispatchMetrics> metrics(1);
  const auto notes = [&] {
    return TimePageData({"m", steps, times, metrics}, {}, "it is compiled")["notes"].dump();
  };
  EXPECT_THAT(notes(), HasSubstr("ran nothing"));
  steps[0].target = Target::kNpu;
  EXPECT_THAT(notes(), HasSubstr("ran nothing"));
  metrics[0].Set("op/x/cycles", int64_t{5});
  for (const char* missing :
       {"no timeline", "both roofs", "no roofline plot", "no stalls", "it is compiled"})
    EXPECT_THAT(notes(), HasSubstr(missing));
  EXPECT_THAT(notes(), Not(HasSubstr("scratchpad")));
  metrics[0].Set(NPUKIT_METRIC_TRACE_EVENTS,
                 std::string(R"([{"ph": "X", "name": "x", "ts": 1, "dur": 2}])"));
  EXPECT_THAT(notes(), HasSubstr("how full its scratchpad"));
  const Json data = TimePageData({"m", steps, times, metrics}, {}, "");
  EXPECT_EQ(data["timeline"]["unit"], "microseconds");
  EXPECT_EQ(data["timeline"]["engines"][0]["slices"], Json::array({1, 2, 0, 0}));
}

TEST(TimePage, TracesInAnotherFormAreNoTimeline) {
  std::vector<StepInfo> steps(1);
  steps[0].target = Target::kNpu;
  for (const char* text :
       {"", "{", "{}", "7", "[]", "[[]]", R"([{"ph": "X", "ts": "1", "dur": 2}])",
        R"([{"ph": "X", "ts": 1, "dur": -2}])", R"([{"ph": 1}])"}) {
    std::vector<DispatchMetrics> metrics(1);
    metrics[0].Set(NPUKIT_METRIC_TRACE_EVENTS, std::string(text));
    const std::vector<StepTime> times(1);
    EXPECT_TRUE(TimePageData({"m", steps, times, metrics}, {}, "")["timeline"].is_null()) << text;
  }
}

TEST(LayerLimit, FollowsWhatIsKnown) {
  Layer layer{.name = "x", .ops = {}, .target = Target::kNpu, .stalls = {}};
  Chip chip;
  const auto limit = [&] { return LimitOf(layer, chip, {}).limit; };
  EXPECT_THAT(limit(), HasSubstr("no cycles"));
  layer.cycles = 100;
  EXPECT_THAT(limit(), HasSubstr("neither stalls nor bytes"));
  layer.macs = 800;
  layer.bytes = 40;
  chip.array_macs_per_cycle = 16;
  chip.memory_bytes_per_cycle = 1;
  EXPECT_EQ(limit(), "the roof of the array: at least 50 cycles");
  layer.bytes = 60;
  EXPECT_EQ(limit(), "the roof of the bandwidth: at least 60 cycles");
  layer.stalls = {{"matrix/weights", 60}, {"matrix/drain", 20}, {"load/idle", 95}};
  EXPECT_EQ(limit(), "waiting: engine matrix stalls for 80% of the cycles, mostly on 'weights'");
  layer.stalls = {{"matrix/weights", 30}, {"load/idle", 95}};
  EXPECT_EQ(limit(), "engine matrix, which works in 70% of its cycles");
  layer.stalls = {{"memory", 70}};
  EXPECT_EQ(limit(), "waiting: the NPU stalls for 70% of the cycles, mostly on 'memory'");
  const DoubledRun little{
      .resource = "array", .cycles = 99, .layer_cycles = {{"x", 96}}, .error = {}};
  EXPECT_THAT(LimitOf(layer, chip, {{little}}).help, HasSubstr("doubling any one resource"));
  layer.target = Target::kCpu;
  EXPECT_EQ(limit(), "runs on the CPU");
}

TEST(TimePage, IsOneFileThatNamesCannotBreak) {
  Json data = {{"model", "</script><b>"}};
  const std::string page = TimePage(data);
  EXPECT_THAT(page, Not(HasSubstr("</script><b>")));
  EXPECT_THAT(page, HasSubstr(R"("model":"\u003c/script>\u003cb>")"));
  for (const char* outside : {"src=", "@import", "url(", "https:", "//cdn"})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
}

}  // namespace
}  // namespace npukit::tools
