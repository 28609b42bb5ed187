// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/delegation.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/placement/delegate_selector.h"
#include "sdk/host/placement/delegate_specs.h"
#include "sdk/host/placement/delegation_embed.h"

namespace npukit {
namespace {

using Plugins = std::span<const CompilerPlugin* const>;

uint64_t NowNs() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

// Models of some of the bodies, sharing their buffers.
std::unique_ptr<Model> CopyBodies(const Model& bodies, std::span<const size_t> which) {
  auto copy = std::make_unique<Model>(bodies.shared_buffers());
  copy->external_buffers = bodies.external_buffers;
  copy->external_buffer_groups = bodies.external_buffer_groups;
  for (size_t i : which) {
    const Subgraph& from = bodies.subgraph(i);
    Subgraph& to = copy->AddSubgraph();
    CopySubgraphFields(from, to);
    SubgraphCopier copier(from, to);
    for (const auto& tensor : from.tensors()) copier.Get(tensor.get());
    for (const auto& op : from.ops()) copier.CopyOp(*op);
    for (const Tensor* tensor : from.inputs) to.inputs.push_back(copier.Get(tensor));
    for (const Tensor* tensor : from.outputs) to.outputs.push_back(copier.Get(tensor));
  }
  return copy;
}

class Delegator {
 public:
  Delegator(const Model& model, Plugins plugins, const DelegationOptions& options)
      : given_(model),
        model_(&model),
        plugins_(plugins),
        options_(options),
        specs_(plugins, options.placement) {}

  Delegator(const Delegator&) = delete;
  Delegator& operator=(const Delegator&) = delete;

  litert::Expected<void> Prepare() {
    LITERT_RETURN_IF_ERROR(CheckNames());
    LITERT_RETURN_IF_ERROR(ChooseSocs());
    LITERT_RETURN_IF_ERROR(specs_.SetCommon());
    // Each plugin's rewrites, on what those before it left.
    for (const CompilerPlugin* plugin : plugins_) {
      LITERT_ASSIGN_OR_RETURN(auto rewritten, RewriteForPlugin(*model_, *plugin));
      if (rewritten.model == nullptr) continue;
      if (rewritten_.model != nullptr)
        rewritten.origins = Compose(rewritten_.origins, rewritten.origins);
      rewritten_ = std::move(rewritten);
      model_ = rewritten_.model.get();
    }
    selector_.emplace(plugins_, socs_);
    const auto& rules = options_.placement.rules;
    const bool by_partition = std::any_of(
        rules.begin(), rules.end(), [](const auto& rule) { return !rule.partitions.empty(); });
    const auto& specs = options_.placement.specs;
    const bool specs_by_partition = std::any_of(
        specs.begin(), specs.end(), [](const auto& spec) { return spec.partition.has_value(); });
    std::vector<std::set<std::string>> free_partitions;
    if (by_partition) {
      LITERT_RETURN_IF_ERROR(Partition());
      free_partitions = KeysOfPartitions();
      for (const PlacementRule& rule : rules)
        LITERT_RETURN_IF_ERROR(CheckNumbers(rule.partitions, rule.where, free_partitions.size()));
    }
    selector_->SetPlacement(&options_.placement, std::move(free_partitions));
    selector_->SetOneOpPerPartition(options_.one_op_per_partition);
    LITERT_RETURN_IF_ERROR(Partition());
    LITERT_RETURN_IF_ERROR(KeepLargest());
    if (specs_by_partition) {
      for (const CompileSpecRequest& request : specs) {
        if (!request.partition) continue;
        LITERT_RETURN_IF_ERROR(
            CheckNumbers({*request.partition}, request.where, partitioned_->partitions.size()));
      }
      specs_.SetPartitions(KeysOfPartitions());
    }
    return {};
  }

  litert::Expected<DelegationPlan> TakePlan() {
    std::vector<size_t> owners;
    for (const auto& partition : partitioned_->partitions) owners.push_back(PluginOf(partition));
    return DelegationPlan{.partitioned = std::move(*partitioned_),
                          .plugin_of_partition = std::move(owners),
                          .warnings = selector_->UnmatchedRules()};
  }

  litert::Expected<Delegation> Run(uint64_t begin_ns) {
    const uint64_t partitioned_ns = NowNs();
    LITERT_RETURN_IF_ERROR(CompileAll());
    const uint64_t compiled_ns = NowNs();
    for (size_t p = 0; p < plugins_.size(); ++p) {
      Delegation::Share& share = result_.shares[p];
      share.manufacturer = plugins_[p]->manufacturer();
      share.path = plugins_[p]->path();
      share.soc_model = socs_[p];
    }
    result_.constants = ReportConstants(*model_, *partitioned_);
    LITERT_RETURN_IF_ERROR(EmbedShares(given_,
                                       rewritten_.model == nullptr ? nullptr : &rewritten_.origins,
                                       std::move(*partitioned_), std::move(compiled_), result_));
    result_.warnings = selector_->UnmatchedRules();
    result_.applied.times = {.partition_ns = partitioned_ns - begin_ns,
                             .compile_ns = compiled_ns - partitioned_ns,
                             .embed_ns = NowNs() - compiled_ns};
    return std::move(result_);
  }

 private:
  // -- What is asked for makes sense

  bool IsThere(const std::string& name) const {
    return name.empty() || std::any_of(plugins_.begin(), plugins_.end(), [&](const auto* plugin) {
             return IsSameName(plugin->manufacturer(), name);
           });
  }

  litert::Expected<void> CheckNames() const {
    const auto missing = [&](const std::string& where, const std::string& name) {
      std::string list;
      for (const auto* plugin : plugins_) list += " " + plugin->manufacturer();
      return litert::Unexpected(
          kLiteRtStatusErrorNotFound,
          where + ": no plugin \"" + name + "\" takes part: expected one of" + list);
    };
    for (const PlacementRule& rule : options_.placement.rules) {
      if (!IsThere(rule.plugin)) return missing(rule.where, rule.plugin);
    }
    for (const CompileSpecRequest& spec : options_.placement.specs) {
      if (!IsThere(spec.plugin)) return missing(spec.where, spec.plugin);
    }
    return {};
  }

  static litert::Expected<void> CheckNumbers(const std::vector<size_t>& numbers,
                                             const std::string& where, size_t count) {
    for (size_t number : numbers) {
      if (number < count) continue;
      return litert::Unexpected(kLiteRtStatusErrorIndexOOB,
                                where + ": no partition " + std::to_string(number) +
                                    ": there are " + std::to_string(count));
    }
    return {};
  }

  litert::Expected<void> ChooseSocs() {
    bool listed = options_.soc_model.empty();
    for (const CompilerPlugin* plugin : plugins_) {
      const auto& known = plugin->soc_models();
      const bool takes = plugins_.size() == 1 ||
                         std::find(known.begin(), known.end(), options_.soc_model) != known.end();
      listed = listed || takes;
      socs_.push_back(takes ? options_.soc_model : "");
      LITERT_RETURN_IF_ERROR(plugin->CheckCompatibility(socs_.back()));
    }
    if (listed) return {};
    return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                              "no plugin has a SoC model \"" + options_.soc_model + "\"");
  }

  // -- Partitions

  litert::Expected<void> Partition() {
    const RecordSelector select = [&](Subgraph& subgraph,
                                      std::span<const OpPlacementRecord* const> records) {
      return selector_->Select(subgraph, records);
    };
    std::string names;
    for (const auto* plugin : plugins_)
      names += (names.empty() ? "" : ", ") + plugin->manufacturer();
    auto partitioned = PartitionModel(
        *model_, select,
        {.default_reason = "not selected by " + names, .keep_whole = options_.keep_whole});
    if (!partitioned) return litert::Unexpected(partitioned.Error());
    partitioned_ = std::move(*partitioned);
    for (const auto& partition : partitioned_->partitions) {
      for (uint32_t op : partition.ops)
        partitioned_->records[op].plugin = plugins_[PluginOf(partition)]->manufacturer();
    }
    return {};
  }

  // Leaves the ops of partitions beyond the number that is allowed on the CPU, the smallest first.
  litert::Expected<void> KeepLargest() {
    const size_t most = options_.placement.max_partitions;
    while (most != 0) {
      const auto beyond = BeyondLargest(partitioned_->partitions, most);
      if (beyond.empty()) break;
      for (size_t i : beyond) {
        for (const std::string& key : KeysOf(i))
          selector_->excluded[key] = "selected, but beyond the largest " + std::to_string(most) +
                                     " partitions (max_partitions)";
      }
      LITERT_RETURN_IF_ERROR(Partition());
    }
    return {};
  }

  size_t PluginOf(const PartitionedModel::Partition& partition) const {
    return selector_->PluginOf(partition, partitioned_->records);
  }

  std::vector<std::string> KeysOf(size_t partition) const {
    std::vector<std::string> keys;
    for (uint32_t op : partitioned_->partitions[partition].ops)
      keys.push_back(OpKey(partitioned_->records[op]));
    return keys;
  }

  std::vector<std::set<std::string>> KeysOfPartitions() const {
    std::vector<std::set<std::string>> sets;
    for (size_t i = 0; i < partitioned_->partitions.size(); ++i) {
      const auto keys = KeysOf(i);
      sets.emplace_back(keys.begin(), keys.end());
    }
    return sets;
  }

  std::vector<size_t> PartitionsOf(size_t plugin) const {
    std::vector<size_t> which;
    for (size_t i = 0; i < partitioned_->partitions.size(); ++i) {
      if (PluginOf(partitioned_->partitions[i]) == plugin) which.push_back(i);
    }
    return which;
  }

  // -- Compiling

  litert::Expected<CompiledShare> Compile(size_t p, std::vector<size_t> which) {
    const CompilerPlugin& plugin = *plugins_[p];
    CompiledShare compiled{.plugin = p, .partitions = std::move(which)};
    for (size_t i = 0; i < compiled.partitions.size(); ++i) {
      compiled.specs.push_back(specs_.Of(p, KeysOf(compiled.partitions[i])));
      if (!compiled.specs.back().empty())
        LITERT_RETURN_IF_ERROR(plugin.SetCompileSpecs(i, compiled.specs.back()));
    }
    const bool all = compiled.partitions.size() == partitioned_->partitions.size();
    const auto some = all ? nullptr : CopyBodies(*partitioned_->bodies, compiled.partitions);
    auto result = plugin.Compile(socs_[p], all ? *partitioned_->bodies : *some);
    for (size_t i = 0; i < compiled.partitions.size(); ++i) {
      if (!compiled.specs[i].empty()) LITERT_RETURN_IF_ERROR(plugin.SetCompileSpecs(i, {}));
    }
    if (!result) return litert::Unexpected(result.Error());
    compiled.result = std::move(*result);
    return compiled;
  }

  // Everything, anew whenever a failure changed the partitions.
  litert::Expected<void> CompileAll() {
    result_.shares.resize(plugins_.size());
    LITERT_RETURN_IF_ERROR(specs_.CheckAllAreKnown());
    for (bool again = true; again;) {
      again = false;
      compiled_.clear();
      for (size_t p = 0; p < plugins_.size() && !again; ++p) {
        const std::vector<size_t> which = PartitionsOf(p);
        if (which.empty()) continue;
        const uint64_t begin_ns = NowNs();
        auto compiled = Compile(p, which);
        result_.shares[p].compile_ns += NowNs() - begin_ns;
        if (compiled) {
          compiled_.push_back(std::move(*compiled));
          continue;
        }
        const std::string message =
            compiled.Error().Message() + "; compiled were " + ListPartitions(*partitioned_, which);
        if (options_.on_compile_failure == OnCompileFailure::kFail)
          return litert::Unexpected(compiled.Error().Status(), message);
        LITERT_RETURN_IF_ERROR(FindCulprits(p, compiled.Error()));
        LITERT_RETURN_IF_ERROR(KeepLargest());
        again = true;
      }
    }
    return {};
  }

  // Cuts the plugin's partitions until each either compiles or is a single op, which is excluded.
  // Then the cuts are forgotten, unless the rest does not compile without them.
  litert::Expected<void> FindCulprits(size_t p, const litert::Error& error) {
    Delegation::Failure failure{.plugin = plugins_[p]->manufacturer(), .message = error.Message()};
    bool changed = !selector_->split.empty();  // what compiled in pieces did not as a whole
    for (bool cut = true; cut;) {
      cut = false;
      for (size_t partition : PartitionsOf(p)) {
        const std::vector<std::string> keys = KeysOf(partition);
        if (proven_.contains(keys)) continue;
        auto alone = Compile(p, {partition});
        if (alone) {
          proven_.insert(keys);
          continue;
        }
        cut = changed = true;
        if (partitioned_->partitions[partition].is_npu_call) {
          return litert::Unexpected(alone.Error().Status(),
                                    alone.Error().Message() +
                                        "; an odml.npu_call can't be left on the CPU: " +
                                        ListPartitions(*partitioned_, std::span(&partition, 1)));
        }
        if (keys.size() == 1) {
          const uint32_t op = partitioned_->partitions[partition].ops.front();
          failure.culprits.push_back(OpText(partitioned_->records[op]));
          selector_->excluded[keys.front()] =
              "selected, but compiling it failed: " + alone.Error().Message();
        } else {
          ++last_split_;
          for (size_t i = keys.size() / 2; i < keys.size(); ++i)
            selector_->split[keys[i]] = last_split_;
        }
      }
      if (cut) LITERT_RETURN_IF_ERROR(Partition());
    }
    if (!changed || failure.culprits.empty()) {
      if (tried_whole_.contains(p) || !changed) {
        return litert::Unexpected(
            error.Status(), error.Message() + "; each partition compiles alone, but not " +
                                "together: " + ListPartitions(*partitioned_, PartitionsOf(p)));
      }
    }
    if (!failure.culprits.empty()) {
      selector_->split.clear();
      LITERT_RETURN_IF_ERROR(Partition());
    } else {
      tried_whole_.insert(p);  // the cuts stay
    }
    result_.failures.push_back(std::move(failure));
    return {};
  }

  const Model& given_;
  const Model* model_;        // after the plugins' rewrites
  RewrittenModel rewritten_;  // null if there were none
  Plugins plugins_;
  const DelegationOptions& options_;
  std::vector<std::string> socs_;
  std::optional<DelegateSelector> selector_;
  std::optional<PartitionedModel> partitioned_;
  DelegateSpecs specs_;
  std::vector<CompiledShare> compiled_;
  std::set<std::vector<std::string>> proven_;  // partitions that compile alone
  std::set<size_t> tried_whole_;
  uint32_t last_split_ = 0;
  Delegation result_;
};

}  // namespace

litert::Expected<DelegationPlan> PlanDelegation(const Model& model, Plugins plugins,
                                                const DelegationOptions& options) {
  Delegator delegator(model, plugins, options);
  LITERT_RETURN_IF_ERROR(delegator.Prepare());
  return delegator.TakePlan();
}

litert::Expected<Delegation> ApplyPlugins(const Model& model, Plugins plugins,
                                          const DelegationOptions& options) {
  const uint64_t begin_ns = NowNs();
  Delegator delegator(model, plugins, options);
  LITERT_RETURN_IF_ERROR(delegator.Prepare());
  return delegator.Run(begin_ns);
}

}  // namespace npukit
