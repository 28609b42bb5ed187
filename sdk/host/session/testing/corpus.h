// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The shared corpora of small models (NPUKIT_SHARED_DIR/ops, ops2) for tests: what their manifests
// say, and outputs held against TFLite's.

#ifndef NPUKIT_SDK_HOST_SESSION_TESTING_CORPUS_H_
#define NPUKIT_SDK_HOST_SESSION_TESTING_CORPUS_H_

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "sdk/host/runtime/runner/step_info.h"
#include "sdk/host/runtime/testing/goldens.h"

namespace npukit::testing {

// One entry a model; none if the folder is not there.
inline std::vector<Json> CorpusCases(const std::filesystem::path& corpus) {
  std::vector<Json> cases;
  std::ifstream manifest(corpus / "manifest.jsonl");
  for (std::string line; std::getline(manifest, line);) cases.push_back(Json::parse(line));
  return cases;
}

// Distance of TFLite's own kernels from each other, which we may have too; 0 where not told.
inline double Slack(const Json& entry, size_t output) {
  double slack = 0;
  const auto self = entry.find("self");
  if (self == entry.end() || !self->is_object()) return slack;
  for (const auto& [resolver, distances] : self->items()) {
    if (!distances.contains("outputs")) continue;
    const Json& all = distances["outputs"];
    if (output < all.size()) slack = std::max(slack, all[output].value("abs", 0.0));
  }
  return slack;
}

inline std::string CompareFloats(std::span<const uint8_t> ours, std::span<const uint8_t> golden,
                                 double slack) {
  const size_t count = golden.size() / sizeof(float);
  std::vector<float> mine(count);
  std::vector<float> theirs(count);
  if (count == 0) return "";
  std::memcpy(mine.data(), ours.data(), ours.size());
  std::memcpy(theirs.data(), golden.data(), golden.size());
  double largest = 0;
  for (float value : theirs) {
    if (std::isfinite(value) && std::fabs(value) < 1e30f) {
      largest = std::max(largest, std::fabs(static_cast<double>(value)));
    }
  }
  const double allowed = std::max(8 * slack, 1e-5 * largest) + 1e-30;
  for (size_t i = 0; i < count; ++i) {
    const bool same = mine[i] == theirs[i] || (std::isnan(mine[i]) && std::isnan(theirs[i]));
    if (same || std::fabs(static_cast<double>(mine[i]) - theirs[i]) <= allowed) continue;
    return fmt::format("at {} is {}, TFLite has {}", i, mine[i], theirs[i]);
  }
  return "";
}

// What differs; empty if nothing that matters. `slack` is allowed of floats, 8 times, and a
// hundred-thousandth of the largest.
inline std::string CompareOutput(const PortInfo& port, std::span<const uint8_t> ours,
                                 std::span<const uint8_t> golden, double slack) {
  if (ours.size() != golden.size())
    return fmt::format("has {} bytes, TFLite {}", ours.size(), golden.size());
  if (port.element_type == kLiteRtElementTypeFloat32 ||
      port.element_type == kLiteRtElementTypeComplex64) {
    return CompareFloats(ours, golden, slack);
  }
  const auto [mine, theirs] = std::mismatch(ours.begin(), ours.end(), golden.begin());
  if (mine == ours.end()) return "";
  return fmt::format("differs from byte {}: {}, TFLite {}", mine - ours.begin(), *mine, *theirs);
}

}  // namespace npukit::testing

#endif  // NPUKIT_SDK_HOST_SESSION_TESTING_CORPUS_H_
