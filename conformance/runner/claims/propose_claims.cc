// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/claims/propose_claims.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/runner/checks/workbench.h"
#include "conformance/runner/process/child_pool.h"
#include "conformance/spec/claims/claim_draft.h"
#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/json_text.h"

namespace npukit::conformance {
namespace {

using Json = nlohmann::ordered_json;

Json ToJson(const OpObservation& observed) {
  std::vector<int> inputs;
  for (const auto kind : observed.inputs) inputs.push_back(static_cast<int>(kind));
  return Json::array({observed.op, observed.types, observed.min_rank, observed.max_rank,
                      observed.max_dim, observed.max_elems, observed.broadcast,
                      observed.per_channel, inputs, observed.options, observed.taken});
}

// What a worker has reported of a case, which vendor code may have written over.
struct CaseObservation {
  std::vector<std::string> socs;
  std::vector<OpObservation> ops;
};

// Throws where a member is missing or of another type.
OpObservation FromJson(const Json& json, const std::string& where) {
  OpObservation observed;
  observed.op = json.at(0);
  observed.types = json.at(1);
  observed.min_rank = json.at(2);
  observed.max_rank = json.at(3);
  observed.max_dim = json.at(4);
  observed.max_elems = json.at(5);
  observed.broadcast = json.at(6);
  observed.per_channel = json.at(7);
  for (int kind : json.at(8).get<std::vector<int>>())
    observed.inputs.push_back(static_cast<OpObservation::InputKind>(kind));
  observed.options = json.at(9).get<std::map<std::string, std::string>>();
  observed.taken = json.at(10);
  observed.where = where;
  return observed;
}

// Nothing if it is no such report.
std::optional<CaseObservation> ReadReport(const std::string& report, const std::string& where) {
  try {
    const Json json = tools::ParseJson(report);
    CaseObservation observed{.socs = json.at("socs").get<std::vector<std::string>>(), .ops = {}};
    for (const Json& op : json.at("ops")) observed.ops.push_back(FromJson(op, where));
    return observed;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

// In the worker: every op that the plugin is asked about, on every SoC together; on the plugin's own
// choice where it lists none. An op counts as taken if it is taken on all.
litert::Expected<Json> ObserveCase(const PluginUnderTest& under_test, const CaseSpec& spec) {
  Workbench bench(under_test, spec);
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> socs, plugin->SocModels());
  LITERT_ASSIGN_OR_RETURN(const std::vector<JudgedOp> judged, bench.judged_ops());
  std::vector<const char*> asked;
  for (const std::string& soc : socs) asked.push_back(soc.c_str());
  if (asked.empty()) asked.push_back(nullptr);
  std::map<const Op*, size_t> taken;
  for (const char* soc : asked) {
    for (const auto& subgraph : model->subgraphs()) {
      LITERT_ASSIGN_OR_RETURN(const Selection selection, plugin->Partition(soc, *subgraph));
      std::set<const Op*> once;
      for (const SelectedOp& selected : selection) once.insert(selected.op);
      for (const Op* op : once) ++taken[op];
    }
  }
  Json json = {{"socs", socs}, {"ops", Json::array()}};
  for (const JudgedOp& entry : judged) {
    const Op& op = *entry.op;
    auto dynamic = [](const Tensor* tensor) { return tensor != nullptr && tensor->is_dynamic(); };
    if (std::any_of(op.inputs.begin(), op.inputs.end(), dynamic) ||
        std::any_of(op.outputs.begin(), op.outputs.end(), dynamic)) {
      continue;
    }
    json["ops"].push_back(ToJson(Observe(op, taken[&op] == asked.size(), "")));
  }
  return json;
}

}  // namespace

litert::Expected<Proposal> ProposeClaims(const std::vector<Suite>& suites,
                                         const PluginUnderTest& under_test, int jobs,
                                         DevicePool* devices, std::atomic<bool>& stop) {
  std::vector<const CaseSpec*> cases;
  for (const Suite& suite : suites) {
    for (const CaseSpec& spec : suite.cases) {
      if (spec.has_model()) cases.push_back(&spec);
    }
  }
  Proposal proposal;
  std::vector<std::vector<OpObservation>> observations(cases.size());
  std::vector<std::string> socs;
  auto make_task = [&](size_t index) {
    PoolTask task{[&under_test, spec = cases[index]]() -> std::string {
                    auto json = ObserveCase(under_test, *spec);
                    return json ? tools::JsonText(*json) : std::string();
                  },
                  {}};
    if (devices != nullptr) devices->Equip(task, /*kind=*/"");
    return task;
  };
  auto on_done = [&](size_t index, const ChildOutcome& outcome) {
    std::optional<CaseObservation> observed;
    if (outcome.end == ChildOutcome::End::kReported)
      observed = ReadReport(outcome.report, cases[index]->full_name());
    if (!observed) {
      ++proposal.cases_left_out;
      return;
    }
    ++proposal.cases_asked;
    socs = std::move(observed->socs);
    observations[index] = std::move(observed->ops);
  };
  LITERT_RETURN_IF_ERROR(RunTasks(cases.size(), jobs, make_task, on_done, stop));
  std::vector<OpObservation> all;
  for (auto& list : observations) all.insert(all.end(), list.begin(), list.end());
  proposal.yaml = DraftClaims(under_test.manufacturer, socs, all);
  return proposal;
}

}  // namespace npukit::conformance
