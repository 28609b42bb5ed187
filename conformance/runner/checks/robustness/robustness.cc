// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class robustness: what a plugin does to the process that it lives in.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/oracle/misfits.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/host_run.h"
#include "conformance/runner/checks/robustness/process_state.h"
#include "conformance/runner/process/stage.h"
#include "conformance/runner/vendor/guarded_memory.h"
#include "conformance/runner/vendor/resources.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::robustness {
namespace {

constexpr int kRuns = 16;
constexpr int kSessions = 4;
// Of what is written, so much is looked at, and so much is told.
constexpr size_t kCapturedBytes = size_t{64} << 10;
constexpr size_t kToldBytes = 256;

// Compiles and runs once, from library to values, and closes all of it.
litert::Expected<void> WholeRun(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(CompiledCase compiled, CompileAhead(bench));
  LITERT_ASSIGN_OR_RETURN(const auto session,
                          OpenSession(bench, std::move(compiled.model), RunMode::kAheadOfTime));
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner(RunnerKeys(*session).front()));
  return RunWithInputs(bench, *runner, 0);
}

// What is written to a descriptor goes to memory while this lives.
class OutputCapture {
 public:
  // Memory, and no pipe: nobody reads while the library writes, and it must not wait for room.
  explicit OutputCapture(int descriptor)
      : descriptor_(descriptor), file_(memfd_create("output", 0)), saved_(dup(descriptor)) {
    fflush(nullptr);
    dup2(file_, descriptor_);
  }
  ~OutputCapture() {
    Stop();
    close(file_);
  }
  void Stop() {
    if (saved_ < 0) return;
    fflush(nullptr);
    dup2(saved_, descriptor_);
    close(saved_);
    saved_ = -1;
  }
  std::string Text() {
    Stop();
    std::string text(kCapturedBytes, '\0');
    const ssize_t got = pread(file_, text.data(), text.size(), 0);
    text.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return text;
  }

 private:
  int descriptor_;
  int file_;
  int saved_;
};

// Empty if none can be made.
std::string EmptyFolder() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "npukit_tmp_XXXXXX").string();
  return mkdtemp(name.data()) == nullptr ? std::string() : name;
}

struct ObservedStates {
  ProcessState before;
  ProcessState after;
  bool left_file = false;
  static auto Fields(auto& self) { return std::tie(self.before, self.after, self.left_file); }
  bool IsSound() const { return !before.empty() && !after.empty(); }
};

// Sets both states, whatever comes of the run.
litert::Expected<void> RunBetween(Workbench& bench, ObservedStates& observed) {
  observed.before = ReadProcessState();
  auto run = WholeRun(bench);
  observed.after = ReadProcessState();
  return run;
}

// The state that a thread has of its own, around a run in which it is another one.
litert::Expected<ObservedStates> StatesInOwnFloatMode(Workbench& bench) {
  const OwnFloatMode mode;
  ObservedStates observed;
  LITERT_RETURN_IF_ERROR(RunBetween(bench, observed));
  return observed;
}

litert::Expected<ObservedStates> StatesAroundRun(Workbench& bench) {
  const std::string folder = EmptyFolder();
  if (folder.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorFileIO,
                              "no folder for temporary files can be made");
  }
  setenv("TMPDIR", folder.c_str(), 1);
  ObservedStates observed;
  const auto run = RunBetween(bench, observed);
  std::error_code error;
  observed.left_file = !std::filesystem::is_empty(folder, error);
  std::filesystem::remove_all(folder, error);
  LITERT_RETURN_IF_ERROR(run);
  return observed;
}

// Whether a line of a log is none that tells of trouble: "INFO: ...", "I0000 ...", "[INFO] ...", as
// LiteRT's, abseil's and others' logs have it.
bool IsInformation(std::string_view line) {
  for (const std::string_view begin : {"INFO", "[INFO", "VERBOSE", "[VERBOSE", "DEBUG", "[DEBUG"}) {
    if (!line.starts_with(begin)) continue;
    const char next = line.size() > begin.size() ? line[begin.size()] : '\0';
    return next == ':' || next == ' ' || next == ']';
  }
  // Abseil's: the severity, month and day, a time.
  return line.size() > 6 && line[0] == 'I' && line[5] == ' ' &&
         std::all_of(line.begin() + 1, line.begin() + 5,
                     [](char c) { return c >= '0' && c <= '9'; });
}

// The lines that are no information.
std::string WithoutInformation(const std::string& text) {
  std::string left;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line(text.data() + begin, end - begin);
    if (!IsInformation(line)) left += line;
    begin = end;
  }
  return left;
}

constexpr char kCompiled[] = "compiled";

// Of a graph of whatever kind: the plugin leaves it alone, or compiles it.
CheckReport EndsWithStatus(const VendorPlugin& plugin, const Model& model) {
  const auto partitioned = PartitionWith(plugin, nullptr, model);
  if (!partitioned) return CheckReport::Pass("Partition: " + partitioned.Error().Message());
  if (partitioned->partitions.empty()) return CheckReport::Pass("nothing selected");
  const auto result = plugin.Compile(nullptr, *partitioned->bodies);
  if (!result) return CheckReport::Fail("selected, but not compiled: " + result.Error().Message());
  const auto artifacts = result->Read();
  if (!artifacts) return CheckReport::Fail(artifacts.Error().Message());
  return CheckReport::Pass(kCompiled);
}

// Whether the misfit leaves something else to compute with. The same elements in another shape, and
// constants that are sizes, axes and places, a compiler may read as they are meant.
bool IsOfData(const Misfit& misfit, const Op& op) {
  const Tensor& tensor = *(misfit.is_output ? op.outputs : op.inputs)[misfit.operand];
  const bool is_parameter =
      tensor.is_constant() && (tensor.element_type == kLiteRtElementTypeInt32 ||
                               tensor.element_type == kLiteRtElementTypeInt64);
  return misfit.kind != Misfit::Kind::kFlat && !is_parameter;
}

// Of the case's graph with a misfit in one of its ops.
CheckAnswer EndsWithStatus(Workbench& bench, size_t op_index, const Misfit& misfit) {
  Workbench changed(bench.under_test(), bench.spec());
  LITERT_ASSIGN_OR_RETURN(Model * model, changed.model());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  Op& op = model->main_subgraph().op(op_index);
  const bool is_of_data = IsOfData(misfit, op);
  LITERT_RETURN_IF_ERROR(MakeMisfit(misfit, *model, op));
  LITERT_RETURN_IF_ERROR(GuardConstants(*model, op));
  const CheckReport report = EndsWithStatus(*plugin, *model);
  // Beside other ops it is not told whether this one is among those that were taken.
  if (report.detail != kCompiled || !is_of_data || model->main_subgraph().ops().size() != 1)
    return report;
  const std::string contradiction = Contradiction(op);
  if (contradiction.empty()) return report;
  return CheckReport::Fail("is compiled, though nothing could compute it: " + contradiction);
}

}  // namespace

CheckAnswer survives(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  return EndsWithStatus(*plugin, *model);
}

CheckAnswer misfits(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const Model* model, bench.model());
  const auto ops = model->main_subgraph().ops();
  size_t num_misfits = 0;
  for (size_t i = 0; i < ops.size(); ++i) {
    for (const Misfit& misfit : PossibleMisfits(*ops[i])) {
      const std::string what = OpCodeName(ops[i]->code) + " whose " + misfit.ToString();
      const StageOf stage(what);
      LITERT_ASSIGN_OR_RETURN(const CheckReport report, EndsWithStatus(bench, i, misfit));
      NPUKIT_CHECK_THAT(report.answer == CheckReport::Answer::kPass,
                        fmt::format("{}: {}", what, report.detail));
      ++num_misfits;
    }
  }
  return CheckReport::Pass(fmt::format("{} misfits", num_misfits));
}

CheckAnswer quiet(Workbench& bench) {
  // What is told on standard output, and on standard error.
  using Texts = std::vector<std::string>;
  LITERT_ASSIGN_OR_RETURN(const Texts texts,
                          Witness::Get().Observe<Texts>("output", [&]() -> litert::Expected<Texts> {
                            OutputCapture output(STDOUT_FILENO);
                            OutputCapture error(STDERR_FILENO);
                            const auto run = WholeRun(bench);
                            Texts written = {output.Text(), error.Text()};
                            LITERT_RETURN_IF_ERROR(run);
                            return written;
                          }));
  NPUKIT_CHECK_THAT(texts.size() == 2, "no output was looked at");
  NPUKIT_CHECK_THAT(texts[0].empty(),
                    fmt::format("wrote to standard output: '{}'", texts[0].substr(0, kToldBytes)));
  const std::string told = WithoutInformation(texts[1]);
  NPUKIT_CHECK_THAT(told.empty(),
                    fmt::format("wrote to standard error although all went well: '{}'",
                                told.substr(0, kToldBytes)));
  return CheckReport::Pass();
}

CheckAnswer process_state(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(
      const ObservedStates observed,
      Witness::Get().Observe<ObservedStates>("states", [&] { return StatesAroundRun(bench); }));
  const std::string change = Change(observed.before, observed.after);
  NPUKIT_CHECK_THAT(change.empty(), change);
  NPUKIT_CHECK_THAT(!observed.left_file, "a temporary file was left behind in TMPDIR");
  LITERT_ASSIGN_OR_RETURN(const ObservedStates in_own_mode,
                          Witness::Get().Observe<ObservedStates>("states in another mode", [&] {
                            return StatesInOwnFloatMode(bench);
                          }));
  const std::string own_change = Change(in_own_mode.before, in_own_mode.after);
  NPUKIT_CHECK_THAT(own_change.empty(),
                    "of an application that flushes subnormal numbers to zero: " + own_change);
  return CheckReport::Pass();
}

CheckAnswer threads_end(Workbench& bench) {
  // Threads and descriptors, before and after.
  using Counts = std::vector<uint64_t>;
  LITERT_ASSIGN_OR_RETURN(
      const Counts observed,
      Witness::Get().Observe<Counts>("resources", [&]() -> litert::Expected<Counts> {
        // What the first run starts and keeps for all later ones is no leak.
        LITERT_RETURN_IF_ERROR(WholeRun(bench));
        const Resources before = MeasureResources();
        for (int i = 0; i < kSessions; ++i) LITERT_RETURN_IF_ERROR(WholeRun(bench));
        const Resources after = MeasureResources();
        return Counts{before.threads, before.file_descriptors, after.threads,
                      after.file_descriptors};
      }));
  NPUKIT_CHECK_THAT(observed.size() == 4, "no resources were measured");
  NPUKIT_CHECK_THAT(observed[2] <= observed[0], fmt::format("{} threads left after {} runs",
                                                            observed[2] - observed[0], kSessions));
  NPUKIT_CHECK_THAT(
      observed[3] <= observed[1],
      fmt::format("{} file descriptors left after {} runs", observed[3] - observed[1], kSessions));
  return CheckReport::Pass();
}

CheckAnswer memory(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(
      const std::string leak,
      Witness::Get().Observe<std::string>("growth", [&]() -> litert::Expected<std::string> {
        LITERT_ASSIGN_OR_RETURN(CompiledCase compiled, CompileAhead(bench));
        LITERT_ASSIGN_OR_RETURN(const auto session, OpenSession(bench, std::move(compiled.model),
                                                                RunMode::kAheadOfTime));
        LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner,
                                session->Runner(RunnerKeys(*session).front()));
        return FindLeak(kRuns, [&] { return RunWithInputs(bench, *runner, 0); });
      }));
  NPUKIT_CHECK_THAT(leak.empty(), leak);
  return CheckReport::Pass();
}

}  // namespace npukit::conformance::checks::robustness
