// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_STATIC_REGISTRATION_H_
#define NPUKIT_INTERNAL_STATIC_REGISTRATION_H_

// What NPUKIT_REGISTER_COMPILER_PLUGIN and NPUKIT_REGISTER_DISPATCH are made of.

#include <cstddef>

#include "litert/c/litert_common.h"
#include "npukit/internal/namespace.h"
#include "npukit/static_plugin.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// Registers when it is made. The host logs why it did not.
struct StaticRegistration {
  template <size_t kNumSymbols>
  StaticRegistration(NpukitStaticPluginKind kind, const char* name,
                     const NpukitStaticSymbol (&symbols)[kNumSymbols]) {
    const NpukitStaticPlugin plugin = {sizeof(plugin), kind, name, symbols, kNumSymbols};
    NpukitRegisterStaticPlugin(&plugin);
  }
};

// `function`, which must be of the type that `symbol` has in its header.
template <class Function>
NpukitStaticSymbol StaticSymbol(const char* symbol, Function* function) {
  return {symbol, reinterpret_cast<NpukitStaticFunction>(function)};
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#define NPUKIT_INTERNAL_ABI_OF_LINKED_PLUGINS \
  "what is linked into a program calls the host directly: compile it without NPUKIT_ABI_2_2"

#define NPUKIT_INTERNAL_JOIN_2(a, b) a##b
#define NPUKIT_INTERNAL_JOIN(a, b) NPUKIT_INTERNAL_JOIN_2(a, b)

// A row of the lists of functions in npukit/plugin.h and npukit/dispatch.h as an exported function,
// and as an element of the table that is registered.
#define NPUKIT_INTERNAL_EXPORT_FUNCTION(result, symbol, parameters, arguments, implementation) \
  result symbol parameters { return implementation arguments; }
#define NPUKIT_INTERNAL_STATIC_SYMBOL(result, symbol, parameters, arguments, implementation) \
  ::npukit::internal::StaticSymbol<decltype(symbol)>(#symbol, implementation),

#endif  // NPUKIT_INTERNAL_STATIC_REGISTRATION_H_
