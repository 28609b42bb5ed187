// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/dispatch/intermediate_run.h"

#include <fmt/format.h>

#include <sstream>
#include <string>

namespace acme::dispatch {
namespace {

LiteRtElementType ElementType(const std::string& name) {
  if (name == "int8") return kLiteRtElementTypeInt8;
  if (name == "uint8") return kLiteRtElementTypeUInt8;
  if (name == "int16") return kLiteRtElementTypeInt16;
  if (name == "int32") return kLiteRtElementTypeInt32;
  if (name == "int64") return kLiteRtElementTypeInt64;
  if (name == "bool") return kLiteRtElementTypeBool;
  return name == "float32" ? kLiteRtElementTypeFloat32 : kLiteRtElementTypeNone;
}

// "12|float32|1,4,4".
bool ParseName(const std::string& name, uint32_t& handle, LiteRtRankedTensorType& type) {
  std::istringstream in(name);
  std::string dtype;
  char bar = 0;
  if (!(in >> handle >> bar) || bar != '|' || !std::getline(in, dtype, '|')) return false;
  type.element_type = ElementType(dtype);
  int32_t dim = 0;
  while (in >> dim) {
    if (type.layout.rank == LITERT_TENSOR_MAX_RANK) return false;
    type.layout.dimensions[type.layout.rank++] = dim;
    in.ignore(1, ',');
  }
  return in.eof() && type.element_type != kLiteRtElementTypeNone;
}

}  // namespace

litert::Expected<std::unique_ptr<IntermediateRun>> IntermediateRun::Create(AcmeModule* module,
                                                                           size_t entry,
                                                                           size_t num_inputs,
                                                                           size_t num_outputs) {
  AcmeEntryInfo info;
  LITERT_RETURN_IF_ERROR(CheckDriver(AcmeModuleGetEntry(module, entry, &info), "entry point"));
  const std::string name = std::string(info.name) + "#intermediates";
  auto run = std::make_unique<IntermediateRun>();
  // However many values there are: the compiler makes as many entry points as outputs need.
  run->num_inputs_ = num_inputs;
  size_t twin = 0;
  for (size_t number = 1;; ++number) {
    const std::string numbered = number == 1 ? name : fmt::format("{}{}", name, number);
    if (AcmeModuleFindEntry(module, numbered.c_str(), &twin) != kAcmeOk) break;
    LITERT_RETURN_IF_ERROR(run->AddProgram(module, twin, num_outputs));
  }
  if (run->programs_.empty()) {
    return litert::Unexpected(litert::Status::kErrorUnsupported,
                              "the module was compiled without npukit.keep_intermediates");
  }
  return run;
}

litert::Expected<void> IntermediateRun::AddProgram(AcmeModule* module, size_t entry,
                                                   size_t num_outputs) {
  AcmeEntryInfo info;
  LITERT_RETURN_IF_ERROR(CheckDriver(AcmeModuleGetEntry(module, entry, &info), "entry point"));
  programs_.emplace_back();
  for (size_t i = num_inputs_; i < info.binding_count; ++i)
    LITERT_RETURN_IF_ERROR(AddOutput(module, entry, i, i >= num_inputs_ + num_outputs));
  AcmeContext* context = nullptr;
  LITERT_RETURN_IF_ERROR(CheckDriver(AcmeContextCreate(module, entry, &context), info.name));
  programs_.back().context.reset(context);
  return {};
}

litert::Expected<void> IntermediateRun::AddOutput(AcmeModule* module, size_t entry, size_t binding,
                                                  bool is_extra) {
  AcmeBindingInfo info;
  LITERT_RETURN_IF_ERROR(
      CheckDriver(AcmeModuleGetBinding(module, entry, binding, &info), "binding"));
  std::vector<Value>& outputs = programs_.back().outputs;
  Value& value = outputs.emplace_back();
  value.bytes.resize(info.size_bytes);
  uint32_t handle = 0;
  // An output of the entry point itself may be a layer's result, and is then named like one
  // (compiler/intermediates.cc).
  if (ParseName(info.name, handle, value.type)) {
    output_of_handle_[handle] = {programs_.size() - 1, outputs.size() - 1};
  } else if (is_extra) {
    return litert::Unexpected(litert::Status::kErrorInvalidArgument,
                              std::string("'") + info.name + "' names no intermediate value");
  }
  return {};
}

litert::Expected<void> IntermediateRun::Run(npukit::InputViews inputs) {
  for (Program& program : programs_) LITERT_RETURN_IF_ERROR(RunProgram(program, inputs));
  return {};
}

litert::Expected<void> IntermediateRun::RunProgram(Program& program, npukit::InputViews inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    LITERT_RETURN_IF_ERROR(
        CheckDriver(AcmeContextBind(program.context.get(), i, const_cast<uint8_t*>(inputs[i].data),
                                    inputs[i].size_bytes),
                    "intermediates"));
  }
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    LITERT_RETURN_IF_ERROR(CheckDriver(
        AcmeContextBind(program.context.get(), num_inputs_ + i, program.outputs[i].bytes.data(),
                        program.outputs[i].bytes.size()),
        "intermediates"));
  }
  AcmeRunOptions options = {};
  options.struct_size = sizeof(options);
  // Values alone: cycles are told of the run that users have, which keeps no intermediates.
  options.mode = kAcmeFunctionOnly;
  return CheckDriver(AcmeContextRun(program.context.get(), &options), "intermediates");
}

litert::Expected<npukit::Intermediate> IntermediateRun::Get(uint32_t handle) const {
  const auto found = output_of_handle_.find(handle);
  if (found == output_of_handle_.end())
    return litert::Unexpected(litert::Status::kErrorNotFound, "the handle has no value");
  const Value& value = programs_[found->second.program].outputs[found->second.index];
  npukit::Intermediate intermediate{litert::RankedTensorType(value.type), value.bytes.data(),
                                    value.bytes.size()};
  return intermediate;
}

}  // namespace acme::dispatch
