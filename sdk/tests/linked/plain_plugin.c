// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A compiler plugin in C, as one writes it on LiteRT's headers alone, linked in by a table. Takes
// SUB, each op as a partition of its own. The bytecode is "Plain"; an entry point says by its first
// two letters which inputs of the partition the op subtracts.

#include <stdio.h>
#include <stdlib.h>

#include "litert/c/litert_model.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "sdk/tests/linked/behaviour.h"
#include "sdk/tests/linked/plain_vendor.h"

enum { kMaxCalls = 8, kCallBytes = 16 };

struct LiteRtCompilerPluginT {
  int unused;
};

struct LiteRtCompiledResultT {
  size_t num_calls;
  char calls[kMaxCalls][kCallBytes];
};

static LiteRtStatus GetVersion(LiteRtApiVersion* version) {
  version->major = LITERT_API_VERSION_MAJOR;
  version->minor = LITERT_API_VERSION_MINOR;
  version->patch = LITERT_API_VERSION_PATCH;
  return kLiteRtStatusOk;
}

static const char* GetManufacturer(void) { return "Plain"; }

static LiteRtStatus Create(LiteRtCompilerPlugin* plugin, LiteRtEnvironmentOptions env,
                           LiteRtOptions options) {
  (void)env;
  (void)options;
  *plugin = calloc(1, sizeof(struct LiteRtCompilerPluginT));
  return *plugin == NULL ? kLiteRtStatusErrorMemoryAllocationFailure : kLiteRtStatusOk;
}

static void Destroy(LiteRtCompilerPlugin plugin) { free(plugin); }

static LiteRtStatus GetHardware(LiteRtCompilerPlugin plugin, LiteRtHwAccelerators* hardware) {
  (void)plugin;
  *hardware = kLiteRtHwAcceleratorNpu;
  return kLiteRtStatusOk;
}

static LiteRtStatus GetNumSocs(LiteRtCompilerPlugin plugin, LiteRtParamIndex* num) {
  (void)plugin;
  *num = 1;
  return kLiteRtStatusOk;
}

static LiteRtStatus GetSoc(LiteRtCompilerPlugin plugin, LiteRtParamIndex index, const char** name) {
  (void)plugin;
  if (index != 0) return kLiteRtStatusErrorIndexOOB;
  *name = "p1";
  return kLiteRtStatusOk;
}

static LiteRtStatus Partition(LiteRtCompilerPlugin plugin, const char* soc, LiteRtSubgraph subgraph,
                              LiteRtOpList selected) {
  (void)plugin;
  (void)soc;
  LiteRtParamIndex num_ops = 0;
  LiteRtStatus status = LiteRtGetNumSubgraphOps(subgraph, &num_ops);
  for (LiteRtParamIndex i = 0; i < num_ops && status == kLiteRtStatusOk; ++i) {
    LiteRtOp op = NULL;
    LiteRtOpCode code = kLiteRtOpCodeTflCustom;
    status = LiteRtGetSubgraphOp(subgraph, i, &op);
    if (status == kLiteRtStatusOk) status = LiteRtGetOpCode(op, &code);
    if (status == kLiteRtStatusOk && code == kLiteRtOpCodeTflSub) {
      status = LiteRtPushOp(selected, op, i);
    }
  }
  return status;
}

// Which input of the partition an input of its op is.
static int OperandOf(LiteRtSubgraph subgraph, LiteRtOp op, LiteRtParamIndex input) {
  LiteRtTensor wanted = NULL;
  LiteRtTensor first = NULL;
  if (LiteRtGetOpInput(op, input, &wanted) != kLiteRtStatusOk ||
      LiteRtGetSubgraphInput(subgraph, 0, &first) != kLiteRtStatusOk) {
    return 0;
  }
  return wanted == first ? 0 : 1;
}

static LiteRtStatus Compile(LiteRtCompilerPlugin plugin, const char* soc, LiteRtModel partitions,
                            LiteRtCompiledResult* result) {
  (void)plugin;
  (void)soc;
  LiteRtParamIndex num = 0;
  LiteRtStatus status = LiteRtGetNumModelSubgraphs(partitions, &num);
  if (status != kLiteRtStatusOk) return status;
  if (num > kMaxCalls) return kLiteRtStatusErrorUnsupported;
  LiteRtCompiledResult made = calloc(1, sizeof(*made));
  if (made == NULL) return kLiteRtStatusErrorMemoryAllocationFailure;
  made->num_calls = num;
  for (LiteRtParamIndex i = 0; i < num && status == kLiteRtStatusOk; ++i) {
    LiteRtSubgraph subgraph = NULL;
    LiteRtOp op = NULL;
    status = LiteRtGetModelSubgraph(partitions, i, &subgraph);
    if (status == kLiteRtStatusOk) status = LiteRtGetSubgraphOp(subgraph, 0, &op);
    if (status != kLiteRtStatusOk) break;
    snprintf(made->calls[i], kCallBytes, "%d%d_%d", OperandOf(subgraph, op, 0),
             OperandOf(subgraph, op, 1), (int)i);
  }
  if (status == kLiteRtStatusOk) {
    *result = made;
  } else {
    free(made);
  }
  return status;
}

static void DestroyResult(LiteRtCompiledResult result) { free(result); }

static LiteRtStatus GetModule(LiteRtCompiledResult result, LiteRtParamIndex index,
                              const void** bytes, size_t* size) {
  (void)result;
  if (index != 0) return kLiteRtStatusErrorIndexOOB;
  *bytes = kPlainBytecode;
  *size = sizeof(kPlainBytecode) - 1;
  return kLiteRtStatusOk;
}

static LiteRtStatus GetNumModules(LiteRtCompiledResult result, LiteRtParamIndex* num) {
  (void)result;
  *num = 1;
  return kLiteRtStatusOk;
}

static LiteRtStatus GetCall(LiteRtCompiledResult result, LiteRtParamIndex index, const void** name,
                            size_t* size, LiteRtParamIndex* module) {
  if (index >= result->num_calls) return kLiteRtStatusErrorIndexOOB;
  *name = result->calls[index];
  *size = 0;
  while (result->calls[index][*size] != '\0') ++*size;
  *module = 0;
  return kLiteRtStatusOk;
}

static LiteRtStatus GetNumCalls(LiteRtCompiledResult result, LiteRtParamIndex* num) {
  *num = result->num_calls;
  return kLiteRtStatusOk;
}

static LiteRtStatus GetTransformations(LiteRtCompilerPlugin plugin, LiteRtTransformation** all,
                                       LiteRtParamIndex* num) {
  (void)plugin;
  *all = NULL;
  *num = 0;
  return kLiteRtStatusOk;
}

static LiteRtStatus CheckCompatibility(LiteRtApiVersion version, LiteRtCompilerPlugin plugin,
                                       LiteRtEnvironmentOptions env, LiteRtOptions options,
                                       const char* soc) {
  (void)version;
  (void)plugin;
  (void)env;
  (void)options;
  (void)soc;
  return kLiteRtStatusOk;
}

#define SYMBOL(name, function) \
  { name, (NpukitStaticFunction)(function) }
const NpukitStaticSymbol kPlainPluginSymbols[kNumPlainPluginSymbols] = {
    SYMBOL("LiteRtGetCompilerPluginVersion", GetVersion),
    SYMBOL("LiteRtGetCompilerPluginSocManufacturer", GetManufacturer),
    SYMBOL("LiteRtCreateCompilerPlugin", Create),
    SYMBOL("LiteRtDestroyCompilerPlugin", Destroy),
    SYMBOL("LiteRtGetCompilerPluginSupportedHardware", GetHardware),
    SYMBOL("LiteRtGetNumCompilerPluginSupportedSocModels", GetNumSocs),
    SYMBOL("LiteRtGetCompilerPluginSupportedSocModel", GetSoc),
    SYMBOL("LiteRtCompilerPluginPartition", Partition),
    SYMBOL("LiteRtCompilerPluginCompile", Compile),
    SYMBOL("LiteRtDestroyCompiledResult", DestroyResult),
    SYMBOL("LiteRtGetCompiledResultByteCode", GetModule),
    SYMBOL("LiteRtCompiledResultNumByteCodeModules", GetNumModules),
    SYMBOL("LiteRtGetCompiledResultCallInfo", GetCall),
    SYMBOL("LiteRtGetNumCompiledResultCalls", GetNumCalls),
    SYMBOL("LiteRtCompilerPluginRegisterAllTransformations", GetTransformations),
    SYMBOL("LiteRtCompilerPluginCheckCompilerCompatibility", CheckCompatibility),
};
