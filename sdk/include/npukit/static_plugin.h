// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_STATIC_PLUGIN_H_
#define NPUKIT_STATIC_PLUGIN_H_

// Compiler plugins and dispatch libraries that are linked into the program, in
// place of lying in a folder as files: a table of the functions that such a file
// would export, told to the host. C11; classes on npukit/plugin.h and
// npukit/dispatch.h are registered by a macro of those headers.
//
//   static const NpukitStaticSymbol kSymbols[] = {
//       NPUKIT_STATIC_SYMBOL(LiteRtGetCompilerPluginVersion),
//       NPUKIT_STATIC_SYMBOL(LiteRtCreateCompilerPlugin),
//       ...
//   };
//   static const NpukitStaticPlugin kPlugin = {
//       sizeof(kPlugin), kNpukitStaticPluginCompiler, "Contoso", kSymbols,
//       sizeof(kSymbols) / sizeof(kSymbols[0])};
//   LiteRtStatus status = NpukitRegisterStaticPlugin(&kPlugin);
//
// The host takes it from there as it takes a file: what the table holds decides of
// which of LiteRT's releases it is, and a mandatory function that is missing is an
// error when the plugin is first used. In messages its path is "linked:Contoso".

#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum NpukitStaticPluginKind {
  kNpukitStaticPluginCompiler = 1,  // libLiteRtCompilerPlugin_<name>.so
  kNpukitStaticPluginDispatch = 2,  // libLiteRtDispatch_<name>.so
} NpukitStaticPluginKind;

// Any function; cast back before it is called.
typedef void (*NpukitStaticFunction)(void);

typedef struct NpukitStaticSymbol {
  const char* name;  // as a file would export it
  NpukitStaticFunction function;
} NpukitStaticSymbol;

typedef struct NpukitStaticPlugin {
  size_t struct_size;  // sizeof(NpukitStaticPlugin)
  int32_t kind;        // NpukitStaticPluginKind
  // What follows the underscore in a file's name: by custom the manufacturer or
  // vendor id. Not empty, without '/'.
  const char* name;
  const NpukitStaticSymbol* symbols;  // [num_symbols], each once
  size_t num_symbols;                 // 1 to NPUKIT_STATIC_PLUGIN_MAX_SYMBOLS
} NpukitStaticPlugin;

#define NPUKIT_STATIC_PLUGIN_MAX_SYMBOLS 256

// An element of `symbols` for a function of that name.
#ifdef __cplusplus
#define NPUKIT_STATIC_SYMBOL(function) \
  { #function, reinterpret_cast < NpukitStaticFunction>(&function) }
#else
#define NPUKIT_STATIC_SYMBOL(function) \
  { #function, (NpukitStaticFunction)(function) }
#endif

// The functions below are exported by the host and may be called from any
// thread, also before main. An error is logged with its reason.

// Copies the struct and what it points to; the functions must stay callable to
// the end of the process, wherefore the library that holds the first of them is
// not unloaded any more. Sessions and compiled models that are made afterwards
// can use it. kLiteRtStatusErrorInvalidArgument: a null pointer, an unknown kind,
// a bad name, a symbol without name or function or given twice.
// kLiteRtStatusErrorWrongVersion: struct_size is smaller than this host's.
// kLiteRtStatusErrorAlreadyExists: the name is taken among those of the kind
// (case does not count); the earlier one stays.
LITERT_CAPI_EXPORT LiteRtStatus NpukitRegisterStaticPlugin(const NpukitStaticPlugin* plugin);

// What has been made with it goes on working; nothing new is.
// kLiteRtStatusErrorNotFound: there is none.
LITERT_CAPI_EXPORT LiteRtStatus NpukitUnregisterStaticPlugin(int32_t kind, const char* name);

// The name at a position, in the order in which the host asks them; cut to fit
// `size`, with a zero at the end. kLiteRtStatusErrorIndexOOB: there are not so
// many.
LITERT_CAPI_EXPORT LiteRtStatus NpukitGetStaticPluginName(int32_t kind, size_t position,
                                                          char* buffer, size_t size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // NPUKIT_STATIC_PLUGIN_H_
