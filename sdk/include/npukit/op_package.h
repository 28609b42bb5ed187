// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_OP_PACKAGE_H_
#define NPUKIT_OP_PACKAGE_H_

// An operator package: a shared library with operators that the host lacks, for
// TFLite custom ops (by custom code) and composites (by name). It exports one
// function, opPackageDescriptor, and links nothing of the host. C11; authors in
// C++ use npukit/customized_op.h.
//
// Life of an op of a model: create, load, trace, reshape, setup, forward any
// number of times, free. The host may create and free further objects to learn
// shapes (without setup and forward). One thread at a time calls an object;
// different objects are called side by side. The package frees what it created,
// and is closed after that.

#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the structs below. A host reads a descriptor only if both numbers are what
// it expects.
#define NPUKIT_OP_PACKAGE_VERSION 1
#define NPUKIT_OP_PACKAGE_MAX_OPERATORS 256
#define NPUKIT_OP_PACKAGE_NAME_BYTES 128
#define NPUKIT_OP_MAX_RANK 8

typedef enum NpukitOpDevice {
  kNpukitOpDeviceCpu = 0,
} NpukitOpDevice;

// An input or output.
typedef struct NpukitOpTensor {
  const char* name;
  LiteRtElementType element_type;  // kLiteRtElementTypeNone: an omitted optional input
  uint32_t rank;
  int32_t dims[NPUKIT_OP_MAX_RANK];
  // Per-tensor quantisation, value = scale * (stored - zero_point); 0: none.
  float scale;
  int64_t zero_point;
  // Dense values. In forward: of every tensor that is not omitted; outputs are
  // to be written. Before: of constant inputs only, else null.
  void* data;
  size_t size_bytes;
} NpukitOpTensor;

// What an op is loaded with; valid during the call.
typedef struct NpukitOpAttributes {
  size_t struct_size;
  const char* name;  // the custom code or composite name
  int32_t version;
  // Custom options, or the composite's attributes: a FlexBuffer by custom, but
  // any bytes. May be null and 0.
  const uint8_t* options;
  size_t options_size_bytes;
} NpukitOpAttributes;

typedef struct NpukitOp NpukitOp;

// Every function is there; each returns kLiteRtStatusOk or says by last_error
// what was wrong.
typedef struct NpukitOpVtable {
  // Reads the attributes.
  LiteRtStatus (*load)(NpukitOp* op, const NpukitOpAttributes* attributes);
  // Looks at the tensors as the model declares them (dims as in the file, -1 for
  // unknown ones): refuses numbers of tensors, types and quantisation that it
  // does not know.
  LiteRtStatus (*trace)(NpukitOp* op, const NpukitOpTensor* inputs, size_t num_inputs,
                        const NpukitOpTensor* outputs, size_t num_outputs);
  // With resolved input shapes, writes rank and dims of the outputs.
  LiteRtStatus (*reshape)(NpukitOp* op, const NpukitOpTensor* inputs, size_t num_inputs,
                          NpukitOpTensor* outputs, size_t num_outputs);
  // All shapes are resolved: prepares, and says how much scratch memory forward
  // wants.
  LiteRtStatus (*setup)(NpukitOp* op, const NpukitOpTensor* inputs, size_t num_inputs,
                        const NpukitOpTensor* outputs, size_t num_outputs, size_t* scratch_bytes);
  // Computes the outputs. `scratch` is aligned to 64 bytes, null if none was
  // asked for. Inputs must not be written.
  LiteRtStatus (*forward)(NpukitOp* op, const NpukitOpTensor* inputs, size_t num_inputs,
                          const NpukitOpTensor* outputs, size_t num_outputs, void* scratch);
  // Why the last call of this object failed; owned by it. Never null.
  const char* (*last_error)(const NpukitOp* op);
} NpukitOpVtable;

// What create gives begins with this.
struct NpukitOp {
  const NpukitOpVtable* vtable;
};

typedef struct NpukitOpFactory {
  char name[NPUKIT_OP_PACKAGE_NAME_BYTES];  // ended by a zero
  NpukitOp* (*create)(void);                // null: out of memory
  void (*free_op)(NpukitOp* op);
} NpukitOpFactory;

// `version` and `struct_size` are read before anything else.
typedef struct NpukitOpPackageDescriptor {
  uint32_t version;                         // NPUKIT_OP_PACKAGE_VERSION
  uint32_t struct_size;                     // sizeof(NpukitOpPackageDescriptor)
  char name[NPUKIT_OP_PACKAGE_NAME_BYTES];  // ended by a zero
  int32_t device;                           // NpukitOpDevice
  uint32_t num_operators;                   // 1 to NPUKIT_OP_PACKAGE_MAX_OPERATORS
  const NpukitOpFactory* operators;         // [num_operators]
} NpukitOpPackageDescriptor;

// Lives as long as the library is open.
LITERT_CAPI_EXPORT const NpukitOpPackageDescriptor* opPackageDescriptor(void);
typedef const NpukitOpPackageDescriptor* (*NpukitOpPackageDescriptorT)(void);

// In-tree registration: adds an operator of the program itself to the host, for
// good. `device` is an NpukitOpDevice. kLiteRtStatusErrorAlreadyExists: the name
// is taken. Exported by the host.
LITERT_CAPI_EXPORT LiteRtStatus NpukitRegisterCustomizedOp(int32_t device,
                                                           const NpukitOpFactory* factory);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // NPUKIT_OP_PACKAGE_H_
