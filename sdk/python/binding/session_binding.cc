// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/python/binding/session_binding.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/session/session.h"
#include "sdk/python/binding/arrays.h"
#include "sdk/python/binding/errors.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/flags/session_flags.h"
#include "sdk/tools/reports/session_report.h"

namespace npukit::python {
namespace {

namespace py = pybind11;

// What Python may say of a session, as the commands' options of the same names.
struct Wishes {
  tools::SessionFlags flags;
  std::vector<std::pair<std::string, std::vector<int32_t>>> resizes;
};

SessionOptions ReadWishes(Wishes& wishes) {
  tools::SessionFlags& flags = wishes.flags;
  if (!flags.delegation.soc_file.empty() && (!flags.soc.empty() || !flags.jit)) {
    Raise(Fault::kUsage,
          flags.jit ? "soc_file: excludes soc" : "soc_file: without jit the model is not compiled");
  }
  ValueOr(Fault::kUsage, flags.require_npu.Read());
  SessionOptions options = ValueOr(Fault::kUsage, flags.Options());
  for (auto& [name, shape] : wishes.resizes)
    options.resizes.push_back({.tensor = name, .shape = std::move(shape)});
  ValueOr(Fault::kNotLoaded, flags.CheckPluginDir());
  ValueOr(Fault::kUsage,
          tools::CheckSpecs(options.plugin_dir, options.plugins, options.placement, options.soc));
  return options;
}

std::vector<std::string> WarningsOf(const Session& session) {
  std::vector<std::string> warnings;
  for (const auto& failure : session.op_packages().failures) {
    warnings.push_back(
        fmt::format("operator package not used: {}: {}", failure.path, failure.reason));
  }
  if (session.applied() == nullptr) return warnings;
  for (const std::string& warning : session.applied()->warnings) warnings.push_back(warning);
  for (const auto& failure : session.applied()->failures) warnings.push_back(failure.message);
  return warnings;
}

// "--soc-file" as Python spells it.
std::string ArgumentOf(std::string_view option) {
  if (option == "--plugin" || option == "--spec") return fmt::format("{}s", option.substr(2));
  std::string name(option.substr(2));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// An open session, which one thread at a time may use.
class PySession {
 public:
  PySession(std::unique_ptr<Session> session, std::string model)
      : session_(std::move(session)), model_(std::move(model)) {}
  PySession(const PySession&) = delete;
  PySession& operator=(const PySession&) = delete;
  ~PySession() { session_.reset(); }

  // One use at a time: the holder of the turn. The interpreter's lock does not see to it, as a run
  // releases it; nor does it keep a thread from coming here again, by Python code of an input
  // (__array__) within run().
  class Turn {
   public:
    explicit Turn(PySession& owner) : owner_(owner) {
      if (owner.busy_.exchange(true))
        Raise(Fault::kUsage, owner.model_ + ": the session is running in another thread");
      if (owner.session_ != nullptr) return;
      owner.busy_ = false;
      Raise(Fault::kUsage, owner.model_ + ": the session is closed");
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { owner_.busy_ = false; }
    Session& session() { return *owner_.session_; }

   private:
    PySession& owner_;
  };

  void Close() {
    if (session_ == nullptr) return;
    Turn turn(*this);
    const auto closed = session_->Close();
    session_.reset();
    ValueOr(Fault::kFailed, closed);
  }

  SignatureRunner& Runner(Session& session, const std::optional<std::string>& signature) {
    auto runner = session.Runner(signature.value_or(""));
    if (!runner) Raise(Fault::kUsage, runner.Error());
    return **runner;
  }

  const std::string& model() const { return model_; }

 private:
  std::unique_ptr<Session> session_;
  std::string model_;
  std::atomic<bool> busy_ = false;
};

std::unique_ptr<PySession> Open(const std::string& path, const std::optional<py::bytes>& content,
                                Wishes wishes) {
  const SessionOptions options = ReadWishes(wishes);
  tools::SessionFlags& flags = wishes.flags;
  std::optional<std::vector<uint8_t>> bytes;
  if (content) {
    const std::string_view view = *content;
    // A copy: without the lock nothing of Python may be looked at.
    bytes.emplace(view.begin(), view.end());
  }
  std::unique_ptr<Session> session;
  // To be raised once the lock is held again: an exception is an object of Python.
  std::optional<std::pair<Fault, std::string>> failed;
  {
    const py::gil_scoped_release release;
    auto model = bytes ? ParseModel(SharedBytes::Take(std::move(*bytes)), path) : LoadModel(path);
    if (model) {
      if (auto there = Session::CheckResizes(**model, options.resizes); !there)
        failed.emplace(Fault::kUsage, path + ": " + there.Error().Message());
    }
    auto opened =
        model ? Session::Create(std::move(*model), options)
              : litert::Expected<std::unique_ptr<Session>>(litert::Unexpected(model.Error()));
    if (failed) {
      // Told.
    } else if (!opened) {
      failed.emplace(Fault::kNotLoaded, opened.Error().Message().empty()
                                            ? opened.Error().ToString()
                                            : opened.Error().Message());
    } else {
      session = std::move(*opened);
      const SessionPlacement& placement = session->placement();
      const bool is_plain = !flags.jit && placement.partitions == 0;
      if (const auto code = tools::CodeOfFallback(placement.fallback); code != tools::kDone) {
        failed.emplace(code == tools::kFailed       ? Fault::kFailed
                       : code == tools::kWrongUsage ? Fault::kUsage
                                                    : Fault::kNotLoaded,
                       path + ": nothing runs on the NPU: " + placement.fallback_reason);
      } else if (const std::string unheard = is_plain ? tools::OptionForCompilers(flags) : "";
                 !unheard.empty()) {
        failed.emplace(Fault::kUsage, fmt::format("{}: {} without jit: the model is not compiled",
                                                  path, ArgumentOf(unheard)));
      } else if (auto met = tools::CheckRequirement(flags, *session); !met) {
        failed.emplace(Fault::kFailed, path + ": " + met.Error().Message());
      }
    }
  }
  if (failed) Raise(failed->first, failed->second);
  return std::make_unique<PySession>(std::move(session), path);
}

py::list PortsOf(std::span<const PortInfo> ports) {
  py::list list;
  for (const PortInfo& port : ports) {
    py::dict entry;
    entry["name"] = port.name;
    entry["dtype"] = ElementTypeName(port.element_type);
    entry["array_dtype"] = ArrayType(port.element_type).attr("name");
    entry["shape"] = py::tuple(py::cast(port.shape));
    const bool scaled = port.tensor != nullptr && port.tensor->quantization.is_per_tensor();
    entry["scale"] = scaled ? py::object(py::cast(port.tensor->quantization.scale[0])) : py::none();
    entry["zero_point"] = scaled
                              ? py::object(py::cast(port.tensor->quantization.zero_point.empty()
                                                        ? int64_t{0}
                                                        : port.tensor->quantization.zero_point[0]))
                              : py::none();
    list.append(entry);
  }
  return list;
}

std::string NamesOf(std::span<const PortInfo> ports) {
  std::string names;
  for (const PortInfo& port : ports) names += (names.empty() ? "'" : ", '") + port.name + "'";
  return names.empty() ? "none" : names;
}

// Writes each array to the input of its name; all inputs must have one, and no other name may stand
// there.
void FillInputs(SignatureRunner& runner, const py::dict& arrays) {
  for (const auto& [key, value] : arrays) {
    if (!py::isinstance<py::str>(key))
      Raise(Fault::kUsage, fmt::format("inputs: the names are str, found {}",
                                       std::string(py::str(py::repr(key)))));
    const auto name = key.cast<std::string>();
    size_t index = 0;
    while (index < runner.inputs().size() && runner.inputs()[index].name != name) ++index;
    if (index == runner.inputs().size()) {
      Raise(Fault::kUsage, fmt::format("there is no input '{}'; the model's are {}", name,
                                       NamesOf(runner.inputs())));
    }
    const auto bytes =
        InputBytes(py::reinterpret_borrow<py::object>(value), runner.inputs()[index]);
    if (auto set = runner.SetInput(index, bytes); !set) Raise(Fault::kUsage, set.Error());
  }
  std::vector<std::string> missing;
  for (const PortInfo& port : runner.inputs()) {
    if (!arrays.contains(port.name.c_str())) missing.push_back("'" + port.name + "'");
  }
  if (!missing.empty())
    Raise(Fault::kUsage, fmt::format("inputs without an array: {}", fmt::join(missing, ", ")));
}

py::dict OutputsOf(const SignatureRunner& runner) {
  py::dict outputs;
  for (size_t i = 0; i < runner.outputs().size(); ++i)
    outputs[py::str(runner.outputs()[i].name)] = OutputArray(runner.outputs()[i], runner.output(i));
  return outputs;
}

py::dict RunOnce(PySession& self, const py::dict& arrays,
                 const std::optional<std::string>& signature) {
  PySession::Turn turn(self);
  SignatureRunner& runner = self.Runner(turn.session(), signature);
  FillInputs(runner, arrays);
  litert::Expected<void> ran;
  {
    const py::gil_scoped_release release;
    ran = runner.Run();
  }
  ValueOr(Fault::kFailed, ran);
  return OutputsOf(runner);
}

// Those of `npukit run --seed`.
py::dict RandomInputs(PySession& self, uint64_t seed, const std::optional<std::string>& signature) {
  PySession::Turn turn(self);
  SignatureRunner& runner = self.Runner(turn.session(), signature);
  FillRandomInputs(runner, seed);
  py::dict inputs;
  for (size_t i = 0; i < runner.inputs().size(); ++i)
    inputs[py::str(runner.inputs()[i].name)] = OutputArray(runner.inputs()[i], runner.input(i));
  return inputs;
}

}  // namespace

void AddSession(py::module_& module) {
  py::class_<PySession>(module, "Session")
      .def(py::init([](const std::string& path, const std::optional<py::bytes>& content,
                       const std::string& plugin_dir, bool jit, const std::string& soc,
                       std::vector<std::string> plugins, std::vector<std::string> specs,
                       const std::string& placement, const std::string& soc_file,
                       bool fold_constants, std::vector<std::string> op_package_dirs,
                       const std::string& require_npu, int threads, bool exact_hybrid,
                       std::vector<std::string> shared_ports,
                       std::vector<std::pair<std::string, std::vector<int32_t>>> resizes) {
             if (threads < 1 || threads > 64)
               Raise(Fault::kUsage, fmt::format("threads: found {}, expected 1 to 64", threads));
             Wishes wishes;
             wishes.flags.model = path;
             wishes.flags.plugin_dir = plugin_dir;
             wishes.flags.jit = jit;
             wishes.flags.soc = soc;
             wishes.flags.delegation.plugins = std::move(plugins);
             wishes.flags.delegation.specs = std::move(specs);
             wishes.flags.delegation.placement_file = placement;
             wishes.flags.delegation.soc_file = soc_file;
             wishes.flags.delegation.fold_constants = fold_constants;
             wishes.flags.op_packages.dirs = std::move(op_package_dirs);
             wishes.flags.require_npu = tools::NpuRequirement(require_npu);
             wishes.flags.threads = threads;
             wishes.flags.exact_hybrid = exact_hybrid;
             wishes.flags.shared_ports = std::move(shared_ports);
             wishes.resizes = std::move(resizes);
             return Open(path, content, std::move(wishes));
           }),
           py::arg("path"), py::arg("content"), py::kw_only(), py::arg("plugin_dir"),
           py::arg("jit"), py::arg("soc"), py::arg("plugins"), py::arg("specs"),
           py::arg("placement"), py::arg("soc_file"), py::arg("fold_constants"),
           py::arg("op_package_dirs"), py::arg("require_npu"), py::arg("threads"),
           py::arg("exact_hybrid"), py::arg("shared_ports"), py::arg("resizes"))
      .def("signatures",
           [](PySession& self) { return PySession::Turn(self).session().signature_keys(); })
      .def(
          "inputs",
          [](PySession& self, const std::optional<std::string>& signature) {
            PySession::Turn turn(self);
            return PortsOf(self.Runner(turn.session(), signature).inputs());
          },
          py::arg("signature"))
      .def(
          "outputs",
          [](PySession& self, const std::optional<std::string>& signature) {
            PySession::Turn turn(self);
            return PortsOf(self.Runner(turn.session(), signature).outputs());
          },
          py::arg("signature"))
      .def("run", RunOnce, py::arg("inputs"), py::arg("signature"))
      .def("random_inputs", RandomInputs, py::arg("seed"), py::arg("signature"))
      .def("placement_json",
           [](PySession& self) {
             return tools::JsonText(
                 tools::PlacementJson(PySession::Turn(self).session().placement()));
           })
      .def("warnings", [](PySession& self) { return WarningsOf(PySession::Turn(self).session()); })
      .def("reset_state", [](PySession& self) { PySession::Turn(self).session().ResetState(); })
      .def("close", &PySession::Close);
}

}  // namespace npukit::python
