// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// docs/operators.md says what operators.def and the operators' own files say.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {
namespace {

constexpr char kIntroduction[] = R"(# The operators of the CPU kernels

Made from the operators' own files (`sdk/host/kernels`); `ninja -C build operator_doc` writes it anew, and a test compares the two.

Types: inputs, then outputs; `T` is one type within an op; `?` may be omitted, `+` one or more, `*` any number, `?{n}` up to n that
may be omitted; `any` every type, `bytes` those of whole bytes, `bytes8` those of 1, 2, 4 or 8 bytes. Alternatives stand
between semicolons.

Tolerance: `exact` means equal bytes; `bound` floats within the oracle's running bound, and exact integers (tolerances.md).

| operator | computes | types | as | tolerance |
| --- | --- | --- | --- | --- |
)";

// Within a cell of a table.
std::string Cell(std::string_view text) {
  std::string cell;
  for (char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string Documentation() {
  std::string page = kIntroduction;
  for (const Operator& op : AllOperators()) {
    const bool is_exact = op.parts.tolerance.floats.kind == Tolerance::Kind::kExact;
    page += fmt::format("| {} | {} | `{}` | {} | {} |\n", op.name, Cell(op.parts.doc.formula),
                        Cell(op.parts.signature), Cell(op.parts.doc.source),
                        is_exact ? "exact" : "bound");
  }
  return page;
}

TEST(OperatorDocumentation, IsWhatTheOperatorsSay) {
  const std::string path = std::string(NPUKIT_SOURCE_DIR) + "/docs/operators.md";
  if (std::getenv("NPUKIT_UPDATE_DOCS") != nullptr) {
    std::ofstream(path, std::ios::binary) << Documentation();
  }
  std::ifstream file(path, std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(page == Documentation()) << path << " is out of date; run: ninja operator_doc";
}

}  // namespace
}  // namespace npukit::kernels
