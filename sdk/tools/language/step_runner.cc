// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/step_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/language/token_place.h"

namespace npukit::tools {
namespace {

constexpr int32_t kFiller = 0;
constexpr int32_t kPadding = -1;

// `rest` behind the last.
void WriteTokens(std::span<uint8_t> input, std::span<const int32_t> tokens, int32_t rest) {
  for (size_t i = 0; i < input.size() / sizeof(int32_t); ++i) {
    const int32_t token = i < tokens.size() ? tokens[i] : rest;
    std::memcpy(input.data() + i * sizeof(token), &token, sizeof(token));
  }
}

}  // namespace

litert::Expected<StepRunner> StepRunner::Create(Session& session, const LanguageSignature& step,
                                                const std::vector<std::string>& caches) {
  StepRunner made(step);
  for (const std::string& key : step.before) LITERT_RETURN_IF_ERROR(made.Add(session, key, caches));
  LITERT_RETURN_IF_ERROR(made.Add(session, step.key, caches));
  made.main_ = made.stages_.back().runner;
  for (const std::string& key : step.after) LITERT_RETURN_IF_ERROR(made.Add(session, key, caches));
  return made;
}

litert::Expected<void> StepRunner::Add(Session& session, const std::string& key,
                                       const std::vector<std::string>& caches) {
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session.Runner(key));
  Stage stage{.key = key, .runner = runner, .links = {}, .fills = {}};
  if (step_.is_split()) {
    Connect(stage, caches);
  } else {
    stage.fills = {{StepInput::kTokens, runner->input(step_.tokens_input)},
                   {StepInput::kPositions, runner->input(step_.positions_input)}};
  }
  stages_.push_back(std::move(stage));
  return {};
}

// FindLanguageSignatures has seen that each input is there, with the type and the shape of the output.
void StepRunner::Connect(Stage& stage, const std::vector<std::string>& caches) const {
  const std::span<const PortInfo> inputs = stage.runner->inputs();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string& name = inputs[i].name;
    if (std::find(caches.begin(), caches.end(), name) != caches.end()) continue;
    const std::span<uint8_t> input = stage.runner->input(i);
    if (const auto filled = FindStepInput(name)) stage.fills.push_back({*filled, input});
    for (const Stage& before : stages_) {
      const std::span<const PortInfo> outputs = before.runner->outputs();
      for (size_t o = 0; o < outputs.size(); ++o) {
        if (outputs[o].name == name) stage.links.push_back({before.runner, o, input});
      }
    }
  }
}

litert::Expected<void> StepRunner::Run(std::span<const int32_t> tokens, int32_t position) {
  for (Stage& stage : stages_) {
    for (const Fill& fill : stage.fills) {
      if (fill.with == StepInput::kPositions || fill.with == StepInput::kFirstPosition) {
        WritePositions(fill.input, position);
      } else {
        WriteTokens(fill.input, tokens,
                    fill.with == StepInput::kTokensOrPadding ? kPadding : kFiller);
      }
    }
    for (const Link& link : stage.links) {
      const std::span<const uint8_t> from = link.from->output(link.output);
      std::memcpy(link.to.data(), from.data(), std::min(from.size(), link.to.size()));
    }
    if (auto run = stage.runner->Run(); !run) {
      return litert::Unexpected(run.Error().Status(), fmt::format("signature '{}': {}", stage.key,
                                                                  run.Error().Message()));
    }
  }
  return {};
}

uint64_t StepRunner::copied_bytes() const {
  uint64_t bytes = 0;
  for (const Stage& stage : stages_) bytes += stage.runner->copied_port_bytes();
  return bytes;
}

}  // namespace npukit::tools
