// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/tests/model_cycles.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "reference_plugin/tests/acme_plugin.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "simulator/device/simulation.h"
#include "simulator/isa/sequencer.h"
#include "simulator/module/module.h"

namespace npukit {
namespace {

litert::Unexpected Failure(const acme::Error& error) {
  return litert::Unexpected(litert::Status::kErrorRuntimeFailure, error.Message());
}

litert::Expected<void> AddEntry(const acme::Module& module, const std::string& entry_point,
                                const acme::Hardware& hardware, TimedPrograms programs,
                                ModelCycles& sum) {
  const acme::ModuleEntry* entry = module.FindEntry(entry_point);
  if (entry == nullptr)
    return litert::Unexpected(litert::Status::kErrorRuntimeFailure, "no entry " + entry_point);
  const bool is_own = programs == TimedPrograms::kOwn || entry->variants.empty();
  const auto program = acme::Program::Decode(is_own ? entry->code : entry->variants.front().code);
  if (!program) return Failure(program.Error());
  acme::RunOptions options;
  options.mode = acme::RunMode::kTimeOnly;
  const auto run = acme::RunProgram(*program, hardware, nullptr, options);
  if (!run) return Failure(run.Error());
  const std::vector<uint64_t>& roofline =
      is_own ? entry->roofline_cycles : entry->variants.front().roofline_cycles;
  sum.cycles += run->counters.cycles;
  sum.roofline_cycles += static_cast<int64_t>(*std::max_element(roofline.begin(), roofline.end()));
  sum.macs += static_cast<int64_t>(is_own ? entry->macs : entry->variants.front().macs);
  int64_t copied_bytes = 0;
  for (const acme::ModuleBinding& binding : entry->bindings)
    copied_bytes += binding.initial == 0 ? 0 : static_cast<int64_t>(binding.size_bytes);
  acme::Counters copies;
  acme::CountDriverCopy(copied_bytes, hardware, copies);
  sum.copy_cycles += copies.cycles;
  return {};
}

}  // namespace

litert::Expected<ModelCycles> TimeModel(const Model& model, const std::string& soc,
                                        TimedPrograms programs) {
  const auto hardware = acme::BuiltinHardware(soc);
  if (!hardware) return Failure(hardware.Error());
  LITERT_ASSIGN_OR_RETURN(const PluginChoice choice, ChoosePlugins(kPluginDir, {"AcmeCorp"}));
  LITERT_ASSIGN_OR_RETURN(
      const ApplyResult applied,
      ApplyPlugins(model, std::vector{&choice.plugins.front()}, {.soc_model = soc}));
  const Model& compiled = *applied.model;
  const Subgraph& subgraph = compiled.signatures.empty() ? compiled.main_subgraph()
                                                         : *compiled.signatures.front()->subgraph;
  ModelCycles sum;
  for (const ApplyResult::Partition& partition : applied.partitions) {
    const auto& ops = subgraph.ops();
    if (std::none_of(ops.begin(), ops.end(),
                     [&](const auto& op) { return &*op == partition.dispatch_op; }))
      continue;
    const auto bytes = compiled.buffers().Get(applied.modules[partition.module].buffer).bytes;
    const auto module = acme::ParseModule({bytes.begin(), bytes.end()});
    if (!module) return Failure(module.Error());
    LITERT_RETURN_IF_ERROR(AddEntry(*module, partition.entry_point, *hardware, programs, sum));
  }
  return sum;
}

}  // namespace npukit
