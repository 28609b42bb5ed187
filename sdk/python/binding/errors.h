// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The host's errors as Python's exceptions, which sdk/python/npukit/errors.py declares.

#ifndef NPUKIT_SDK_PYTHON_BINDING_ERRORS_H_
#define NPUKIT_SDK_PYTHON_BINDING_ERRORS_H_

#include <pybind11/pybind11.h>

#include <string>
#include <utility>

#include "litert/cc/litert_expected.h"

namespace npukit::python {

// As the commands' exit codes: what a caller does about them differs.
enum class Fault { kUsage, kNotLoaded, kFailed };

// Raises npukit.UsageError, LoadError or RunError with the message.
[[noreturn]] void Raise(Fault fault, const std::string& message);
[[noreturn]] void Raise(Fault fault, const litert::Error& error);

// The value, or the exception.
template <typename T>
T ValueOr(Fault fault, litert::Expected<T> expected) {
  if (!expected) Raise(fault, expected.Error());
  return std::move(*expected);
}
inline void ValueOr(Fault fault, const litert::Expected<void>& expected) {
  if (!expected) Raise(fault, expected.Error());
}

}  // namespace npukit::python

#endif  // NPUKIT_SDK_PYTHON_BINDING_ERRORS_H_
