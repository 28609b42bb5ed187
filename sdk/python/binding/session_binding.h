// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit._npukit.Session: a session with arrays in and out. Runs release Python's lock; a session
// belongs to one thread at a time, and a second one gets a UsageError.

#ifndef NPUKIT_SDK_PYTHON_BINDING_SESSION_BINDING_H_
#define NPUKIT_SDK_PYTHON_BINDING_SESSION_BINDING_H_

#include <pybind11/pybind11.h>

namespace npukit::python {

void AddSession(pybind11::module_& module);

}  // namespace npukit::python

#endif  // NPUKIT_SDK_PYTHON_BINDING_SESSION_BINDING_H_
