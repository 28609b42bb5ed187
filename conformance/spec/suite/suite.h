// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A suite file: cases, each a graph or a model and the checks to put to it. docs/conformance.md
// describes the format.

#ifndef NPUKIT_CONFORMANCE_SPEC_SUITE_SUITE_H_
#define NPUKIT_CONFORMANCE_SPEC_SUITE_SUITE_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/spec/graph/graph_spec.h"
#include "conformance/spec/suite/check.h"
#include "conformance/spec/text/value.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// Which ops of the case's graph the plugin is to take.
enum class SelectRule {
  kClaimed,  // those that the vendor's claims name
  kNone,     // none, whatever is claimed
  kAny,      // not judged
};

struct Expectation {
  SelectRule select = SelectRule::kClaimed;
  // Number of partitions, judged when every op of the graph but UNCLAIMED_UNARY ones is claimed.
  std::optional<int> partitions;
};

struct CaseSpec {
  std::string suite;
  std::string name;  // unique in its suite
  std::vector<const CheckInfo*> checks;
  // At most one of the three.
  std::shared_ptr<const GraphSpec> graph;
  std::string model_path;  // of a .tflite
  std::string network;     // a built-in network's name
  // A .tflite in memory, which then stands for any of the three.
  std::shared_ptr<const std::vector<uint8_t>> model_bytes;

  Expectation expect;
  bool needs_all_claimed = false;  // skipped unless every op but UNCLAIMED_UNARY ones is claimed
  bool exact = false;              // floats too must equal the oracle's value rounded to their type
  std::vector<DataSpec::Pattern> patterns;  // of the inputs; each is one set of inputs. Never empty
  // Files with the bytes of inputs, by tensor name; they stand for the first set of inputs.
  std::map<std::string, std::string> input_files;
  // Of random values, by tensor name, beside those that the graph gives.
  std::map<std::string, std::pair<double, double>> input_ranges;
  std::optional<double> timeout_s;
  SourceLocation at;

  bool has_model() const {
    return graph != nullptr || !model_path.empty() || !network.empty() || model_bytes != nullptr;
  }
  // Whether the check of that id is among the case's.
  bool Asks(std::string_view check_id) const {
    return std::any_of(checks.begin(), checks.end(),
                       [&](const CheckInfo* check) { return check->id == check_id; });
  }
  std::string full_name() const { return suite + "/" + name; }
};

struct Suite {
  std::string name;
  std::vector<std::string> files;  // where it was read: the suite, then its parts
  std::string description;
  std::vector<CaseSpec> cases;
};

// The suite of the models that a command line names.
inline constexpr char kModelSuite[] = "model";
// A case for each of these files, named after it: characters that names do not have become '_', and
// what is named as another before it gets a number.
std::vector<CaseSpec> ModelCases(const std::vector<std::string>& paths);

// Reads, expands and checks. Relative model paths are taken from the file's folder.
litert::Expected<Suite> ReadSuite(const Value& value);
litert::Expected<Suite> LoadSuite(const std::string& path);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_SUITE_SUITE_H_
