// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Registers the vendor in C when the library that it is in is opened. In C nothing else keeps the
// library in the process.

#include "sdk/tests/linked/plain_vendor.h"

__attribute__((constructor)) static void RegisterPlain(void) {
  const NpukitStaticPlugin compiler = {
      .struct_size = sizeof(NpukitStaticPlugin),
      .kind = kNpukitStaticPluginCompiler,
      .name = "Plain",
      .symbols = kPlainPluginSymbols,
      .num_symbols = kNumPlainPluginSymbols,
  };
  NpukitRegisterStaticPlugin(&compiler);
  NpukitRegisterStaticPlugin(&kPlainDispatch);
}
