// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A compiler plugin that gets the host's functions as a table, on bare LiteRT headers of abi 2.2,
// with the table of the release that CONTEXT_PLUGIN_... names. Takes MUL; its bytecode is text.
// With NPUKIT_TEST_TABLE its own functions are a table that is queried, one of LiteRT's cases of
// compatibility.

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "litert/vendors/c/litert_compiler_plugin_api.h"

extern const char kTestPluginName[];  // name.cc

#if defined(NPUKIT_TEST_TABLE)
namespace {
constexpr bool IsTable(std::string_view name) { return name == NPUKIT_TEST_TABLE; }
}  // namespace
#endif

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
LiteRtStatus LiteRtGetCompiledResultHandle([[maybe_unused]] LiteRtCompiledResult result,
                                           LiteRtParamIndex, LiteRtJitExecutable* handle) {
  *handle = nullptr;
#if defined(NPUKIT_TEST_TABLE)
  if (IsTable("gives_handles") || IsTable("only_handles"))
    *handle = reinterpret_cast<LiteRtJitExecutable>(result);
#endif
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
#if defined(NPUKIT_TEST_TABLE)
  if (IsTable("only_handles")) return kLiteRtStatusErrorUnsupported;
#endif
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
#if defined(NPUKIT_TEST_TABLE)
  // Turns ADD into MUL, through the table, which it must be given.
  static LiteRtTransformation all[] = {
      {[](const LiteRtCompilerContext* context, LiteRtBuilder builder, LiteRtOp op) {
         LiteRtOpCode code = {};
         if (context->get_op_code(op, &code) != kLiteRtStatusOk || code != kLiteRtOpCodeTflAdd)
           return kLiteRtStatusPatternNoMatch;
         LiteRtTensor inputs[2] = {};
         LiteRtTensor output = nullptr;
         LiteRtOp made = nullptr;
         (void)context->get_op_input(op, 0, &inputs[0]);
         (void)context->get_op_input(op, 1, &inputs[1]);
         (void)context->get_op_output(op, 0, &output);
         const LiteRtStatus status =
             context->build_op(builder, kLiteRtOpCodeTflMul, 2, inputs, 1, &output, &made);
         return status == kLiteRtStatusOk ? context->erase_op(builder, op) : status;
       },
       "add to mul", 1}};
  *transformations = all;
  *count = 1;
#else
  *transformations = nullptr;
  *count = 0;
#endif
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginCheckCompilerCompatibility(LiteRtApiVersion, LiteRtCompilerPlugin,
                                                            LiteRtEnvironmentOptions, LiteRtOptions,
                                                            const char*) {
  return kLiteRtStatusOk;
}

}  // extern "C"

#if defined(NPUKIT_TEST_TABLE)
namespace {

struct NewerInterface {
  LiteRtCompilerPluginInterface_V1 known = {};
  void* dummy = nullptr;
};

NewerInterface MakeTable() {
  NewerInterface table;
  LiteRtCompilerPluginInterface_V1& t = table.known;
  t.abi_header = {sizeof(t), 1, 0, 0};
  t.get_compiler_plugin_version = [](LiteRtApiVersion* version) {
    *version = {7, 7, 7};  // is nobody's business here
    return kLiteRtStatusOk;
  };
  t.get_compiler_plugin_soc_manufacturer = LiteRtGetCompilerPluginSocManufacturer;
  t.create_compiler_plugin = LiteRtCreateCompilerPlugin;
  t.destroy_compiler_plugin = LiteRtDestroyCompilerPlugin;
  t.get_compiler_plugin_supported_hardware = LiteRtGetCompilerPluginSupportedHardware;
  t.get_num_compiler_plugin_supported_models = LiteRtGetNumCompilerPluginSupportedSocModels;
  t.get_compiler_plugin_supported_soc_model = LiteRtGetCompilerPluginSupportedSocModel;
  t.compiler_plugin_partition = LiteRtCompilerPluginPartition;
  t.compiler_plugin_compile = LiteRtCompilerPluginCompile;
  t.destroy_compiled_result = LiteRtDestroyCompiledResult;
  t.get_compiled_result_byte_code = LiteRtGetCompiledResultByteCode;
  t.get_compiled_result_num_byte_code = LiteRtCompiledResultNumByteCodeModules;
  t.get_compiled_result_call_info = LiteRtGetCompiledResultCallInfo;
  t.get_num_compiled_result_calls = LiteRtGetNumCompiledResultCalls;
  t.register_all_transformations = LiteRtCompilerPluginRegisterAllTransformations;
  t.get_compiler_plugin_sdk_version = LiteRtGetCompilerPluginSDKVersion;
  t.get_compiled_result_handle = LiteRtGetCompiledResultHandle;
  t.check_compiler_compatibility = LiteRtCompilerPluginCheckCompilerCompatibility;
  if (IsTable("older")) {
    t.abi_header.struct_size =
        offsetof(LiteRtCompilerPluginInterface_V1, get_compiler_plugin_sdk_version);
    t.get_compiler_plugin_sdk_version = [](LiteRtCompilerPlugin, const char**) -> LiteRtStatus {
      std::abort();
    };
  }
  if (IsTable("newer")) t.abi_header = {sizeof(table), 1, 2, 0};
  if (IsTable("wrong_major")) t.abi_header.major_version = 99;
  if (IsTable("small_header")) t.abi_header.struct_size = 4;
  if (IsTable("no_create")) t.create_compiler_plugin = nullptr;
  if (IsTable("sparse")) {
    t.get_compiler_plugin_version = nullptr;
    t.get_num_compiler_plugin_supported_models = nullptr;
    t.get_compiler_plugin_supported_soc_model = nullptr;
    // Without it the host can't give a plugin back: this library has one for all.
    t.destroy_compiler_plugin = nullptr;
    t.create_compiler_plugin = [](const LiteRtCompilerContext* context,
                                  LiteRtCompilerPlugin* plugin, LiteRtEnvironmentOptions,
                                  LiteRtOptions) {
      static LiteRtCompilerPluginT only;
      only.host = context;
      *plugin = &only;
      return kLiteRtStatusOk;
    };
    t.register_all_transformations = nullptr;
    t.compiler_plugin_compile = nullptr;
  }
  // The position behind the header of a function that the test wants null.
  if (const char* null_member = std::getenv("NPUKIT_TEST_NULL_MEMBER")) {
    const size_t position = std::strtoul(null_member, nullptr, 10);
    std::memset(reinterpret_cast<char*>(&table) + sizeof(t.abi_header) + position * sizeof(void*),
                0, sizeof(void*));
  }
  return table;
}

}  // namespace

extern "C" LiteRtStatus LiteRtCompilerPluginQueryInterface(LiteRtCompilerPluginInterfaceId id,
                                                           LiteRtApiVersion version,
                                                           LiteRtInterface* given) {
  static const NewerInterface table = MakeTable();
  *given = nullptr;
  if (IsTable("unsupported") || id != kLiteRtCompilerPluginInterfaceBasic || version.major != 1)
    return kLiteRtStatusErrorUnsupported;
  if (!IsTable("null")) *given = &table;
  return kLiteRtStatusOk;
}
#endif
