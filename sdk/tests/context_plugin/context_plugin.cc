// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A compiler plugin of abi 2.2 as LiteRT's own are written: C functions over the views of
// litert/compiler/cc, which ask through the table that the plugin was created with. It turns SQUARE
// into MUL, takes float MUL, each by itself, writes the names of its calls as bytecode, and gives
// each op a debug handle.

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/cc/internal/litert_builder.h"
#include "litert/cc/internal/litert_matchers.h"
#include "litert/compiler/cc/litert_model.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/abi.h"
#include "npukit/delegate_debug.h"

class LiteRtCompilerPluginT {
 public:
  const LiteRtCompilerContext* context = nullptr;
};

class LiteRtCompiledResultT {
 public:
  std::string module = "calls:\n";
  std::vector<std::string> functions;  // by call
  std::vector<uint32_t> num_ops;       // by call
};

namespace {

constexpr char kSocModel[] = "test_soc";

bool IsTaken(const litert::compiler::Op& op) {
  if (!op.Is(kLiteRtOpCodeTflMul)) return false;
  for (const auto& input : op.Inputs()) {
    if (input.ElementType() != litert::ElementType::Float32) return false;
  }
  return true;
}

LiteRtStatus SquareToMul(LiteRtBuilder builder, LiteRtOp op) {
  litert::Op square(op);
  if (!litert::Match(square, litert::m_OpCode<kLiteRtOpCodeTflSquare>()))
    return kLiteRtStatusPatternNoMatch;
  const auto inputs = square.Inputs();
  litert::Builder(builder).ReplaceOp(square, kLiteRtOpCodeTflMul, {inputs[0], inputs[0]});
  return kLiteRtStatusOk;
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtGetCompilerPluginVersion(LiteRtApiVersion* version) {
  if (version == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH};
  return kLiteRtStatusOk;
}

const char* LiteRtGetCompilerPluginSocManufacturer() { return "ContextPlugin"; }

LiteRtStatus LiteRtCreateCompilerPlugin(const LiteRtCompilerContext* context,
                                        LiteRtCompilerPlugin* plugin, LiteRtEnvironmentOptions,
                                        LiteRtOptions) {
  if (context == nullptr || plugin == nullptr) return kLiteRtStatusErrorInvalidArgument;
  // For the builder of the transformation, whose functions have no context of their own.
  const LiteRtStatus status = NpukitUseCompilerContext(context);
  if (status == kLiteRtStatusOk) *plugin = new LiteRtCompilerPluginT{context};
  return status;
}

void LiteRtDestroyCompilerPlugin(LiteRtCompilerPlugin plugin) { delete plugin; }

LiteRtStatus LiteRtGetCompilerPluginSDKVersion(LiteRtCompilerPlugin, const char** version) {
  if (version == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *version = "1";
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompilerPluginSupportedHardware(LiteRtCompilerPlugin,
                                                      LiteRtHwAccelerators* hardware) {
  if (hardware == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *hardware = kLiteRtHwAcceleratorNpu;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumCompilerPluginSupportedSocModels(LiteRtCompilerPlugin,
                                                          LiteRtParamIndex* count) {
  if (count == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *count = 1;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompilerPluginSupportedSocModel(LiteRtCompilerPlugin, LiteRtParamIndex index,
                                                      const char** soc_model) {
  if (index != 0 || soc_model == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *soc_model = kSocModel;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginPartition(LiteRtCompilerPlugin plugin, const char*,
                                           LiteRtSubgraph subgraph, LiteRtOpList selected) {
  const litert::compiler::Subgraph graph(plugin->context, subgraph);
  size_t partition = 0;
  for (const auto& op : graph.Ops()) {
    if (!IsTaken(op)) continue;
    const LiteRtStatus status = plugin->context->push_op(selected, op.Get(), partition++);
    if (status != kLiteRtStatusOk) return status;
  }
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginCompile(LiteRtCompilerPlugin plugin, const char*,
                                         LiteRtModel partitions, LiteRtCompiledResult* result) {
  const litert::compiler::Model model(plugin->context, partitions);
  auto* made = new LiteRtCompiledResultT;
  for (size_t i = 0; i < model.NumSubgraphs(); ++i) {
    const auto body = model.Subgraph(i);
    if (!body) continue;
    made->functions.push_back("main_" + std::to_string(i));
    made->num_ops.push_back(static_cast<uint32_t>(body->Ops().size()));
    made->module += made->functions.back() + "\n";
  }
  *result = made;
  return kLiteRtStatusOk;
}

void LiteRtDestroyCompiledResult(LiteRtCompiledResult result) { delete result; }

LiteRtStatus LiteRtCompiledResultNumByteCodeModules(LiteRtCompiledResult, LiteRtParamIndex* count) {
  *count = 1;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompiledResultByteCode(LiteRtCompiledResult result, LiteRtParamIndex,
                                             const void** bytes, size_t* size_bytes) {
  *bytes = result->module.data();
  *size_bytes = result->module.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumCompiledResultCalls(LiteRtCompiledResult result, LiteRtParamIndex* count) {
  *count = result->functions.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompiledResultCallInfo(LiteRtCompiledResult result, LiteRtParamIndex call,
                                             const void** name, size_t* name_bytes,
                                             LiteRtParamIndex* module) {
  *name = result->functions.at(call).data();
  *name_bytes = result->functions.at(call).size();
  *module = 0;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginRegisterAllTransformations(LiteRtCompilerPlugin,
                                                            LiteRtTransformation** all,
                                                            LiteRtParamIndex* count) {
  static LiteRtTransformation transformations[] = {{SquareToMul, "square to mul", 1}};
  *all = transformations;
  *count = 1;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginCheckCompilerCompatibility(LiteRtApiVersion, LiteRtCompilerPlugin,
                                                            LiteRtEnvironmentOptions, LiteRtOptions,
                                                            const char* soc_model) {
  const bool is_known = soc_model == nullptr || std::strcmp(soc_model, kSocModel) == 0;
  return is_known ? kLiteRtStatusOk : kLiteRtStatusErrorUnsupported;
}

LiteRtStatus NpukitGetNumDebugHandles(LiteRtCompiledResult result, LiteRtParamIndex call,
                                      size_t* count) {
  *count = result->num_ops.at(call);
  return kLiteRtStatusOk;
}

LiteRtStatus NpukitGetDebugHandle(LiteRtCompiledResult, LiteRtParamIndex, size_t position,
                                  NpukitDebugHandleInfo* info) {
  static const uint32_t kOps[] = {0, 1, 2, 3};
  if (position >= std::size(kOps)) return kLiteRtStatusErrorIndexOOB;
  info->handle = static_cast<NpukitDebugHandle>(position + 1);
  info->name = "product";
  info->op_indices = &kOps[position];
  info->num_ops = 1;
  return kLiteRtStatusOk;
}

}  // extern "C"
