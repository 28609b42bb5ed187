// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/plugin_name.h"
#include "sdk/host/model/graph/model_verifier.h"
#include "sdk/host/partition/copy.h"

namespace npukit {
namespace {

// Null if there is none of that name.
const LoadedPlugin* PluginNamed(Plugins plugins, const std::string& name) {
  for (const LoadedPlugin* plugin : plugins) {
    if (MeansPlugin(plugin->manufacturer(), plugin->path(), name)) return plugin;
  }
  return nullptr;
}
bool TakesPart(Plugins plugins, const std::string& name) {
  return name.empty() || PluginNamed(plugins, name) != nullptr;
}

litert::Unexpected NoSuchPlugin(Plugins plugins, const std::string& where,
                                const std::string& name) {
  std::string list;
  for (const auto* plugin : plugins) list += " " + plugin->manufacturer();
  return litert::Unexpected(
      kLiteRtStatusErrorNotFound,
      fmt::format("{}: no plugin \"{}\" takes part: expected one of{}", where, name, list));
}

// Each rewrite is checked by itself as it is made; this is of what they made together.
litert::Expected<void> VerifyRewritten(const Model& model, const std::string& by) {
  auto verified = VerifyModel(model);
  if (verified) return {};
  return litert::Unexpected(
      kLiteRtStatusErrorGraphModification,
      fmt::format("{}: the model that it rewrote is wrong: {}", by, verified.Error().Message()));
}

}  // namespace

litert::Expected<RewrittenModel> RewriteForPlugins(const Model& model, Plugins plugins,
                                                   ModelRewrite before_plugins) {
  RewrittenModel result;
  if (before_plugins != nullptr) {
    std::unique_ptr<Model> copy = CopyModel(model);
    LITERT_ASSIGN_OR_RETURN(RewriteCount count, before_plugins(*copy));
    if (count.applied != 0) {
      UpdateOperatorCodes(*copy);
      result.origins = std::move(count.origins);
      result.model = std::move(copy);
    }
  }
  for (const LoadedPlugin* plugin : plugins) {
    if (plugin->transformations().empty()) continue;
    std::unique_ptr<Model> copy = CopyModel(result.model != nullptr ? *result.model : model);
    LITERT_ASSIGN_OR_RETURN(RewriteCount count, plugin->Rewrite(copy));
    if (count.limit_reached) {
      result.warnings.push_back(fmt::format(
          "{}: a subgraph was rewritten {} times and left so: transformations that undo "
          "each other?",
          plugin->Describe(), kMaxRewritesPerSubgraph));
    }
    // Nothing was done: the copy goes, so that a model that nobody rewrites stays the given one.
    if (count.applied == 0) continue;
    UpdateOperatorCodes(*copy);
    LITERT_RETURN_IF_ERROR(VerifyRewritten(*copy, plugin->Describe()));
    result.origins =
        result.model != nullptr ? Compose(result.origins, count.origins) : std::move(count.origins);
    result.model = std::move(copy);
  }
  return result;
}

std::vector<AskedPlugin> AskedPlugins(Plugins plugins, std::span<const std::string> soc_models) {
  std::vector<AskedPlugin> asked;
  for (size_t p = 0; p < plugins.size(); ++p) {
    asked.push_back({.manufacturer = plugins[p]->manufacturer(),
                     .description = plugins[p]->Describe(),
                     .select = [plugin = plugins[p], &soc = soc_models[p]](Subgraph& subgraph) {
                       return plugin->Partition(soc, subgraph);
                     }});
  }
  return asked;
}

// -- Attempts

std::vector<OpId> Attempt::OpsOf(size_t partition) const {
  std::vector<OpId> ids;
  for (uint32_t op : partitioned.partitions[partition].ops) ids.push_back(partitioned.ops[op].id);
  return ids;
}

std::vector<std::set<OpId>> Attempt::OpsOfPartitions() const {
  std::vector<std::set<OpId>> sets;
  for (size_t i = 0; i < partitioned.partitions.size(); ++i) {
    const std::vector<OpId> ids = OpsOf(i);
    sets.emplace_back(ids.begin(), ids.end());
  }
  return sets;
}

std::vector<size_t> Attempt::PartitionsOf(size_t plugin) const {
  std::vector<size_t> which;
  for (size_t i = 0; i < partitioned.partitions.size(); ++i) {
    if (partitioned.partitions[i].plugin == plugin) which.push_back(i);
  }
  return which;
}

litert::Expected<Attempt> Preparation::Try(const Exclusions& exclusions) {
  LITERT_ASSIGN_OR_RETURN(
      const PlacedModel placed,
      PlaceModel(model(), *numbering_, *questions_, rules_, exclusions, options_.keep_whole));
  LITERT_ASSIGN_OR_RETURN(PartitionedModel partitioned,
                          PartitionModel(placed.unfolded, placed.placement));
  return Attempt{.partitioned = std::move(partitioned), .rule_matched = placed.rule_matched};
}

litert::Expected<Attempt> Preparation::TryWithinLimit(Exclusions& exclusions) {
  const size_t most = options_.placement.max_partitions;
  exclusions.beyond_limit.clear();
  while (true) {
    LITERT_ASSIGN_OR_RETURN(Attempt attempt, Try(exclusions));
    if (most == 0) return attempt;
    const auto beyond = BeyondLargest(attempt.partitioned.partitions, most);
    // Ops that are taken away may join or part others, and composites that now stay on the CPU show
    // new ops: so it is counted anew. Each turn excludes at least one op more, which ends it.
    if (beyond.empty()) return attempt;
    for (size_t partition : beyond) {
      for (const OpId& op : attempt.OpsOf(partition)) {
        exclusions.beyond_limit[op] =
            fmt::format("selected, but beyond the largest {} partitions (max_partitions)", most);
      }
    }
  }
}

std::vector<std::string> Preparation::Warnings(const Attempt& attempt) const {
  std::vector<std::string> warnings = rewritten_.warnings;
  for (size_t r = 0; r < rules_.rules.size(); ++r) {
    if (!attempt.rule_matched[r])
      warnings.push_back(fmt::format("{}: matches no op", rules_.rules[r].where));
  }
  return warnings;
}

std::vector<size_t> BeyondLargest(std::span<const PartitionedModel::Partition> partitions,
                                  size_t most) {
  std::vector<size_t> by_size;
  for (size_t i = 0; i < partitions.size(); ++i) {
    if (!partitions[i].is_npu_call) by_size.push_back(i);
  }
  std::stable_sort(by_size.begin(), by_size.end(), [&](size_t a, size_t b) {
    return partitions[a].ops.size() > partitions[b].ops.size();
  });
  by_size.erase(by_size.begin(),
                by_size.begin() + static_cast<ptrdiff_t>(std::min(most, by_size.size())));
  return by_size;
}

// -- What is asked for makes sense

Preparation::Preparation(const Model& given, Plugins plugins, const ApplyOptions& options)
    : given_(given),
      plugins_(plugins),
      options_(options),
      specs_(plugins, options.placement, options.just_in_time) {}

litert::Expected<std::unique_ptr<Preparation>> Preparation::Make(const Model& given,
                                                                 Plugins plugins,
                                                                 const ApplyOptions& options) {
  std::unique_ptr<Preparation> made(new Preparation(given, plugins, options));
  LITERT_RETURN_IF_ERROR(made->CheckNames());
  LITERT_RETURN_IF_ERROR(made->ChooseSocs());
  LITERT_RETURN_IF_ERROR(made->specs_.SetCommon(made->soc_models_));
  LITERT_ASSIGN_OR_RETURN(made->rewritten_,
                          RewriteForPlugins(given, plugins, options.before_plugins));
  // After rewriting: ids are those of the model that is partitioned.
  made->numbering_ = std::make_unique<OpNumbering>(made->model());
  made->questions_ = std::make_unique<SelectionQuestions>(AskedPlugins(plugins, made->soc_models_));
  LITERT_RETURN_IF_ERROR(made->NumberPartitions());
  return made;
}

litert::Expected<void> Preparation::CheckNames() const {
  for (const PlacementRule& rule : options_.placement.rules) {
    if (!TakesPart(plugins_, rule.plugin)) return NoSuchPlugin(plugins_, rule.where, rule.plugin);
  }
  for (const CompileSpecRequest& spec : options_.placement.specs) {
    if (!TakesPart(plugins_, spec.plugin)) return NoSuchPlugin(plugins_, spec.where, spec.plugin);
  }
  return {};
}

litert::Expected<void> Preparation::ChooseSocs() {
  bool is_listed = options_.soc_model.empty();
  for (const LoadedPlugin* plugin : plugins_) {
    soc_models_.push_back(SocModelFor(*plugin, plugins_.size(), options_.soc_model));
    is_listed = is_listed || !soc_models_.back().empty();
    LITERT_RETURN_IF_ERROR(plugin->CheckCompatibility(soc_models_.back()));
  }
  if (is_listed) return {};
  return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                            fmt::format("no plugin has a SoC model \"{}\"", options_.soc_model));
}

// Rules by partition mean the partitions that there would be without any rule.
litert::Expected<void> Preparation::NumberPartitions() {
  rules_.plugins = questions_->manufacturers();
  const auto& rules = options_.placement.rules;
  if (std::any_of(rules.begin(), rules.end(),
                  [](const auto& rule) { return !rule.partitions.empty(); })) {
    LITERT_ASSIGN_OR_RETURN(const Attempt free, Try({}));
    rules_.partitions = free.OpsOfPartitions();
    for (const PlacementRule& rule : rules) {
      for (size_t number : rule.partitions) {
        LITERT_RETURN_IF_ERROR(CheckPartitionNumber(number, rule.where, rules_.partitions.size()));
      }
    }
  }
  rules_.rules = rules;
  for (PlacementRule& rule : rules_.rules) {
    if (!rule.plugin.empty()) rule.plugin = PluginNamed(plugins_, rule.plugin)->manufacturer();
  }
  rules_.otherwise_cpu = options_.placement.otherwise_cpu;
  rules_.one_op_per_partition = options_.one_op_per_partition;
  return {};
}

}  // namespace npukit
