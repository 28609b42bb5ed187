// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit._npukit: the host, for the Python package around it. Private; its types stand in
// _npukit.pyi.

#include <dlfcn.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litert/c/litert_environment.h"
#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/python/binding/errors.h"
#include "sdk/python/binding/session_binding.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/command_line/version.h"
#include "sdk/tools/reports/model_report.h"

namespace npukit::python {
namespace {

namespace py = pybind11;

// What `npukit inspect --json` prints. `path` is the file, or the name of `content` in errors.
std::string Describe(const std::string& path, const std::optional<py::bytes>& content) {
  SharedBytes file;
  if (content) {
    const std::string_view view = *content;
    file = SharedBytes::Copy({reinterpret_cast<const uint8_t*>(view.data()), view.size()});
  } else {
    file = ValueOr(Fault::kNotLoaded, MapFile(path));
  }
  const auto model = ValueOr(Fault::kNotLoaded, ParseModel(file, path));
  return tools::JsonText(tools::DescribeModel(*model, file, path));
}

// Where libLiteRt.so lies, beside whose folder the commands are.
std::string HostLibrary() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&LiteRtCreateEnvironment), &info) == 0) return "";
  return info.dli_fname;
}

}  // namespace
}  // namespace npukit::python

PYBIND11_MODULE(_npukit, module) {
  module.doc() = "npukit's host; use the package npukit";
  module.def("version", [] { return npukit::tools::Version(); });
  module.def("host_library", npukit::python::HostLibrary);
  module.def("describe", npukit::python::Describe, pybind11::arg("path"), pybind11::arg("content"));
  npukit::python::AddSession(module);
}
