// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A shared library that registers a plugin when it is opened: it stays for good.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/session/session.h"
#include "sdk/tests/linked/linked_models.h"

namespace npukit {
namespace {

TEST(LinkedModule, StaysWhenItIsClosed) {
  void* const module = dlopen(NPUKIT_LINKED_MODULE, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(module, nullptr) << dlerror();
  EXPECT_EQ(dlclose(module), 0);
  EXPECT_NE(dlopen(NPUKIT_LINKED_MODULE, RTLD_NOW | RTLD_NOLOAD), nullptr);
  auto session =
      Ok(Session::Create(MulAddModel(kLiteRtOpCodeTflSub, kLiteRtOpCodeTflSub), {.jit = true}));
  EXPECT_EQ(session->placement().dispatch, "linked:Plain (Plain, in C)");
  FillRandomInputs(session->default_runner(), 1);
  Ok(session->default_runner().Run());
  Ok(session->Close());
}

}  // namespace
}  // namespace npukit
