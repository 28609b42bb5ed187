// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/stage.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace npukit::conformance {
namespace {

std::atomic<StagePage*> stage_page = nullptr;
// This thread's last stage.
thread_local char last_stage[kMaxStageBytes];
thread_local size_t last_bytes = 0;
thread_local std::string_view of_what;  // a StageOf's

void WriteLast() {
  StagePage* const page = stage_page;
  if (page != nullptr) page->Write({last_stage, last_bytes});
}

void AppendToLast(std::string_view text) {
  const size_t more = std::min(text.size(), kMaxStageBytes - last_bytes);
  std::memcpy(last_stage + last_bytes, text.data(), more);
  last_bytes += more;
}

}  // namespace

void SetStagePage(StagePage* page) { stage_page = page; }

void SetStage(std::string_view stage) {
  last_bytes = 0;
  AppendToLast(stage);
  if (!of_what.empty()) {
    AppendToLast(": ");
    AppendToLast(of_what);
  }
  WriteLast();
}

void AddToStage(std::string_view text) {
  if (last_bytes > 0) AppendToLast(": ");
  AppendToLast(text);
  WriteLast();
}

StageOf::StageOf(std::string what) : what_(std::move(what)) { of_what = what_; }

StageOf::~StageOf() { of_what = {}; }

}  // namespace npukit::conformance
