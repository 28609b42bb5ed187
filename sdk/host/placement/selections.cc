// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/selections.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/partition/plain_view.h"

namespace npukit {
namespace {

// An error of the plugin's own names it already.
litert::Unexpected ErrorOf(const AskedPlugin& plugin, size_t subgraph, const litert::Error& error) {
  std::string message = fmt::format("subgraph {}: {}", subgraph, error.Message());
  if (!plugin.description.empty()) message = fmt::format("{}: {}", plugin.description, message);
  return litert::Unexpected(error.Status(), std::move(message));
}

std::string AnswerText(const OpSelection& answer) {
  if (answer.is_selected) return fmt::format("selects, index {}", answer.partition_index);
  return answer.remark.empty() ? "leaves" : fmt::format("leaves: {}", answer.remark);
}

}  // namespace

std::optional<size_t> TakerOf(const std::vector<std::vector<OpSelection>>& answers, size_t op,
                              const Pin& pin) {
  for (size_t p = 0; p < answers.size(); ++p) {
    if (answers[p][op].is_selected && pin.Allows(p)) return p;
  }
  return std::nullopt;
}

std::string ToString(const Selections& selections, const UnfoldedModel& unfolded) {
  std::string text;
  for (size_t s = 0; s < selections.answers.size(); ++s) {
    const auto& answers = selections.answers[s];
    if (answers.empty()) continue;
    for (size_t i = 0; i < unfolded.ops(s).size(); ++i) {
      const UnfoldedOp& op = unfolded.ops(s)[i];
      for (size_t p = 0; p < answers.size(); ++p) {
        if (!answers[p][i].was_shown) continue;
        text += fmt::format("{} {}: {} {}\n", ToString(op.id), OpText(op), selections.plugins[p],
                            AnswerText(answers[p][i]));
      }
    }
  }
  return text;
}

std::vector<std::string> SelectionQuestions::manufacturers() const {
  std::vector<std::string> names;
  for (const AskedPlugin& plugin : plugins_) names.push_back(plugin.manufacturer);
  return names;
}

litert::Expected<std::vector<OpSelection>> SelectionQuestions::AnswerTo(
    const Question& question, UnfoldedModel& unfolded) const {
  const AskedPlugin& plugin = plugins_[question.plugin];
  Subgraph& subgraph = unfolded.model().subgraph(question.subgraph);
  const bool sees_all =
      std::find(question.hidden.begin(), question.hidden.end(), true) == question.hidden.end();
  PlainView view;
  if (!sees_all) view = ViewWithout(subgraph, question.hidden);
  Subgraph& shown = sees_all ? subgraph : *view.subgraph;
  LITERT_ASSIGN_OR_RETURN(const SelectorAnswer said, plugin.select(shown));
  if (auto checked = CheckSelection(unfolded.model(), shown, said.selection); !checked) {
    return ErrorOf(plugin, question.subgraph, checked.Error());
  }
  std::vector<OpSelection> answers(question.ops.size());
  std::unordered_map<const Op*, OpSelection*> answer_of;
  for (const auto& op : shown.ops()) {
    OpSelection& answer = answers[sees_all ? op->index : view.original[op->index]];
    answer.was_shown = true;
    answer_of.emplace(op.get(), &answer);
  }
  for (const SelectedOp& selected : said.selection) {
    OpSelection& answer = *answer_of.at(selected.op);
    answer.is_selected = true;
    answer.partition_index = selected.partition_index;
  }
  for (const SelectorAnswer::Remark& remark : said.remarks) {
    const auto found = answer_of.find(remark.op);
    if (found != answer_of.end()) found->second->remark = remark.text;
  }
  return answers;
}

litert::Expected<Selections> SelectionQuestions::Ask(UnfoldedModel& unfolded,
                                                     const PlacementRules& rules) {
  Selections selections{.plugins = manufacturers(), .answers = {}};
  for (size_t s = 0; s < unfolded.model().subgraphs().size(); ++s) {
    auto& answers = selections.answers.emplace_back();
    if (unfolded.is_decomposition(s)) continue;
    Question question{.plugin = 0, .subgraph = s, .ops = {}, .hidden = {}};
    for (const UnfoldedOp& op : unfolded.ops(s)) {
      question.ops.push_back(op.id);
      question.hidden.push_back(op.was_dispatch);
    }
    for (size_t p = 0; p < plugins_.size(); ++p) {
      question.plugin = p;
      auto known = known_.find(question);
      if (known == known_.end()) {
        LITERT_ASSIGN_OR_RETURN(std::vector<OpSelection> answer, AnswerTo(question, unfolded));
        known = known_.emplace(question, std::move(answer)).first;
      }
      answers.push_back(known->second);
      if (p + 1 == plugins_.size()) break;
      for (size_t i = 0; i < question.ops.size(); ++i) {
        if (answers[p][i].is_selected && rules.PinOf(unfolded.ops(s)[i]).Allows(p))
          question.hidden[i] = true;
      }
    }
  }
  return selections;
}

}  // namespace npukit
