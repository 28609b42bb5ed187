// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/language/language_stand.h"

#include <algorithm>
#include <utility>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/compare_output.h"
#include "conformance/runner/checks/host_run.h"
#include "conformance/runner/process/stage.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit::conformance {
namespace {

// Whether one of the positions in [first, last) lies before, at or behind a power of two.
bool AnyNearPowerOfTwo(int32_t first, int32_t last) {
  for (int32_t power = 1; power <= last; power *= 2) {
    if (first <= power + 1 && power - 1 < last) return true;
  }
  return false;
}

}  // namespace

litert::Expected<LanguageStand> LanguageStand::Build(Workbench& bench) {
  LanguageStand stand(bench);
  LITERT_ASSIGN_OR_RETURN(const Model* model, bench.model());
  LITERT_ASSIGN_OR_RETURN(stand.caches_, CacheNames(*model));
  LITERT_ASSIGN_OR_RETURN(stand.context_, ContextOf(*model));
  stand.signatures_ = SignaturesByLength(*model);
  stand.judges_values_ = std::none_of(
      model->signatures.begin(), model->signatures.end(),
      [&](const auto& signature) { return AnyRoundsOnce(bench.claims(), *signature->subgraph); });
  LITERT_RETURN_IF_ERROR(
      Witness::Get().ObserveStatus("compiled model", [&]() -> litert::Expected<void> {
        if (bench.under_test().isolate) {
          LITERT_ASSIGN_OR_RETURN(stand.compiled_, CompileInWorker(bench, *model, Cut::kAsUsers));
        }
        if (!stand.compiled_.empty()) return {};
        SetStage("loading the compiler plugin");
        LITERT_ASSIGN_OR_RETURN(const LoadedPlugin plugin,
                                LoadedPlugin::Load(bench.under_test().plugin_path));
        LITERT_ASSIGN_OR_RETURN(
            stand.compiled_,
            CompileToFile(*model, plugin, ApplyOptionsFor(bench.under_test(), Cut::kAsUsers)));
        return {};
      }));
  return stand;
}

TokenStep LanguageStand::Step(int32_t length, int32_t position, int32_t speaker) const {
  constexpr int32_t kTokens = 100;  // less than any vocabulary of the suite
  TokenStep step{signatures_.at(length), {}, position};
  for (int32_t i = 0; i < length; ++i) {
    const int32_t token = (7 + 31 * (speaker + position) + 13 * i) % kTokens;
    step.tokens.push_back((token + kTokens) % kTokens);
  }
  return step;
}

Script LanguageStand::Usual(int32_t speaker) const {
  Script script;
  int32_t position = 0;
  if (has_prefill()) {
    const int32_t length = shortest_prefill();
    script.push_back(Step(length, 0, speaker));
    // Fewer tokens than the signature takes. What its padding wrote behind them is overwritten from
    // there on.
    TokenStep half = Step(length, length, speaker);
    half.tokens.resize(static_cast<size_t>(length / 2));
    script.push_back(half);
    position = length + length / 2;
  }
  constexpr int kSingleTokens = 4;
  for (int i = 0; i < kSingleTokens; ++i) script.push_back(Step(1, position++, speaker));
  return script;
}

Script LanguageStand::WholeContext() const {
  const int32_t chunk = has_prefill() ? shortest_prefill() : 1;
  Script script;
  for (int32_t position = 0; position < context_;) {
    const bool is_chunk =
        position + chunk < context_ && !AnyNearPowerOfTwo(position, position + chunk);
    script.push_back(Step(is_chunk ? chunk : 1, position));
    position += is_chunk ? chunk : 1;
  }
  constexpr int32_t kOther = 4;
  for (int32_t i = 0; i < chunk / 2; ++i) script.push_back(Step(1, i, kOther));
  for (int32_t position = chunk / 2; position + chunk <= context_; position += chunk)
    script.push_back(Step(chunk, position, kOther));
  return script;
}

litert::Expected<ObservedSteps> LanguageStand::TakeAll(Session& session, const Script& script,
                                                       const NpuRun& run) const {
  Conversation conversation(session, caches_, run.shared);
  LITERT_RETURN_IF_ERROR(conversation.FillCaches(run.fill));
  ObservedSteps steps;
  for (const TokenStep& step : script) {
    LITERT_ASSIGN_OR_RETURN(steps.emplace_back(), conversation.Take(step));
  }
  return steps;
}

litert::Expected<StepJudge> LanguageStand::OpenJudge(int32_t fill) const {
  LITERT_ASSIGN_OR_RETURN(const Model* model, bench_->model());
  return StepJudge::Open(
      *model, {.caches = caches_, .context = context_, .fill = fill, .values = judges_values_});
}

litert::Expected<std::unique_ptr<Session>> LanguageStand::Open(
    const std::vector<std::string>& shared) const {
  SetStage("loading the compiled model");
  LITERT_ASSIGN_OR_RETURN(auto model, ParseModel(SharedBytes::Copy(compiled_)));
  SessionOptions options = SessionOptionsFor(bench_->under_test());
  options.shared_ports = shared;
  return Session::Create(std::move(model), std::move(options));
}

litert::Expected<ObservedSteps> LanguageStand::OnNpu(const Script& script,
                                                     const NpuRun& run) const {
  return Witness::Get().Observe<ObservedSteps>(
      "conversation", [&]() -> litert::Expected<ObservedSteps> {
        LITERT_ASSIGN_OR_RETURN(const auto session, Open(run.shared));
        SetStage("running the model");
        LITERT_ASSIGN_OR_RETURN(ObservedSteps steps, TakeAll(*session, script, run));
        SetStage("after running the model");
        LITERT_RETURN_IF_ERROR(session->Close());
        return steps;
      });
}

litert::Expected<std::vector<ObservedSteps>> LanguageStand::InTurn(
    const std::vector<Script>& scripts) const {
  using Observed = std::vector<ObservedSteps>;
  return Witness::Get().Observe<Observed>("conversations", [&]() -> litert::Expected<Observed> {
    std::vector<std::unique_ptr<Session>> sessions;
    std::vector<Conversation> conversations;
    for (size_t i = 0; i < scripts.size(); ++i) {
      LITERT_ASSIGN_OR_RETURN(sessions.emplace_back(), Open({}));
      conversations.emplace_back(*sessions.back(), caches_);
      LITERT_RETURN_IF_ERROR(conversations.back().FillCaches(0));
    }
    SetStage("running the model");
    Observed observed(scripts.size());
    for (size_t step = 0; step < scripts.front().size(); ++step) {
      for (size_t i = 0; i < scripts.size(); ++i) {
        LITERT_ASSIGN_OR_RETURN(observed[i].emplace_back(),
                                conversations[i].Take(scripts[i][step]));
      }
    }
    SetStage("after running the model");
    for (const auto& session : sessions) LITERT_RETURN_IF_ERROR(session->Close());
    return observed;
  });
}

litert::Expected<std::vector<uint64_t>> LanguageStand::DispatchOps() const {
  using Counts = std::vector<uint64_t>;
  return Witness::Get().Observe<Counts>("dispatch ops", [&]() -> litert::Expected<Counts> {
    LITERT_ASSIGN_OR_RETURN(const auto session, Open({}));
    Counts counts;
    for (const auto& [length, key] : signatures_) {
      LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner(key));
      const auto steps = runner->steps();
      counts.push_back(
          static_cast<uint64_t>(std::count_if(steps.begin(), steps.end(), [](const StepInfo& step) {
            return step.source->is_dispatch();
          })));
    }
    LITERT_RETURN_IF_ERROR(session->Close());
    return counts;
  });
}

}  // namespace npukit::conformance
