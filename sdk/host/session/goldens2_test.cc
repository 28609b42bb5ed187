// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The second set of real models (NPUKIT_SHARED_DIR/models2): each signature and seed gives what TFLite
// gives. Inputs are not stored; they are drawn as the set's inputs.py draws them, by NumPy's legacy
// generator.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

#include "sdk/host/runtime/testing/goldens.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

namespace fs = std::filesystem;

template <typename T, typename Draw>
std::vector<uint8_t> Drawn(size_t elems, const Draw& draw) {
  std::vector<uint8_t> bytes(elems * sizeof(T));
  for (size_t i = 0; i < elems; ++i) {
    const T value = draw();
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
  return bytes;
}

// Integers span their range, wide ones are small indices, floats are uniform in [-1, 1).
std::vector<uint8_t> MakeInput(const Json& input, uint32_t seed, uint32_t index) {
  std::mt19937 bits(seed * 1000 + index);
  size_t elems = 1;
  for (int64_t dim : input["shape"].get<std::vector<int64_t>>())
    elems *= static_cast<size_t>(std::max<int64_t>(dim, 1));
  const auto type = input["dtype"].get<std::string>();
  if (type == "float32") {
    return Drawn<float>(elems, [&] {
      const double upper = bits() >> 5;
      const double lower = bits() >> 6;
      return static_cast<float>(-1 + 2 * ((upper * 67108864 + lower) / 9007199254740992));
    });
  }
  if (type == "int64") return Drawn<int64_t>(elems, [&] { return bits() & 3; });
  if (type == "int32") return Drawn<int32_t>(elems, [&] { return bits() & 3; });
  if (type == "bool") return Drawn<uint8_t>(elems, [&] { return bits() & 1; });
  if (type == "uint8") return Drawn<uint8_t>(elems, [&] { return bits() & 0xff; });
  if (type == "int8") {
    return Drawn<int8_t>(elems, [&] { return static_cast<int>(bits() & 0xff) - 128; });
  }
  return Drawn<int16_t>(elems, [&] { return static_cast<int>(bits() & 0xffff) - 32768; });
}

// What differs; empty if the output is the golden, of which every `stride`-th element is stored.
template <typename T>
std::string Held(std::span<const uint8_t> bytes, const Json& golden, const fs::path& file) {
  const auto stride = golden.value("stride", size_t{1});
  const std::vector<uint8_t> stored = ReadFile(file);
  const size_t count = stored.size() / sizeof(T);
  std::vector<T> theirs(count);
  std::memcpy(theirs.data(), stored.data(), count * sizeof(T));
  if ((bytes.size() / sizeof(T) + stride - 1) / stride != count)
    return fmt::format("has {} bytes", bytes.size());
  double largest = 0;
  for (T value : theirs) {
    if (std::isfinite(static_cast<double>(value)))
      largest = std::max(largest, std::fabs(static_cast<double>(value)));
  }
  const double apart =
      golden.contains("builtin_max_abs_diff") && golden["builtin_max_abs_diff"].is_number()
          ? golden["builtin_max_abs_diff"].get<double>()
          : 0;
  const double allowed = std::is_floating_point_v<T> ? std::max(8 * apart, 1e-5 * largest) : 0;
  for (size_t i = 0; i < count; ++i) {
    T mine;
    std::memcpy(&mine, bytes.data() + i * stride * sizeof(T), sizeof(T));
    const auto x = static_cast<double>(mine);
    const auto y = static_cast<double>(theirs[i]);
    const bool same = x == y || (std::isnan(x) && std::isnan(y)) || std::fabs(x - y) <= allowed;
    if (!same) return fmt::format("at {} is {}, TFLite has {}", i * stride, x, y);
  }
  return "";
}

std::string HeldByType(std::span<const uint8_t> bytes, const Json& golden, const fs::path& file) {
  const auto type = golden["dtype"].get<std::string>();
  if (type == "float32") return Held<float>(bytes, golden, file);
  if (type == "int8") return Held<int8_t>(bytes, golden, file);
  if (type == "int16") return Held<int16_t>(bytes, golden, file);
  if (type == "int32") return Held<int32_t>(bytes, golden, file);
  if (type == "int64") return Held<int64_t>(bytes, golden, file);
  return Held<uint8_t>(bytes, golden, file);
}

std::string Judge(const Json& run, Session& session) {
  const auto key = run.contains("signature") && run["signature"].is_string()
                       ? run["signature"].get<std::string>()
                       : std::string();
  auto found = session.Runner(key);
  if (!found) return found.Error().Message();
  SignatureRunner& runner = **found;
  session.ResetState();
  if (runner.inputs().size() != run["inputs"].size()) return "has other inputs";
  if (runner.outputs().size() != run["outputs"].size()) return "has other outputs";
  for (size_t i = 0; i < runner.inputs().size(); ++i) {
    const auto bytes = MakeInput(run["inputs"][i], run["seed"], static_cast<uint32_t>(i));
    if (auto set = runner.SetInput(i, bytes); !set) return set.Error().Message();
  }
  if (auto ran = runner.Run(); !ran) return ran.Error().Message();
  for (size_t i = 0; i < runner.outputs().size(); ++i) {
    const Json& golden = run["outputs"][i];
    const std::string difference = HeldByType(
        runner.output(i), golden, kShared / "goldens2" / golden["file"].get<std::string>());
    if (!difference.empty()) return fmt::format("output {} {}", i, difference);
  }
  return "";
}

TEST(SecondGoldens, EveryRunGivesWhatTfliteGives) {
  const fs::path manifest = kShared / "goldens2" / "manifest.json";
  if (!fs::exists(manifest)) {
    GTEST_SKIP() << manifest
                 << " is absent; set NPUKIT_SHARED_DIR to compare with TFLite's outputs";
  }
  size_t runs = 0;
  std::ifstream stream(manifest);
  for (const Json& entry : Json::parse(stream)) {
    auto file = entry["model"].get<std::string>();
    if (!file.ends_with(".tflite")) file += ".tflite";
    auto session = Session::Open((kShared / "models2" / file).string(), {});
    ASSERT_TRUE(session) << file << ": " << session.Error();
    for (const Json& run : entry["runs"]) {
      EXPECT_EQ(Judge(run, **session), "") << file << ", seed " << run["seed"];
      ++runs;
    }
  }
  EXPECT_GE(runs, 78u);
}

}  // namespace
}  // namespace npukit
