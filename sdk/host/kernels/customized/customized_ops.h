// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that are no part of the host: of operator packages, and of programs that register their
// own (npukit/op_package.h). Custom ops and composites find them by name. Thread-safe.

#ifndef NPUKIT_SDK_HOST_KERNELS_CUSTOMIZED_CUSTOMIZED_OPS_H_
#define NPUKIT_SDK_HOST_KERNELS_CUSTOMIZED_CUSTOMIZED_OPS_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "npukit/op_package.h"

namespace npukit::kernels {

struct Operator;

// Where operators come from. Its holders keep the library open.
class OpSource {
 public:
  explicit OpSource(std::string path) : path_(std::move(path)) {}
  OpSource(const OpSource&) = delete;
  OpSource& operator=(const OpSource&) = delete;
  // Takes its operators out of the registry.
  virtual ~OpSource();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Offers the operators, until `source` dies. All or none: an error (AlreadyExists) names the
// operator and both sources, the host itself being one.
litert::Expected<void> RegisterOperators(const std::shared_ptr<OpSource>& source,
                                         const std::vector<NpukitOpFactory>& factories);

// Null if no source offers the name. The operator lives as long as the source.
const Operator* FindCustomizedOperator(std::string_view name);

// Names, sorted.
std::vector<std::string> CustomizedOperatorNames();

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_CUSTOMIZED_CUSTOMIZED_OPS_H_
