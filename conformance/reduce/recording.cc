// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/reduce/recording.h"

#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"

namespace npukit::conformance {
litert::Expected<Recording> RecordOnCpu(const Model& model, const Subgraph& subgraph,
                                        const std::string& signature, SessionOptions options,
                                        const tools::InputFlags& inputs) {
  options.plugin_dir.clear();
  options.jit = false;
  options.keep_intermediates = true;
  Recording recording;
  auto session = Session::Create(CopyModel(model), std::move(options));
  if (!session) {
    recording.why_not = session.Error().Message();
    return recording;
  }
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, (*session)->Runner(signature));
  LITERT_RETURN_IF_ERROR(inputs.Fill(*runner, (*session)->model()));
  if (auto ran = runner->Run(); !ran) recording.why_not = ran.Error().Message();
  // The session's model is a copy, tensor by tensor.
  size_t number = 0;
  while (&model.subgraph(number) != &subgraph) ++number;
  for (const auto& tensor : (*session)->model().subgraph(number).tensors()) {
    const bool is_input = subgraph.IsInput(subgraph.tensor(tensor->index));
    if (!recording.why_not.empty() && !is_input) continue;
    auto shape = runner->TensorShape(*tensor);
    const std::span<const uint8_t> bytes = runner->TensorBytes(*tensor);
    if (!shape || bytes.empty()) continue;
    recording.values[tensor->index] = {.shape = std::move(*shape),
                                       .bytes = {bytes.begin(), bytes.end()}};
  }
  return recording;
}

litert::Expected<TrialModel> ToTrial(const CutOut& cut, const Recording& recording, uint64_t seed) {
  TrialModel trial;
  const Subgraph& graph = cut.model->main_subgraph();
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    Tensor& input = *graph.inputs[i];
    const auto known = recording.values.find(cut.inputs[i]->index);
    if (known != recording.values.end()) {
      if (input.shape != known->second.shape) {
        input.shape = known->second.shape;
        input.shape_signature.clear();
      }
      trial.inputs.push_back(known->second.bytes);
      continue;
    }
    std::vector<uint8_t> bytes(DenseBytes(input.element_type, input.shape).value_or(0));
    FillRandom(input, seed, i, bytes);
    trial.inputs.push_back(std::move(bytes));
  }
  LITERT_ASSIGN_OR_RETURN(trial.file, SerializeModel(*cut.model));
  return trial;
}

}  // namespace npukit::conformance
