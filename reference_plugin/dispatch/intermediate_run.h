// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The values inside a partition. A module compiled with the spec "npukit.keep_intermediates" has
// for each entry point others, "NAME#intermediates", "NAME#intermediates2" and so on, whose outputs
// besides the first one's are what each layer computed; their names are "HANDLE|TYPE|DIMS" with the
// handle of the first entry point.

#ifndef NPUKIT_REFERENCE_PLUGIN_DISPATCH_INTERMEDIATE_RUN_H_
#define NPUKIT_REFERENCE_PLUGIN_DISPATCH_INTERMEDIATE_RUN_H_

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "npukit/dispatch.h"
#include "reference_plugin/dispatch/driver_handle.h"

namespace acme::dispatch {

class IntermediateRun {
 public:
  // Unsupported: the module was compiled without.
  static litert::Expected<std::unique_ptr<IntermediateRun>> Create(AcmeModule* module, size_t entry,
                                                                   size_t num_inputs,
                                                                   size_t num_outputs);

  litert::Expected<void> Run(npukit::InputViews inputs);
  // Of the last run; NotFound for handles without a value.
  litert::Expected<npukit::Intermediate> Get(uint32_t handle) const;

 private:
  struct Value {
    LiteRtRankedTensorType type = {};
    std::vector<uint8_t> bytes;
  };
  // Of one of those entry points.
  struct Program {
    ContextHandle context;
    std::vector<Value> outputs;
  };
  litert::Expected<void> AddProgram(AcmeModule* module, size_t entry, size_t num_outputs);
  litert::Expected<void> AddOutput(AcmeModule* module, size_t entry, size_t binding, bool is_extra);
  litert::Expected<void> RunProgram(Program& program, npukit::InputViews inputs);

  size_t num_inputs_ = 0;
  std::vector<Program> programs_;
  struct Output {
    size_t program = 0;
    size_t index = 0;
  };
  std::map<uint32_t, Output> output_of_handle_;
};

}  // namespace acme::dispatch

#endif  // NPUKIT_REFERENCE_PLUGIN_DISPATCH_INTERMEDIATE_RUN_H_
