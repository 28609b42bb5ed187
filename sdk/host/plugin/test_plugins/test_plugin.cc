// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A compiler plugin on the bare C ABI that behaves as kTestPluginName says: well, or with one
// fault. Its bytecode is text: per partition a line with the entry point and the op codes.
//
// Like LiteRT's own example, it does not stand a null result: the host must not ask about one.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_op_options.h"
#include "litert/cc/internal/litert_builder.h"
#include "litert/cc/internal/litert_matchers.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/compile_spec.h"
#include "npukit/extensions/last_error.h"
#include "sdk/host/plugin/test_plugins/test_plugin.h"

namespace {

constexpr const char* kSocModels[] = {"t1", "t2"};

thread_local const char* last_error = "";

LiteRtStatus SelectLikeTheExample(LiteRtOp op, LiteRtOpList selected) {
  LiteRtOpCode code = {};
  if (LiteRtGetOpCode(op, &code) != kLiteRtStatusOk) return kLiteRtStatusErrorRuntimeFailure;
  if (code == kLiteRtOpCodeTflMul) return LiteRtPushOp(selected, op, 0);
  if (code == kLiteRtOpCodeTflSub) return LiteRtPushOp(selected, op, 1);
  if (code != kLiteRtOpCodeShloComposite) return kLiteRtStatusOk;
  const char* name = nullptr;
  if (LiteRtGetSHLOCompositeOpName(op, &name) != kLiteRtStatusOk) {
    return kLiteRtStatusErrorRuntimeFailure;
  }
  return std::string_view(name) == "odml.rms_norm" ? LiteRtPushOp(selected, op, 0)
                                                   : kLiteRtStatusOk;
}

// -- Transformations ----------------------------------------------------------

template <LiteRtOpCode kFrom, LiteRtOpCode kTo>
LiteRtStatus Replace(LiteRtBuilder builder, LiteRtOp op) {
  litert::Op root(op);
  if (!litert::Match(root, litert::m_OpCode<kFrom>())) return kLiteRtStatusPatternNoMatch;
  litert::Builder(builder).ReplaceOp(root, kTo, root.Inputs());
  return kLiteRtStatusOk;
}
[[maybe_unused]] constexpr auto MulToSub = Replace<kLiteRtOpCodeTflMul, kLiteRtOpCodeTflSub>;
[[maybe_unused]] constexpr auto SubToMul = Replace<kLiteRtOpCodeTflSub, kLiteRtOpCodeTflMul>;

// (x * k) - x, of which the product is used once, becomes one op on x and k.
template <LiteRtOpCode kTo>
LiteRtStatus SubOfMul(LiteRtBuilder builder, LiteRtOp op) {
  using namespace litert;
  Op root(op);
  Op product(nullptr);
  Tensor x(nullptr);
  if (!Match(root, m_Op<kLiteRtOpCodeTflSub>(
                       m_CaptureOrSameAs(
                           &product, m_AllOf(m_HasOneUse(),
                                             m_Op<kLiteRtOpCodeTflMul>(
                                                 m_CaptureOrSameAs(&x, m_Any()), m_IsConstant()))),
                       m_CaptureOrSameAs(&x, m_Any())))) {
    return kLiteRtStatusPatternNoMatch;
  }
  Builder rewrite(builder);
  rewrite.ReplaceOp(root, kTo, product.Inputs());
  rewrite.EraseOp(product);
  return kLiteRtStatusOk;
}
[[maybe_unused]] constexpr auto SubOfMulToMul = SubOfMul<kLiteRtOpCodeTflMul>;
[[maybe_unused]] constexpr auto SubOfMulToAdd = SubOfMul<kLiteRtOpCodeTflAdd>;

// x + c becomes x * h - c with a constant h of its own; of "rewrites_short" h lacks its last element.
[[maybe_unused]] LiteRtStatus AddToMulSub(LiteRtBuilder builder, LiteRtOp op) {
  using namespace litert;
  Op root(op);
  if (!Match(root, m_Op<kLiteRtOpCodeTflAdd>(m_Any(), m_IsConstant())))
    return kLiteRtStatusPatternNoMatch;
  const auto type = root.Inputs()[1].RankedTensorType();
  if (!type) return kLiteRtStatusPatternNoMatch;
  const auto spec = [&](const char* name) {
    return RankedTensorSpecBuilder(*type).WithTensorName(name).Build();
  };
  Builder rewrite(builder);
  auto halves = rewrite.BuildTensor(spec("halves"));
  if (!halves) return kLiteRtStatusErrorRuntimeFailure;
  std::vector<float> values(root.Inputs()[1].Weights().Bytes().size() / sizeof(float), 0.5F);
  if (Is("rewrites_short")) values.pop_back();
  if (!rewrite.BuildWeights<float>(values, *halves)) return kLiteRtStatusErrorRuntimeFailure;
  const auto product = rewrite.CreateOpWithOutputSpec(kLiteRtOpCodeTflMul,
                                                      {root.Inputs()[0], *halves}, spec("product"));
  if (!product) return kLiteRtStatusErrorRuntimeFailure;
  rewrite.ReplaceOp(root, kLiteRtOpCodeTflSub, {*product, root.Inputs()[1]});
  return kLiteRtStatusOk;
}

// Leaves whoever reads its result without it.
[[maybe_unused]] LiteRtStatus EraseFirst(LiteRtBuilder builder, LiteRtOp op) {
  return LiteRtBuilderEraseOp(builder, op);
}

bool HasOp(LiteRtSubgraph subgraph, LiteRtOpCode wanted) {
  LiteRtParamIndex count = 0;
  LiteRtGetNumSubgraphOps(subgraph, &count);
  for (LiteRtParamIndex i = 0; i < count; ++i) {
    LiteRtOp op = nullptr;
    LiteRtOpCode code = {};
    LiteRtGetSubgraphOp(subgraph, i, &op);
    LiteRtGetOpCode(op, &code);
    if (code == wanted) return true;
  }
  return false;
}

// "takes_mul" and the like.
bool Takes(LiteRtOp op) {
  LiteRtOpCode code = {};
  LiteRtGetOpCode(op, &code);
  if (Is("takes_mul")) return code == kLiteRtOpCodeTflMul;
  if (Is("takes_add")) return code == kLiteRtOpCodeTflAdd;
  return true;
}

bool CannotCompile(LiteRtSubgraph subgraph) {
  LiteRtParamIndex count = 0;
  LiteRtGetNumSubgraphOps(subgraph, &count);
  return (Is("fails_on_sub") && HasOp(subgraph, kLiteRtOpCodeTflSub)) ||
         (Is("fails_on_three_ops") && count > 2);
}

// Its own line of the bytecode.
std::string CompileSubgraph(LiteRtSubgraph subgraph, const std::string& entry_point) {
  std::string line = entry_point + ":";
  LiteRtParamIndex count = 0;
  LiteRtGetNumSubgraphOps(subgraph, &count);
  for (LiteRtParamIndex i = 0; i < count; ++i) {
    LiteRtOp op = nullptr;
    LiteRtOpCode code = {};
    if (LiteRtGetSubgraphOp(subgraph, i, &op) != kLiteRtStatusOk) continue;
    LiteRtGetOpCode(op, &code);
    line += " " + std::to_string(code);
  }
  return line + "\n";
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtGetCompilerPluginVersion(LiteRtApiVersion* version) {
  if (version == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR,
              LITERT_API_VERSION_PATCH + (Is("wrong_version") ? 1 : 0)};
  return kLiteRtStatusOk;
}

const char* LiteRtGetCompilerPluginSocManufacturer() {
  return Is("no_manufacturer") ? nullptr : kTestPluginName;
}

LiteRtStatus LiteRtCreateCompilerPlugin(LiteRtCompilerPlugin* plugin, LiteRtEnvironmentOptions,
                                        LiteRtOptions) {
  if (Is("create_fails")) return kLiteRtStatusErrorRuntimeFailure;
  *plugin = Is("create_gives_null") ? nullptr : new LiteRtCompilerPluginT();
  return kLiteRtStatusOk;
}

const char* NpukitLastError() { return last_error; }

void LiteRtDestroyCompilerPlugin(LiteRtCompilerPlugin plugin) { delete plugin; }

LiteRtStatus LiteRtGetCompilerPluginSupportedHardware(LiteRtCompilerPlugin,
                                                      LiteRtHwAccelerators* hardware) {
  *hardware = kLiteRtHwAcceleratorNpu;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumCompilerPluginSupportedSocModels(LiteRtCompilerPlugin,
                                                          LiteRtParamIndex* count) {
  *count = std::size(kSocModels);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompilerPluginSupportedSocModel(LiteRtCompilerPlugin, LiteRtParamIndex index,
                                                      const char** name) {
  if (index >= std::size(kSocModels)) return kLiteRtStatusErrorIndexOOB;
  *name = Is("null_soc_model") ? nullptr : kSocModels[index];
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginPartition(LiteRtCompilerPlugin plugin, const char*,
                                           LiteRtSubgraph subgraph, LiteRtOpList selected) {
  if (Is("fails_in_partition")) {
    last_error = "no licence";
    return kLiteRtStatusErrorRuntimeFailure;
  }
  if (Is("selects_nothing")) return kLiteRtStatusOk;
  if (Is("selects_null")) return LiteRtPushOp(selected, nullptr, 0);
  LiteRtParamIndex count = 0;
  LiteRtGetNumSubgraphOps(subgraph, &count);
  for (LiteRtParamIndex i = 0; i < count; ++i) {
    LiteRtOp op = nullptr;
    LiteRtStatus status = LiteRtGetSubgraphOp(subgraph, i, &op);
    if (status != kLiteRtStatusOk) return status;
    if (Is("selects_stranger") && plugin->stranger != nullptr) op = plugin->stranger;
    if (plugin->stranger == nullptr) plugin->stranger = op;
    status = Is("example_like") || Is("two_modules") || Is("explains")
                 ? SelectLikeTheExample(op, selected)
             : Takes(op) ? LiteRtPushOp(selected, op, 0)
                         : kLiteRtStatusOk;
    if (status != kLiteRtStatusOk) return status;
    if (Is("selects_twice")) LiteRtPushOp(selected, op, 3);
  }
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginCompile(LiteRtCompilerPlugin plugin, const char*,
                                         LiteRtModel partitions, LiteRtCompiledResult* result) {
  if (Is("fails_in_compile")) {
    last_error = "op 1 of 2\nhas no room\n";
    return kLiteRtStatusErrorCompilation;
  }
  LiteRtParamIndex num_partitions = 0;
  LiteRtGetNumModelSubgraphs(partitions, &num_partitions);
  for (LiteRtParamIndex i = 0; i < num_partitions; ++i) {
    LiteRtSubgraph subgraph = nullptr;
    LiteRtGetModelSubgraph(partitions, i, &subgraph);
    if (CannotCompile(subgraph)) return kLiteRtStatusErrorCompilation;
  }
  if (Is("null_result")) return kLiteRtStatusOk;
  auto* made = new LiteRtCompiledResultT();
  LiteRtParamIndex count = 0;
  LiteRtGetNumModelSubgraphs(partitions, &count);
  for (LiteRtParamIndex i = 0; i < count; ++i) {
    LiteRtSubgraph subgraph = nullptr;
    LiteRtGetModelSubgraph(partitions, i, &subgraph);
    const std::string entry_point =
        Is("duplicate_entry_points") ? "entry" : "entry_" + std::to_string(i);
    const bool starts_module = i == 0 || Is("two_modules");
    if (starts_module) made->modules.emplace_back();
    made->modules.back() += CompileSubgraph(subgraph, entry_point);
    for (size_t partition : {NPUKIT_ALL_PARTITIONS, size_t{i}}) {
      for (const auto& [key, value] : plugin->specs[partition])
        made->modules.back() += " " + key + "=" + value + "\n";
    }
    made->calls.push_back({entry_point, made->modules.size() - 1});
  }
  if (Is("empty_module")) made->modules.front().clear();
  if (Is("too_few_calls")) made->calls.pop_back();
  *result = made;
  return kLiteRtStatusOk;
}

void LiteRtDestroyCompiledResult(LiteRtCompiledResult result) { delete result; }

LiteRtStatus LiteRtGetCompiledResultByteCode(LiteRtCompiledResult result, LiteRtParamIndex index,
                                             const void** bytes, size_t* size_bytes) {
  if (index >= result->modules.size()) return kLiteRtStatusErrorIndexOOB;
  *bytes = Is("null_module") ? nullptr : result->modules[index].data();
  *size_bytes = result->modules[index].size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompiledResultNumByteCodeModules(LiteRtCompiledResult result,
                                                    LiteRtParamIndex* count) {
  *count = result->modules.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompiledResultCallInfo(LiteRtCompiledResult result, LiteRtParamIndex index,
                                             const void** name, size_t* name_bytes,
                                             LiteRtParamIndex* module) {
  if (index >= result->calls.size()) return kLiteRtStatusErrorIndexOOB;
  const LiteRtCompiledResultT::Call& call = result->calls[index];
  *name = Is("null_entry_point") ? nullptr : call.entry_point.data();
  *name_bytes = call.entry_point.size();
  *module = Is("bad_module_index") ? 77 : call.module;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumCompiledResultCalls(LiteRtCompiledResult result, LiteRtParamIndex* count) {
  *count = result->calls.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginRegisterAllTransformations(LiteRtCompilerPlugin,
                                                            LiteRtTransformation** transformations,
                                                            LiteRtParamIndex* count) {
  // The one of the higher benefit hides the other.
  static LiteRtTransformation rewrites[] = {{SubOfMulToAdd, "never", 1},
                                            {SubOfMulToMul, "sub of mul to mul", 2}};
  static LiteRtTransformation constants[] = {{AddToMulSub, "add to mul and sub", 1}};
  static LiteRtTransformation nameless[] = {{AddToMulSub, nullptr, 1}, {nullptr, "no pattern", 2}};
  static LiteRtTransformation breaks[] = {{EraseFirst, "erase the first", 0}};
  static LiteRtTransformation never_settles[] = {{MulToSub, "to sub", 0}, {SubToMul, "to mul", 0}};
  *count = 0;
  const auto give = [&](LiteRtTransformation* all, LiteRtParamIndex size) {
    *transformations = all;
    *count = size;
  };
  if (Is("rewrites")) give(rewrites, std::size(rewrites));
  if (Is("rewrites_constants") || Is("rewrites_short")) give(constants, std::size(constants));
  if (Is("nameless_rewrite")) give(nameless, std::size(nameless));
  if (Is("breaks_graph")) give(breaks, std::size(breaks));
  if (Is("never_settles")) give(never_settles, std::size(never_settles));
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginCheckCompilerCompatibility(LiteRtApiVersion, LiteRtCompilerPlugin,
                                                            LiteRtEnvironmentOptions, LiteRtOptions,
                                                            const char*) {
  return Is("incompatible") ? kLiteRtStatusErrorUnsupportedCompilerVersion : kLiteRtStatusOk;
}

}  // extern "C"
