// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// A compiler plugin as LiteRT's documentation shows how to write one: all 16
// functions by hand, on the C++ wrappers, with nothing of npukit's. It takes
// float32 MUL, SUB and the odml.rms_norm composite, and its bytecode is text.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/internal/litert_extended_model.h"
#include "litert/cc/internal/litert_op_options.h"
#include "litert/cc/litert_element_type.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_model.h"
#include "litert/vendors/c/litert_compiler_plugin.h"

namespace {

constexpr char kManufacturer[] = "DocExample";
constexpr char kSocModel[] = "doc_soc";

bool IsFloat32(const std::vector<litert::Tensor>& tensors) {
  for (const auto& tensor : tensors) {
    if (tensor.ElementType() != litert::ElementType::Float32) return false;
  }
  return true;
}

bool IsWanted(const litert::Op& op) {
  if (!IsFloat32(op.Inputs()) || !IsFloat32(op.Outputs())) return false;
  if (op.Code() == kLiteRtOpCodeTflMul || op.Code() == kLiteRtOpCodeTflSub) return true;
  if (op.Code() != kLiteRtOpCodeShloComposite) return false;
  const auto options = litert::GetOptionsAs<litert::CompositeOptions>(op.Get());
  return options && options->name == litert::CompositeOptions::kRmsNorm;
}

// "mul(x,y)->z;" for each op.
litert::Expected<std::string> CompileSinglePartition(const litert::Subgraph& partition) {
  std::string code;
  for (const auto& op : partition.Ops()) {
    if (op.Is(kLiteRtOpCodeTflMul)) {
      code += "mul";
    } else if (op.Is(kLiteRtOpCodeTflSub)) {
      code += "sub";
    } else if (op.Is(kLiteRtOpCodeShloComposite)) {
      LITERT_ASSIGN_OR_RETURN(const auto options,
                              litert::GetOptionsAs<litert::RmsNormOpts>(op.Get()));
      code += "rms_norm[" + std::to_string(options.epsilon) + "]";
    } else {
      return litert::Unexpected(litert::Status::kErrorUnsupported, "an op that was not selected");
    }
    const char* separator = "(";
    for (const auto& input : op.Inputs()) {
      code += separator + std::string(input.Name());
      separator = ",";
    }
    LITERT_ASSIGN_OR_RETURN(const auto output, op.Output(0));
    code += ")->" + std::string(output.Name()) + ";";
  }
  return code;
}

}  // namespace

struct LiteRtCompilerPluginT {};

struct LiteRtCompiledResultT {
  std::vector<std::string> byte_code;
  std::vector<std::string> per_op_data;
};

LiteRtStatus LiteRtGetCompilerPluginVersion(LiteRtApiVersion* api_version) {
  if (api_version == nullptr) return kLiteRtStatusErrorInvalidArgument;
  api_version->major = LITERT_API_VERSION_MAJOR;
  api_version->minor = LITERT_API_VERSION_MINOR;
  api_version->patch = LITERT_API_VERSION_PATCH;
  return kLiteRtStatusOk;
}

const char* LiteRtGetCompilerPluginSocManufacturer() { return kManufacturer; }

LiteRtStatus LiteRtCreateCompilerPlugin(LiteRtCompilerPlugin* compiler_plugin,
                                        LiteRtEnvironmentOptions, LiteRtOptions) {
  if (compiler_plugin == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *compiler_plugin = new LiteRtCompilerPluginT;
  return kLiteRtStatusOk;
}

void LiteRtDestroyCompilerPlugin(LiteRtCompilerPlugin compiler_plugin) { delete compiler_plugin; }

LiteRtStatus LiteRtGetCompilerPluginSupportedHardware(LiteRtCompilerPlugin compiler_plugin,
                                                      LiteRtHwAccelerators* supported_hardware) {
  if (compiler_plugin == nullptr || supported_hardware == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *supported_hardware = kLiteRtHwAcceleratorNpu;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumCompilerPluginSupportedSocModels(
    LiteRtCompilerPlugin compiler_plugin, LiteRtParamIndex* num_supported_soc_models) {
  if (compiler_plugin == nullptr || num_supported_soc_models == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *num_supported_soc_models = 1;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompilerPluginSupportedSocModel(LiteRtCompilerPlugin compiler_plugin,
                                                      LiteRtParamIndex soc_model_idx,
                                                      const char** soc_model_name) {
  if (compiler_plugin == nullptr || soc_model_name == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (soc_model_idx != 0) return kLiteRtStatusErrorIndexOOB;
  *soc_model_name = kSocModel;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginPartition(LiteRtCompilerPlugin compiler_plugin, const char*,
                                           LiteRtSubgraph subgraph, LiteRtOpList selected_ops) {
  if (compiler_plugin == nullptr || subgraph == nullptr || selected_ops == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  ::litert::Subgraph main_subgraph(subgraph);
  for (const auto& op : main_subgraph.Ops()) {
    if (!IsWanted(op)) continue;
    LITERT_RETURN_IF_ERROR(LiteRtPushOp(selected_ops, op.Get(), 0));
  }
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginCompile(LiteRtCompilerPlugin compiler_plugin, const char*,
                                         LiteRtModel partitions,
                                         LiteRtCompiledResult* compiled_result) {
  if (compiler_plugin == nullptr || partitions == nullptr || compiled_result == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  auto model = litert::Model::CreateFromNonOwnedHandle(partitions);
  const auto num_partitions = model.NumSubgraphs();
  auto result = std::make_unique<LiteRtCompiledResultT>();
  result->byte_code.resize(num_partitions);
  result->per_op_data.resize(num_partitions);
  for (size_t i = 0; i < num_partitions; ++i) {
    LITERT_ASSIGN_OR_RETURN(const auto partition, model.Subgraph(i));
    LITERT_ASSIGN_OR_RETURN(result->byte_code[i], CompileSinglePartition(partition));
    result->per_op_data[i] = "Partition_" + std::to_string(i);
  }
  *compiled_result = result.release();
  return kLiteRtStatusOk;
}

void LiteRtDestroyCompiledResult(LiteRtCompiledResult result) { delete result; }

LiteRtStatus LiteRtGetCompiledResultByteCode(LiteRtCompiledResult compiled_result,
                                             LiteRtParamIndex byte_code_idx, const void** byte_code,
                                             size_t* byte_code_size) {
  if (compiled_result == nullptr || byte_code == nullptr || byte_code_size == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (byte_code_idx >= compiled_result->byte_code.size()) return kLiteRtStatusErrorIndexOOB;
  *byte_code = compiled_result->byte_code[byte_code_idx].data();
  *byte_code_size = compiled_result->byte_code[byte_code_idx].size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompiledResultNumByteCodeModules(LiteRtCompiledResult compiled_result,
                                                    LiteRtParamIndex* num_byte_code) {
  if (num_byte_code == nullptr) return kLiteRtStatusErrorInvalidArgument;
  // Asked with null when nothing was selected.
  *num_byte_code = compiled_result != nullptr ? compiled_result->byte_code.size() : 0;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompiledResultCallInfo(LiteRtCompiledResult compiled_result,
                                             LiteRtParamIndex call_idx, const void** call_info,
                                             size_t* call_info_size,
                                             LiteRtParamIndex* byte_code_idx) {
  if (compiled_result == nullptr || call_info == nullptr || call_info_size == nullptr ||
      byte_code_idx == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (call_idx >= compiled_result->per_op_data.size()) return kLiteRtStatusErrorIndexOOB;
  *call_info = compiled_result->per_op_data[call_idx].data();
  *call_info_size = compiled_result->per_op_data[call_idx].size();
  *byte_code_idx = call_idx;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumCompiledResultCalls(LiteRtCompiledResult compiled_result,
                                             LiteRtParamIndex* num_calls) {
  if (compiled_result == nullptr || num_calls == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *num_calls = compiled_result->per_op_data.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginRegisterAllTransformations(LiteRtCompilerPlugin,
                                                            LiteRtTransformation** transformations,
                                                            LiteRtParamIndex* num_patterns) {
  if (transformations == nullptr || num_patterns == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *transformations = nullptr;
  *num_patterns = 0;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginCheckCompilerCompatibility(LiteRtApiVersion, LiteRtCompilerPlugin,
                                                            LiteRtEnvironmentOptions, LiteRtOptions,
                                                            const char*) {
  return kLiteRtStatusOk;
}
