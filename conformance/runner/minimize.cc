// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/minimize.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

#include "conformance/oracle/model_shrink.h"
#include "conformance/report/failure_groups.h"
#include "conformance/runner/checks/host_run.h"
#include "conformance/runner/process/child_pool.h"
#include "conformance/runner/report_files.h"
#include "conformance/spec/suite/case_yaml.h"
#include "conformance/spec/text/text_file.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tools/command_line/shell_word.h"

namespace npukit::conformance {
namespace {

using Clock = std::chrono::steady_clock;

std::string FolderName(const std::string& result_name) {
  std::string name = result_name;
  for (char& c : name) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  return name;
}

litert::Expected<void> WriteBytes(const std::string& path, const std::vector<uint8_t>& bytes) {
  return WriteTextFile(path, std::string(bytes.begin(), bytes.end()));
}

std::string InputFile(size_t index) { return fmt::format("input_{}.bin", index); }

// Names of the inputs; none unless each has its own.
std::vector<std::string> StorableInputs(const Model& model) {
  std::vector<std::string> names;
  for (const Tensor* input : model.main_subgraph().inputs) {
    if (input->name.empty() || std::find(names.begin(), names.end(), input->name) != names.end())
      return {};
    names.push_back(input->name);
  }
  return names;
}

// One failure on its way to its smallest form.
class Shrinker {
 public:
  Shrinker(const PlannedCheck& planned, const CaseResult& failure,
           const PluginUnderTest& under_test, const MinimizeOptions& options, std::string folder,
           std::atomic<bool>& stop)
      : planned_(planned),
        failure_(failure),
        under_test_(under_test),
        options_(options),
        folder_(std::move(folder)),
        stop_(stop),
        spec_(*planned.spec) {}

  litert::Expected<void> Run() {
    LITERT_ASSIGN_OR_RETURN(
        CaseModel made,
        MakeCaseModel(spec_, &under_test_.claims, HashText(spec_.full_name(), under_test_.seed)));
    for (const auto& [name, range] : made.input_ranges) {
      if (range) spec_.input_ranges[name] = *range;
    }
    LITERT_RETURN_IF_ERROR(Keep(*made.model));
    spec_.checks = {planned_.id.check};
    // Expected partitions are those of the whole graph.
    const bool ops_may_go = !spec_.expect.partitions && !spec_.needs_all_claimed;
    end_ =
        Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(options_.max_seconds * 1e3));
    while (ShrinkOnce(ops_may_go)) {
    }
    return StoreInputs();
  }

  const CaseSpec& spec() const { return spec_; }

  // Whether a case that was read back fails in the same way.
  bool Reproduces(const CaseSpec& spec) { return FailsAlike(spec); }

 private:
  litert::Expected<void> Keep(const Model& model) {
    LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, SerializeModel(model));
    LITERT_ASSIGN_OR_RETURN(model_, ParseModel(SharedBytes::Copy(bytes)));
    spec_.model_bytes = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
    spec_.graph = nullptr;
    return {};
  }

  bool Over() const { return stop_ || tries_ >= options_.max_tries || Clock::now() > end_; }

  bool FailsAlike(const CaseSpec& spec) {
    ++tries_;
    const PlannedCheck planned{planned_.id, &spec};
    CaseResult result;
    auto make_task = [&](size_t) { return MakeTask(planned, under_test_, options_.run); };
    auto on_done = [&](size_t, const ChildOutcome& outcome) {
      // Without claims: a failure that they expect would be none.
      result = Judge(planned.id, outcome, nullptr);
    };
    // Not RunTask: an interrupt must end a try that hangs.
    if (!RunTasks(1, 1, make_task, on_done, stop_)) return false;
    // The same failure, or the search would end at another one that happens to show in less.
    return result.result == Result::kFailed && result.cause == failure_.cause &&
           result.group == failure_.group && FailureKind(result) == FailureKind(failure_);
  }

  // The first reduction that goes on failing; false if there is none.
  bool ShrinkOnce(bool ops_may_go) {
    for (const Reduction& reduction : PossibleReductions(*model_, ops_may_go)) {
      if (Over()) return false;
      auto candidate = CopyThroughFile(*model_);
      if (!candidate || !Reduce(reduction, **candidate)) continue;
      // What is kept weighs less each time, so that the search ends.
      const bool smaller = ModelWeight(**candidate) < ModelWeight(*model_) ||
                           reduction.kind == Reduction::Kind::kDropSignatures;
      if (!smaller) continue;
      auto bytes = SerializeModel(**candidate);
      if (!bytes) continue;
      CaseSpec spec = spec_;
      spec.model_bytes = std::make_shared<const std::vector<uint8_t>>(*bytes);
      if (!FailsAlike(spec)) continue;
      return static_cast<bool>(Keep(**candidate));
    }
    return false;
  }

  // Files with one set of inputs that fails by itself; none, and all patterns stay, if no set does.
  litert::Expected<void> StoreInputs() {
    const std::vector<std::string> names = StorableInputs(*model_);
    for (size_t index = 0; index < spec_.patterns.size() && !names.empty() && !stop_; ++index) {
      CaseSpec spec = spec_;
      spec.patterns = {spec_.patterns[index]};
      Workbench bench(under_test_, spec_);
      LITERT_RETURN_IF_ERROR(bench.model());
      LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(model_->main_subgraph(), index));
      for (size_t i = 0; i < inputs.size(); ++i) {
        const std::string file = folder_ + "/" + InputFile(i);
        LITERT_RETURN_IF_ERROR(WriteBytes(file, inputs[i]));
        spec.input_files[names[i]] = file;
      }
      if (!FailsAlike(spec)) continue;
      spec_ = std::move(spec);
      return {};
    }
    std::error_code ignored;
    for (size_t i = 0; i < names.size(); ++i)
      std::filesystem::remove(folder_ + "/" + InputFile(i), ignored);
    return {};
  }

  const PlannedCheck& planned_;
  const CaseResult& failure_;
  const PluginUnderTest& under_test_;
  const MinimizeOptions& options_;
  const std::string folder_;
  std::atomic<bool>& stop_;
  CaseSpec spec_;
  std::unique_ptr<Model> model_;
  size_t tries_ = 0;
  Clock::time_point end_;
};

std::string CaseYaml(const CaseSpec& spec, const CaseResult& failure, const std::string& command) {
  return fmt::format("# {}, shrunk:\n#   {}\n# To see it again:\n#   {}\nsuite: {}\ncases:\n{}",
                     failure.name, failure.detail.substr(0, failure.detail.find('\n')), command,
                     spec.suite, ModelCaseYaml(spec, "model.tflite"));
}

// Gives the command that shows the failure again; empty where the files that were written do not.
litert::Expected<std::string> WriteReproduction(Shrinker& shrinker, const CaseResult& failure,
                                                const std::string& base_command,
                                                const std::string& folder) {
  const CaseSpec& spec = shrinker.spec();
  const std::string file = folder + "/case.yaml";
  LITERT_RETURN_IF_ERROR(WriteBytes(folder + "/model.tflite", *spec.model_bytes));
  const std::string command = base_command + " --suite " + tools::ShellWord(file);
  LITERT_RETURN_IF_ERROR(WriteTextFile(file, CaseYaml(spec, failure, command)));
  const auto read = LoadSuite(file);
  const bool is_shown = read && read->cases.size() == 1 && shrinker.Reproduces(read->cases.front());
  return is_shown ? command : std::string();
}

}  // namespace

litert::Expected<void> MinimizeFailures(const std::vector<PlannedCheck>& plan,
                                        const std::vector<CaseResult>& results,
                                        const PluginUnderTest& under_test,
                                        const MinimizeOptions& options, RunInfo& info,
                                        std::atomic<bool>& stop) {
  std::map<std::string, const PlannedCheck*> planned;
  for (const PlannedCheck& check : plan) planned[check.id.name] = &check;
  size_t done = 0;
  for (const FailureGroup& group : GroupFailures(results)) {
    if (stop || done == options.max_failures) break;
    const auto found =
        std::find_if(group.results.begin(), group.results.end(), [&](const CaseResult* result) {
          const auto check = planned.find(result->name);
          return check != planned.end() && check->second->spec->has_model() &&
                 result->cause != Cause::kSurprisePass;
        });
    if (found == group.results.end()) continue;
    const CaseResult& failure = **found;
    const std::string folder = options.folder + "/" + FolderName(failure.name);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return litert::Unexpected(kLiteRtStatusErrorFileIO, folder + ": " + error.message());
    Shrinker shrinker(*planned.at(failure.name), failure, under_test, options, folder, stop);
    // A model that can't be made was never judged: there is nothing to shrink.
    if (!shrinker.Run()) continue;
    std::string base = fmt::format("npukit conform --plugin-dir {} --plugin {} --claims {}",
                                   tools::ShellWord(under_test.plugin_dir),
                                   tools::ShellWord(under_test.manufacturer),
                                   tools::ShellWord(under_test.claims.file));
    if (under_test.seed != 1) base += fmt::format(" --seed {}", under_test.seed);
    LITERT_ASSIGN_OR_RETURN(const std::string command,
                            WriteReproduction(shrinker, failure, base, folder));
    if (!command.empty()) info.reproductions[failure.name] = command;
    ++done;
  }
  return {};
}

}  // namespace npukit::conformance
