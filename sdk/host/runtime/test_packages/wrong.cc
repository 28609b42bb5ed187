// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Packages that are wrong in one way each, which kTestPackageName tells. "counts" is a good one
// that counts its objects and can fail in each call, as its options say.

#include <cstring>
#include <string>

#include "npukit/op_package.h"

extern const char kTestPackageName[];  // name.cc

namespace {

bool Is(const std::string& what) { return kTestPackageName == "test." + what; }

int g_live_objects = 0;

struct TestOp : NpukitOp {
  std::string fails_in;
};

LiteRtStatus Answer(NpukitOp* op, const char* call) {
  return static_cast<TestOp*>(op)->fails_in == call ? kLiteRtStatusErrorRuntimeFailure
                                                    : kLiteRtStatusOk;
}
LiteRtStatus Load(NpukitOp* op, const NpukitOpAttributes* attributes) {
  static_cast<TestOp*>(op)->fails_in.assign(reinterpret_cast<const char*>(attributes->options),
                                            attributes->options_size_bytes);
  return Answer(op, "load");
}
LiteRtStatus Trace(NpukitOp* op, const NpukitOpTensor*, size_t, const NpukitOpTensor*, size_t) {
  return Answer(op, "trace");
}
LiteRtStatus Reshape(NpukitOp* op, const NpukitOpTensor* inputs, size_t, NpukitOpTensor* outputs,
                     size_t) {
  outputs[0].rank = inputs[0].rank;
  std::memcpy(outputs[0].dims, inputs[0].dims, sizeof(outputs[0].dims));
  return Answer(op, "reshape");
}
LiteRtStatus Setup(NpukitOp* op, const NpukitOpTensor*, size_t, const NpukitOpTensor*, size_t,
                   size_t*) {
  return Answer(op, "setup");
}
LiteRtStatus Forward(NpukitOp* op, const NpukitOpTensor* inputs, size_t,
                     const NpukitOpTensor* outputs, size_t, void*) {
  std::memcpy(outputs[0].data, inputs[0].data, inputs[0].size_bytes);
  return Answer(op, "forward");
}
const char* LastError(const NpukitOp*) { return "as it was told"; }

const NpukitOpVtable kVtable = {Load, Trace, Reshape, Setup, Forward, LastError};

NpukitOp* Create() {
  ++g_live_objects;
  auto* op = new TestOp;
  op->vtable = &kVtable;
  return op;
}
void Free(NpukitOp* op) {
  --g_live_objects;
  delete static_cast<TestOp*>(op);
}

}  // namespace

extern "C" {

LITERT_CAPI_EXPORT int TestPackageLiveObjects() { return g_live_objects; }

LITERT_CAPI_EXPORT const NpukitOpPackageDescriptor* opPackageDescriptor() {
  static NpukitOpFactory factory = {"test.identity", Create, Free};
  static NpukitOpPackageDescriptor descriptor = {NPUKIT_OP_PACKAGE_VERSION,
                                                 sizeof(NpukitOpPackageDescriptor),
                                                 "",
                                                 kNpukitOpDeviceCpu,
                                                 1,
                                                 &factory};
  std::strcpy(descriptor.name, kTestPackageName);
  if (Is("null_descriptor")) return nullptr;
  // Nothing but the version may be read: the rest of this page is not there.
  if (Is("later_version")) descriptor = {2, 8, "", 9, 4096, nullptr};
  if (Is("other_size")) descriptor.struct_size = 4;
  if (Is("too_many")) descriptor.num_operators = 100000;
  if (Is("no_operators")) descriptor.num_operators = 0;
  if (Is("null_operators")) descriptor.operators = nullptr;
  if (Is("null_create")) factory.create = nullptr;
  if (Is("endless_name")) std::memset(factory.name, 'x', sizeof(factory.name));
  if (Is("other_device")) descriptor.device = 7;
  if (Is("host_operator")) std::strcpy(factory.name, "odml.rms_norm");
  return &descriptor;
}

}  // extern "C"
