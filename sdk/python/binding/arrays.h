// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tensors as NumPy's arrays and back.
//
//   int4, int2     int8, one element a byte
//   bfloat16       float32
//   strings        objects: bytes; str is taken too, as UTF-8
//   all others     NumPy's type of the same name

#ifndef NPUKIT_SDK_PYTHON_BINDING_ARRAYS_H_
#define NPUKIT_SDK_PYTHON_BINDING_ARRAYS_H_

#include <pybind11/numpy.h>

#include <cstdint>
#include <span>
#include <vector>

#include "litert/c/litert_model_types.h"
#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit::python {

// What an output of the type becomes. UsageError for a type that has no arrays.
pybind11::dtype ArrayType(LiteRtElementType type);

// Whatever numpy.asarray takes, as the bytes of an input. It must have the input's shape, dimensions
// of 1 aside. Of another type it is converted as the commands do it with .npy files: floats for a
// quantised input are quantised. UsageError names the input, what it expects and what was found.
std::vector<uint8_t> InputBytes(const pybind11::object& value, const PortInfo& port);

// A copy. RunError if the bytes are no tensor of this type.
pybind11::object OutputArray(const PortInfo& port, std::span<const uint8_t> bytes);

}  // namespace npukit::python

#endif  // NPUKIT_SDK_PYTHON_BINDING_ARRAYS_H_
