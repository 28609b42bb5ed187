// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A subgraph that an op calls, with a memory of its own.

#ifndef NPUKIT_SDK_HOST_RUNTIME_CONTROL_SUBGRAPH_CALL_H_
#define NPUKIT_SDK_HOST_RUNTIME_CONTROL_SUBGRAPH_CALL_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/node.h"
#include "sdk/host/runtime/execution/graph_context.h"
#include "sdk/host/runtime/execution/graph_runner.h"
#include "sdk/host/runtime/execution/owned_values.h"

namespace npukit {

class SubgraphCall {
 public:
  // Plans subgraph `index` of the model for inputs like `arguments`, none of which is omitted.
  // `role` names it in errors: "body". Errors: there is no such subgraph, it has other inputs than
  // arguments or not `num_outputs` outputs, types of inputs that it uses differ, what planning gives; too many graphs.
  static litert::Expected<std::unique_ptr<SubgraphCall>> Create(
      const GraphContext& context, const kernels::Node& node, int64_t index, std::string_view role,
      std::span<const kernels::Operand* const> arguments, size_t num_outputs);
  ~SubgraphCall();
  SubgraphCall(const SubgraphCall&) = delete;
  SubgraphCall& operator=(const SubgraphCall&) = delete;

  const GraphRunner& graph() const { return *graph_; }
  // An error that names op and role.
  litert::Unexpected Failed(const litert::Error& error) const;
  // Runs with these. Allocates nothing if all shapes are static and as they were.
  litert::Expected<void> Run(std::span<const PassedValue> arguments);
  // After a run.
  PassedValue output(size_t index) const;

 private:
  SubgraphCall(const GraphContext& context, std::string name)
      : context_(context), name_(std::move(name)) {}

  GraphContext context_;
  std::string name_;  // "WHILE (op 3): body"
  std::unique_ptr<GraphRunner> graph_;
  std::vector<std::span<const int32_t>> shapes_;  // of a call's arguments
  std::vector<bool> is_passed_;                   // not those of another type, which nothing reads
};

// The output types of what is called are those of the op. An error names the op and the output.
litert::Expected<void> CheckOutputTypes(const kernels::Node& node, const SubgraphCall& call);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_CONTROL_SUBGRAPH_CALL_H_
