// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A case of a model as a suite file has it: what ReadSuite reads back.

#ifndef NPUKIT_CONFORMANCE_SPEC_SUITE_CASE_YAML_H_
#define NPUKIT_CONFORMANCE_SPEC_SUITE_CASE_YAML_H_

#include <string>

#include "conformance/spec/suite/suite.h"

namespace npukit::conformance {

// An entry of `cases:`, with its checks, its data and how it is judged. `model_file` is what the suite
// file is to say, as are the names of `input_files` without their folders.
std::string ModelCaseYaml(const CaseSpec& spec, const std::string& model_file);

// In single quotes, as YAML has them.
std::string YamlQuoted(const std::string& text);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_SUITE_CASE_YAML_H_
