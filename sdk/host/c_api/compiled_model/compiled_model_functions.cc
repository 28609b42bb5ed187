// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The functions of litert_compiled_model.h.

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include "litert/c/internal/litert_logging.h"
#include "litert/c/litert_compiled_model.h"
#include "sdk/host/c_api/compiled_model/compiled_model.h"
#include "sdk/host/model/graph/tensor.h"

namespace {

// Logs an error, keeps it with the model, and gives its status.
template <typename T>
LiteRtStatus Answer(LiteRtCompiledModel compiled_model, const litert::Expected<T>& result) {
  if (result) return kLiteRtStatusOk;
  const std::string& message = result.Error().Message();
  if (!message.empty()) {
    LITERT_LOG(LITERT_ERROR, "%s", message.c_str());
    if (compiled_model != nullptr) compiled_model->Report(message);
  }
  return result.Error().Status();
}

// The same for a run under way.
void KeepErrorOfRun(LiteRtCompiledModel compiled_model, const litert::Error& error) {
  LITERT_LOG(LITERT_ERROR, "%s", error.Message().c_str());
  compiled_model->Report(error.Message());
}

LiteRtStatus Run(LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index,
                 size_t num_input_buffers, LiteRtTensorBuffer* input_buffers,
                 size_t num_output_buffers, LiteRtTensorBuffer* output_buffers,
                 const LiteRtCompiledModelT::RunSettings& settings = {}) {
  if (compiled_model == nullptr || (num_input_buffers > 0 && input_buffers == nullptr) ||
      (num_output_buffers > 0 && output_buffers == nullptr)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  return Answer(compiled_model,
                compiled_model->RunWith(signature_index, {input_buffers, num_input_buffers},
                                        {output_buffers, num_output_buffers}, settings));
}

LiteRtStatus RunAsync(LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index,
                      size_t num_input_buffers, LiteRtTensorBuffer* input_buffers,
                      size_t num_output_buffers, LiteRtTensorBuffer* output_buffers, bool* async,
                      const LiteRtCompiledModelT::RunSettings& settings = {}) {
  if (compiled_model == nullptr || (num_input_buffers > 0 && input_buffers == nullptr) ||
      (num_output_buffers > 0 && output_buffers == nullptr)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  return Answer(compiled_model,
                compiled_model->RunAsync(signature_index, {input_buffers, num_input_buffers},
                                         {output_buffers, num_output_buffers}, settings, async,
                                         KeepErrorOfRun));
}

LiteRtStatus Resize(LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index,
                    LiteRtParamIndex input_index, const int* dims, size_t dims_size, bool strict) {
  if (compiled_model == nullptr || (dims_size > 0 && dims == nullptr)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  return Answer(compiled_model,
                compiled_model->Resize(signature_index, input_index, {dims, dims_size}, strict));
}

LiteRtStatus Requirements(LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index,
                          bool is_input, LiteRtParamIndex index,
                          LiteRtTensorBufferRequirements* requirements) {
  if (compiled_model == nullptr || requirements == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const auto lent = compiled_model->Requirements(signature_index, is_input, index);
  if (lent) *requirements = *lent;
  return Answer(compiled_model, lent);
}

LiteRtStatus SetLayout(LiteRtCompiledModel compiled_model, const npukit::PortInfo& port,
                       LiteRtLayout& layout) {
  const auto known = npukit::LayoutOf("tensor '" + port.name + "'", port.shape);
  if (known) layout = *known;
  return Answer(compiled_model, known);
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtCreateCompiledModel(LiteRtEnvironment environment, LiteRtModel model,
                                       LiteRtOptions compilation_options,
                                       LiteRtCompiledModel* compiled_model) {
  if (model == nullptr || compiled_model == nullptr) return kLiteRtStatusErrorInvalidArgument;
  auto created = LiteRtCompiledModelT::Create(environment, *model, compilation_options);
  if (!created) return Answer(nullptr, created);
  *compiled_model = created->release();
  return kLiteRtStatusOk;
}

void LiteRtDestroyCompiledModel(LiteRtCompiledModel compiled_model) { delete compiled_model; }

LiteRtStatus LiteRtGetCompiledModelEnvironment(LiteRtCompiledModel compiled_model,
                                               LiteRtEnvironment* environment) {
  if (compiled_model == nullptr || environment == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *environment = compiled_model->environment();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompiledModelInputBufferRequirements(
    LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index,
    LiteRtParamIndex input_index, LiteRtTensorBufferRequirements* buffer_requirements) {
  return Requirements(compiled_model, signature_index, true, input_index, buffer_requirements);
}

LiteRtStatus LiteRtGetCompiledModelOutputBufferRequirements(
    LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index,
    LiteRtParamIndex output_index, LiteRtTensorBufferRequirements* buffer_requirements) {
  return Requirements(compiled_model, signature_index, false, output_index, buffer_requirements);
}

LiteRtStatus LiteRtGetCompiledModelInputTensorLayout(LiteRtCompiledModel compiled_model,
                                                     LiteRtParamIndex signature_index,
                                                     LiteRtParamIndex input_index,
                                                     LiteRtLayout* layout) {
  if (compiled_model == nullptr || layout == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const auto runner = compiled_model->Runner(signature_index);
  if (!runner) return Answer(compiled_model, runner);
  if (input_index >= (*runner)->inputs().size()) return kLiteRtStatusErrorIndexOOB;
  return SetLayout(compiled_model, (*runner)->inputs()[input_index], *layout);
}

LiteRtStatus LiteRtGetCompiledModelOutputTensorLayouts(LiteRtCompiledModel compiled_model,
                                                       LiteRtParamIndex signature_index,
                                                       size_t num_layouts, LiteRtLayout* layouts,
                                                       bool) {
  if (compiled_model == nullptr || layouts == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const auto runner = compiled_model->Runner(signature_index);
  if (!runner) return Answer(compiled_model, runner);
  const auto outputs = (*runner)->outputs();
  if (num_layouts != outputs.size()) return kLiteRtStatusErrorInvalidArgument;
  for (size_t i = 0; i < num_layouts; ++i) {
    const LiteRtStatus status = SetLayout(compiled_model, outputs[i], layouts[i]);
    if (status != kLiteRtStatusOk) return status;
  }
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompiledModelResizeInputTensor(LiteRtCompiledModel compiled_model,
                                                  LiteRtParamIndex signature_index,
                                                  LiteRtParamIndex input_index, const int* dims,
                                                  size_t dims_size) {
  return Resize(compiled_model, signature_index, input_index, dims, dims_size, true);
}

LiteRtStatus LiteRtCompiledModelResizeInputTensorNonStrict(LiteRtCompiledModel compiled_model,
                                                           LiteRtParamIndex signature_index,
                                                           LiteRtParamIndex input_index,
                                                           const int* dims, size_t dims_size) {
  return Resize(compiled_model, signature_index, input_index, dims, dims_size, false);
}

LiteRtStatus LiteRtRunCompiledModel(LiteRtCompiledModel compiled_model,
                                    LiteRtParamIndex signature_index, size_t num_input_buffers,
                                    LiteRtTensorBuffer* input_buffers, size_t num_output_buffers,
                                    LiteRtTensorBuffer* output_buffers) {
  return Run(compiled_model, signature_index, num_input_buffers, input_buffers, num_output_buffers,
             output_buffers);
}

LiteRtStatus LiteRtRunCompiledModelAsync(LiteRtCompiledModel compiled_model,
                                         LiteRtParamIndex signature_index, size_t num_input_buffers,
                                         LiteRtTensorBuffer* input_buffers,
                                         size_t num_output_buffers,
                                         LiteRtTensorBuffer* output_buffers, bool* async) {
  return RunAsync(compiled_model, signature_index, num_input_buffers, input_buffers,
                  num_output_buffers, output_buffers, async);
}

LiteRtStatus LiteRtRunCompiledModelWithOptions(
    LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index, size_t num_input_buffers,
    LiteRtTensorBuffer* input_buffers, size_t num_output_buffers,
    LiteRtTensorBuffer* output_buffers, LiteRtOptions options) {
  return Run(compiled_model, signature_index, num_input_buffers, input_buffers, num_output_buffers,
             output_buffers, {.options = options});
}

LiteRtStatus LiteRtRunCompiledModelAsyncWithOptions(
    LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index, size_t num_input_buffers,
    LiteRtTensorBuffer* input_buffers, size_t num_output_buffers,
    LiteRtTensorBuffer* output_buffers, bool* async, LiteRtOptions options) {
  return RunAsync(compiled_model, signature_index, num_input_buffers, input_buffers,
                  num_output_buffers, output_buffers, async, {.options = options});
}

LiteRtStatus LiteRtCompiledModelSetSchedulingInfo(LiteRtCompiledModel compiled_model,
                                                  const LiteRtSchedulingInfo* scheduling_info) {
  if (compiled_model == nullptr) return kLiteRtStatusErrorInvalidArgument;
  return Answer(compiled_model, compiled_model->SetScheduling(scheduling_info));
}

LiteRtStatus LiteRtRunCompiledModelWithSchedulingInfo(
    LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index, size_t num_input_buffers,
    LiteRtTensorBuffer* input_buffers, size_t num_output_buffers,
    LiteRtTensorBuffer* output_buffers, const LiteRtSchedulingInfo* scheduling_info) {
  return Run(compiled_model, signature_index, num_input_buffers, input_buffers, num_output_buffers,
             output_buffers, {.scheduling = scheduling_info});
}

LiteRtStatus LiteRtRunCompiledModelAsyncWithSchedulingInfo(
    LiteRtCompiledModel compiled_model, LiteRtParamIndex signature_index, size_t num_input_buffers,
    LiteRtTensorBuffer* input_buffers, size_t num_output_buffers,
    LiteRtTensorBuffer* output_buffers, bool* async, const LiteRtSchedulingInfo* scheduling_info) {
  return RunAsync(compiled_model, signature_index, num_input_buffers, input_buffers,
                  num_output_buffers, output_buffers, async, {.scheduling = scheduling_info});
}

LiteRtStatus LiteRtSetCompiledModelCancellationFunction(LiteRtCompiledModel compiled_model,
                                                        void* data,
                                                        bool (*check_cancelled_func)(void*)) {
  if (compiled_model == nullptr) return kLiteRtStatusErrorInvalidArgument;
  compiled_model->SetCancellation(data, check_cancelled_func);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompiledModelStartMetricsCollection(LiteRtCompiledModel compiled_model,
                                                       int detail_level) {
  if (compiled_model == nullptr) return kLiteRtStatusErrorInvalidArgument;
  return Answer(compiled_model, compiled_model->StartMetrics(detail_level));
}

LiteRtStatus LiteRtCompiledModelStopMetricsCollection(LiteRtCompiledModel compiled_model,
                                                      LiteRtMetrics metrics) {
  if (compiled_model == nullptr || metrics == nullptr) return kLiteRtStatusErrorInvalidArgument;
  return Answer(compiled_model, compiled_model->StopMetrics(metrics));
}

LiteRtStatus LiteRtCompiledModelIsFullyAccelerated(LiteRtCompiledModel compiled_model,
                                                   bool* fully_accelerated) {
  if (compiled_model == nullptr || fully_accelerated == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *fully_accelerated = compiled_model->IsFullyAccelerated();
  return kLiteRtStatusOk;
}

// The host's own meaning of the other one: what it knows of accelerators is the CPU and the NPU.
LiteRtStatus LiteRtCompiledModelIsNonCpuFullyAccelerated(LiteRtCompiledModel compiled_model,
                                                         bool* fully_accelerated) {
  return LiteRtCompiledModelIsFullyAccelerated(compiled_model, fully_accelerated);
}

LiteRtStatus LiteRtCompiledModelGetProfiler(LiteRtCompiledModel compiled_model,
                                            LiteRtProfiler* profiler) {
  if (compiled_model == nullptr || profiler == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *profiler = compiled_model->profiler();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompiledModelSetDispatchAnnotation(LiteRtCompiledModel compiled_model,
                                                      LiteRtParamIndex signature_index,
                                                      const char* key, const char* value) {
  if (compiled_model == nullptr || key == nullptr || value == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (!compiled_model->HasSignature(signature_index)) return kLiteRtStatusErrorIndexOOB;
  compiled_model->annotations()[{signature_index, key}] = value;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompiledModelGetDispatchAnnotation(LiteRtCompiledModel compiled_model,
                                                      LiteRtParamIndex signature_index,
                                                      const char* key, const char** value) {
  if (compiled_model == nullptr || key == nullptr || value == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (!compiled_model->HasSignature(signature_index)) return kLiteRtStatusErrorIndexOOB;
  const auto found = compiled_model->annotations().find({signature_index, key});
  *value = found == compiled_model->annotations().end() ? nullptr : found->second.c_str();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompiledModelRemoveDispatchAnnotation(LiteRtCompiledModel compiled_model,
                                                         LiteRtParamIndex signature_index,
                                                         const char* key) {
  if (compiled_model == nullptr || key == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (!compiled_model->HasSignature(signature_index)) return kLiteRtStatusErrorIndexOOB;
  compiled_model->annotations().erase({signature_index, key});
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompiledModelReportError(LiteRtCompiledModel compiled_model, const char* format,
                                            ...) {
  if (compiled_model == nullptr || format == nullptr) return kLiteRtStatusErrorInvalidArgument;
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  compiled_model->Report(message);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompiledModelClearErrors(LiteRtCompiledModel compiled_model) {
  if (compiled_model == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const auto cleared = compiled_model->ClearErrors();
  return cleared ? kLiteRtStatusOk : cleared.Error().Status();
}

LiteRtStatus LiteRtCompiledModelGetErrorMessages(LiteRtCompiledModel compiled_model,
                                                 char** error_messages) {
  if (compiled_model == nullptr || error_messages == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const auto errors = compiled_model->Errors();
  if (!errors) return errors.Error().Status();
  *error_messages = strdup(errors->c_str());
  return *error_messages != nullptr ? kLiteRtStatusOk : kLiteRtStatusErrorMemoryAllocationFailure;
}

}  // extern "C"
