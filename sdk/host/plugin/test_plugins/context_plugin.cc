// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A compiler plugin that gets the host's functions as a table, on bare LiteRT headers of abi 2.2,
// with the table of the release that CONTEXT_PLUGIN_... names. Takes MUL; its bytecode is text.

#include <string>
#include <vector>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_compiler_plugin.h"

extern const char kTestPluginName[];  // name.cc

class LiteRtCompilerPluginT {
 public:
  const LiteRtCompilerContext* host = nullptr;  // its header is not there before 2.2.0
};

class LiteRtCompiledResultT {
 public:
  std::string module;
  std::vector<std::string> entry_points;
};

extern "C" {

LiteRtStatus LiteRtGetCompilerPluginVersion(LiteRtApiVersion* version) {
  *version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH};
  return kLiteRtStatusOk;
}

const char* LiteRtGetCompilerPluginSocManufacturer() { return kTestPluginName; }

LiteRtStatus LiteRtCreateCompilerPlugin(const LiteRtCompilerContext* context,
                                        LiteRtCompilerPlugin* plugin, LiteRtEnvironmentOptions,
                                        LiteRtOptions) {
#if defined(CONTEXT_PLUGIN_ABI_2_1_5) || defined(CONTEXT_PLUGIN_ABI_2_1_6)
  // Such a table starts with its first function.
  context = reinterpret_cast<const LiteRtCompilerContext*>(reinterpret_cast<const char*>(context) -
                                                           sizeof(LiteRtAbiHeader));
#endif
  *plugin = new LiteRtCompilerPluginT{context};
  return kLiteRtStatusOk;
}

void LiteRtDestroyCompilerPlugin(LiteRtCompilerPlugin plugin) { delete plugin; }

LiteRtStatus LiteRtGetCompilerPluginSupportedHardware(LiteRtCompilerPlugin,
                                                      LiteRtHwAccelerators* hardware) {
  *hardware = kLiteRtHwAcceleratorNpu;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumCompilerPluginSupportedSocModels(LiteRtCompilerPlugin,
                                                          LiteRtParamIndex* count) {
  *count = 1;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompilerPluginSupportedSocModel(LiteRtCompilerPlugin, LiteRtParamIndex,
                                                      const char** name) {
  *name = "t1";
  return kLiteRtStatusOk;
}

#if !defined(CONTEXT_PLUGIN_CONTRADICTS)
LiteRtStatus LiteRtGetCompilerPluginSDKVersion(LiteRtCompilerPlugin, const char** version) {
  *version = "4.2";
  return kLiteRtStatusOk;
}
#endif

#if !defined(CONTEXT_PLUGIN_ABI_2_1_5)
LiteRtStatus LiteRtGetCompiledResultHandle(LiteRtCompiledResult, LiteRtParamIndex,
                                           LiteRtJitExecutable* handle) {
  *handle = nullptr;
  return kLiteRtStatusOk;
}
#endif

LiteRtStatus LiteRtCompilerPluginPartition([[maybe_unused]] LiteRtCompilerPlugin plugin,
                                           const char*, [[maybe_unused]] LiteRtSubgraph subgraph,
                                           [[maybe_unused]] LiteRtOpList selected) {
#if !defined(CONTEXT_PLUGIN_SILENT)
  LiteRtParamIndex count = 0;
  if (plugin->host->get_num_subgraph_ops(subgraph, &count) != kLiteRtStatusOk) {
    return kLiteRtStatusErrorRuntimeFailure;
  }
  for (LiteRtParamIndex i = 0; i < count; ++i) {
    LiteRtOp op = nullptr;
    LiteRtOpCode code = {};
    if (plugin->host->get_subgraph_op(subgraph, i, &op) != kLiteRtStatusOk ||
        plugin->host->get_op_code(op, &code) != kLiteRtStatusOk) {
      return kLiteRtStatusErrorRuntimeFailure;
    }
    if (code == kLiteRtOpCodeTflMul) (void)plugin->host->push_op(selected, op, 0);
  }
#endif
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginCompile(LiteRtCompilerPlugin plugin, const char*,
                                         LiteRtModel partitions, LiteRtCompiledResult* result) {
  LiteRtParamIndex count = 0;
  if (plugin->host->get_num_model_subgraphs(partitions, &count) != kLiteRtStatusOk) {
    return kLiteRtStatusErrorRuntimeFailure;
  }
  *result = new LiteRtCompiledResultT{"bytecode", {}};
  for (LiteRtParamIndex i = 0; i < count; ++i) {
    (*result)->entry_points.push_back("p" + std::to_string(i));
  }
  return kLiteRtStatusOk;
}

void LiteRtDestroyCompiledResult(LiteRtCompiledResult result) { delete result; }

LiteRtStatus LiteRtGetCompiledResultByteCode(LiteRtCompiledResult result, LiteRtParamIndex,
                                             const void** bytes, size_t* size) {
  *bytes = result->module.data();
  *size = result->module.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompiledResultNumByteCodeModules(LiteRtCompiledResult, LiteRtParamIndex* count) {
  *count = 1;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompiledResultCallInfo(LiteRtCompiledResult result, LiteRtParamIndex index,
                                             const void** info, size_t* size,
                                             LiteRtParamIndex* module) {
  *info = result->entry_points[index].data();
  *size = result->entry_points[index].size();
  *module = 0;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumCompiledResultCalls(LiteRtCompiledResult result, LiteRtParamIndex* count) {
  *count = result->entry_points.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginRegisterAllTransformations(LiteRtCompilerPlugin,
                                                            LiteRtTransformation** transformations,
                                                            LiteRtParamIndex* count) {
  *transformations = nullptr;
  *count = 0;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginCheckCompilerCompatibility(LiteRtApiVersion, LiteRtCompilerPlugin,
                                                            LiteRtEnvironmentOptions, LiteRtOptions,
                                                            const char*) {
  return kLiteRtStatusOk;
}

}  // extern "C"
