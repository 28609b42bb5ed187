// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/python/binding/errors.h"

namespace npukit::python {

namespace py = pybind11;

void Raise(Fault fault, const std::string& message) {
  const char* name = "RunError";
  if (fault == Fault::kUsage) name = "UsageError";
  if (fault == Fault::kNotLoaded) name = "LoadError";
  const py::object type = py::module_::import("npukit.errors").attr(name);
  // What a file holds need not be UTF-8.
  const py::object text = py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
      message.data(), static_cast<Py_ssize_t>(message.size()), "backslashreplace"));
  PyErr_SetObject(type.ptr(), text.ptr());
  throw py::error_already_set();
}

void Raise(Fault fault, const litert::Error& error) {
  Raise(fault, error.Message().empty() ? error.ToString() : error.Message());
}

}  // namespace npukit::python
