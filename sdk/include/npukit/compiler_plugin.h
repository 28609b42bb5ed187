// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_COMPILER_PLUGIN_H_
#define NPUKIT_COMPILER_PLUGIN_H_

// The base class of a compiler plugin. See npukit/plugin.h.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_builder.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_model.h"
#include "litert/cc/internal/litert_extended_model.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/compile_spec.h"
#include "npukit/internal/compiled_result.h"
#include "npukit/internal/namespace.h"
#include "npukit/support_table.h"

NPUKIT_NAMESPACE_BEGIN

// What a plugin is created with. Both may be null, and outlive the plugin.
struct PluginConfig {
  LiteRtEnvironmentOptions environment_options = nullptr;
  LiteRtOptions options = nullptr;
};

// Collects the ops that Partition selects.
class OpSelection {
 public:
  explicit OpSelection(LiteRtOpList list) : list_(list) {}

  // Ops of different partition indices never land in one partition; those of
  // one index form the largest partitions that the graph allows. An op may be
  // selected once.
  ::litert::Expected<void> Select(const ::litert::Op& op, size_t partition_index = 0) {
    LITERT_RETURN_IF_ERROR(LiteRtPushOp(list_, op.Get(), partition_index));
    ++num_selected_;
    return {};
  }

  size_t num_selected() const { return num_selected_; }

 private:
  LiteRtOpList list_;
  size_t num_selected_ = 0;
};

// A vendor's class derives from this and has, besides its overrides,
//
//   static constexpr const char* kManufacturer = "Contoso";
//   static constexpr const char* kSocModels[] = {"c100", "c200"};
//
// the first SoC model being the default, and a constructor that takes a
// PluginConfig or nothing. Where it has options of its own, as text in TOML, it may
// name the identifier of their payload,
//
//   static constexpr const char* kOptionsIdentifier = "contoso";
//
// and `enable_just_in_time = true` or `false` among them decides IsForJit(). `soc_model` below is always one of kSocModels: the
// boundary puts the default for null and the empty string, selects nothing for
// one that is unknown, and refuses to compile for it.
//
// One thread at a time calls an object. Different objects must not share state
// that is not locked. Exceptions are turned into errors.
class CompilerPlugin {
 public:
  CompilerPlugin() = default;
  CompilerPlugin(const CompilerPlugin&) = delete;
  CompilerPlugin& operator=(const CompilerPlugin&) = delete;
  virtual ~CompilerPlugin() = default;

  // The ops that the plugin takes, as a table that outlives the plugin object's
  // next call; null if it decides in Partition().
  virtual const SupportTable* SupportFor(const std::string& soc_model) {
    (void)soc_model;
    return nullptr;
  }

  // Selects the ops of a subgraph that Compile can handle. Default: those
  // that the support table supports.
  virtual ::litert::Expected<void> Partition(const std::string& soc_model,
                                             const ::litert::Subgraph& subgraph,
                                             OpSelection& selection) {
    const SupportTable* table = SupportFor(soc_model);
    if (table == nullptr) {
      return ::litert::Unexpected(::litert::Status::kErrorUnsupported,
                                  "the plugin overrides neither Partition() nor SupportFor()");
    }
    for (const ::litert::Op& op : subgraph.Ops()) {
      if (!table->Supports(op)) continue;
      LITERT_RETURN_IF_ERROR(selection.Select(op));
    }
    return {};
  }

  // Compiles every subgraph of `partitions`, of which there is at least one,
  // and answers with one call for each, in order.
  virtual ::litert::Expected<CompiledResult> Compile(const std::string& soc_model,
                                                     const ::litert::Model& partitions) = 0;

  // Why Partition() does not select an op, as npukit/extensions/explain.h says; empty if
  // it does. Default: what the support table says.
  virtual std::string Explain(const std::string& soc_model, const ::litert::Subgraph& subgraph,
                              const ::litert::Op& op) {
    (void)subgraph;
    const SupportTable* table = SupportFor(soc_model);
    return table != nullptr ? table->WhyNot(op).value_or("") : "";
  }

  virtual LiteRtHwAccelerators SupportedHardware() const { return kLiteRtHwAcceleratorNpu; }

  // Whether the vendor's compiler is there and fits; the API version and the
  // SoC model have been checked.
  virtual ::litert::Expected<void> CheckCompatibility(const std::string& soc_model) {
    (void)soc_model;
    return {};
  }

  // Whether a compile spec under this key means something to the plugin.
  virtual bool KnowsSpec(const std::string& key) const {
    (void)key;
    return false;
  }

  // Whether the value of a spec that the plugin knows can be used; called when it
  // is set, so that a user hears of a mistake before anything is compiled.
  virtual ::litert::Expected<void> CheckSpec(const std::string& key,
                                             ::litert::internal::Span<const uint8_t> bytes) {
    (void)key;
    (void)bytes;
    return {};
  }

  // The value of a compile spec for a partition: its own, or the one for all
  // partitions. For use in Compile(); with kAllPartitions in the others.
  std::optional<::litert::internal::Span<const uint8_t>> Spec(size_t partition,
                                                              const std::string& key) const {
    const CompileSpec* found = nullptr;
    for (const CompileSpec& spec : specs_) {
      if (spec.key != key) continue;
      if (spec.partition == partition) found = &spec;
      if (spec.partition == kAllPartitions && found == nullptr) found = &spec;
    }
    if (found == nullptr) return std::nullopt;
    return ::litert::internal::Span<const uint8_t>(found->bytes);
  }

  // Whether what is compiled stays in this process, so that executables are of use
  // (CompiledResult::SetExecutable). Not unless somebody asked: the vendor's own
  // options (SetForJit, or kOptionsIdentifier; see npukit/plugin.h), or else a host that
  // knows npukit (NPUKIT_SPEC_ENABLE_JIT).
  bool IsForJit() const {
    if (is_for_jit_) return *is_for_jit_;
    const auto spec = Spec(kAllPartitions, NPUKIT_SPEC_ENABLE_JIT);
    return spec && std::string(spec->begin(), spec->end()) == "true";
  }

  // A rewrite pattern (litert/c/litert_builder.h), in whatever ABI: hosts that call patterns with
  // their functions first are served by the boundary.
  using Pattern = LiteRtStatus (*)(LiteRtBuilder builder, LiteRtOp op);

  // The rest is for the boundary.
  struct Transformation {
    Pattern pattern = nullptr;
    const char* name = nullptr;
    size_t benefit = 0;
  };
  static constexpr size_t kAllPartitions = static_cast<size_t>(-1);
  struct CompileSpec {
    size_t partition = kAllPartitions;
    std::string key;
    std::vector<uint8_t> bytes;
  };
  // Replaces those of `partition`, which all of `specs` are for.
  void SetSpecs(size_t partition, std::vector<CompileSpec> specs) {
    for (CompileSpec& old : specs_) {
      if (old.partition != partition) specs.push_back(std::move(old));
    }
    specs_ = std::move(specs);
  }
  const std::vector<Transformation>& transformations() const { return transformations_; }
  // What hosts were lent of them; they last as long as the plugin.
  std::vector<LiteRtTransformation>& lent_transformations() { return lent_transformations_; }

  void SetForJit(bool is_for_jit) { is_for_jit_ = is_for_jit; }
  // Whether the host that made it calls patterns with its functions first.
  bool patterns_get_context() const { return patterns_get_context_; }
  void SetPatternsGetContext(bool get_context) { patterns_get_context_ = get_context; }

 protected:
  // Registers a rewrite that the host tries before it partitions, the largest
  // benefit first. `name` must outlive the plugin. For use in the constructor.
  void AddTransformation(Pattern pattern, const char* name, size_t benefit) {
    transformations_.push_back(Transformation{pattern, name, benefit});
  }

 private:
  std::vector<CompileSpec> specs_;
  std::optional<bool> is_for_jit_;  // by the vendor's options
  bool patterns_get_context_ = false;
  std::vector<Transformation> transformations_;
  std::vector<LiteRtTransformation> lent_transformations_;
};

NPUKIT_NAMESPACE_END

#endif  // NPUKIT_COMPILER_PLUGIN_H_
