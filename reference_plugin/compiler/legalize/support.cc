// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/support.h"

#include <algorithm>

#include "reference_plugin/compiler/legalize/type_sets.h"

namespace acme::compiler {
namespace {

using namespace type_sets;  // NOLINT(build/namespaces): what operators.def names

constexpr size_t kAnyNumber = SIZE_MAX;

constexpr OperatorSupport kOperators[] = {
#define ACME_OPERATOR(code, name, function, types, scales, min_inputs, max_inputs) \
  {code, name, types, Scales::scales, min_inputs, max_inputs},
#include "reference_plugin/compiler/legalize/operators.def"
#undef ACME_OPERATOR
};

struct LeftOut {
  LiteRtOpCode code = kLiteRtOpCodeTflCustom;
  const char* reason = "";
};
constexpr LeftOut kLeftOut[] = {
#define ACME_LEFT_OUT(code, reason) {code, reason},
#include "reference_plugin/compiler/legalize/left_out.def"
#undef ACME_LEFT_OUT
};

}  // namespace

std::span<const OperatorSupport> AllOperators() { return kOperators; }

const OperatorSupport* FindOperator(LiteRtOpCode code) {
  const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                   [&](const OperatorSupport& row) { return row.code == code; });
  return found != std::end(kOperators) ? found : nullptr;
}

const char* WhyLeftOut(LiteRtOpCode code) {
  const auto* found = std::find_if(std::begin(kLeftOut), std::end(kLeftOut),
                                   [&](const LeftOut& row) { return row.code == code; });
  return found != std::end(kLeftOut) ? found->reason
                                     : "the NPU's compiler does not have this operator";
}

bool TakesTypes(LiteRtOpCode code, const TypeRow& types) {
  const OperatorSupport* support = FindOperator(code);
  return support != nullptr &&
         std::find(support->types.begin(), support->types.end(), types) != support->types.end();
}

}  // namespace acme::compiler
