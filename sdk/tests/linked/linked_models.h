// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Models for the vendors that are linked into the tests, and plugins registered by hand.

#ifndef NPUKIT_SDK_TESTS_LINKED_LINKED_MODELS_H_
#define NPUKIT_SDK_TESTS_LINKED_LINKED_MODELS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "npukit/static_plugin.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/tests/expect_ok.h"

namespace npukit {

// out = (a * b + a) * b, or the same with other ops for each of the two kinds.
inline std::unique_ptr<Model> MulAddModel(LiteRtOpCode outer = kLiteRtOpCodeTflMul,
                                          LiteRtOpCode inner = kLiteRtOpCodeTflAdd) {
  ModelBuilder builder;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* a = builder.Input("a", type, {2, 8});
  Tensor* b = builder.Input("b", type, {2, 8});
  Tensor* first = builder.Value("first", type, {2, 8});
  Tensor* second = builder.Value("second", type, {2, 8});
  Tensor* out = builder.Value("out", type, {2, 8});
  builder.AddOp(outer, {a, b}, {first});
  builder.AddOp(inner, {first, a}, {second});
  builder.AddOp(outer, {second, b}, {out});
  builder.Output(out);
  builder.AddSignature("serving_default");
  return Ok(builder.Build());
}

// A table that is registered while this lives.
class Registered {
 public:
  Registered(NpukitStaticPluginKind kind, std::string name, std::vector<NpukitStaticSymbol> symbols)
      : kind_(kind), name_(std::move(name)) {
    const NpukitStaticPlugin plugin = {sizeof(plugin), kind_, name_.c_str(), symbols.data(),
                                       symbols.size()};
    status_ = NpukitRegisterStaticPlugin(&plugin);
  }
  explicit Registered(const NpukitStaticPlugin& plugin)
      : Registered(static_cast<NpukitStaticPluginKind>(plugin.kind), plugin.name,
                   {plugin.symbols, plugin.symbols + plugin.num_symbols}) {}
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;
  ~Registered() {
    if (status_ == kLiteRtStatusOk) NpukitUnregisterStaticPlugin(kind_, name_.c_str());
  }
  LiteRtStatus status() const { return status_; }

 private:
  const NpukitStaticPluginKind kind_;
  const std::string name_;
  LiteRtStatus status_ = kLiteRtStatusOk;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_TESTS_LINKED_LINKED_MODELS_H_
