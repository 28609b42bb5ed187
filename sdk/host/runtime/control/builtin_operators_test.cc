// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every builtin operator of the schema runs, or docs/kernels.md says why not. The page's list is made
// here, from the tables that the runtime looks in; NPUKIT_UPDATE_DOCS=1 writes it anew.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/runtime/control/special_op_maker.h"

namespace npukit {
namespace {

constexpr std::string_view kBegin = "<!-- made by runtime_test, BuiltinOperators -->\n";
constexpr std::string_view kEnd = "<!-- end of what is made -->\n";

constexpr std::string_view kNoKernel =
    "TFLite has no kernel for it either: a form that converters pass through, of which a model "
    "that runs holds none outside the subgraphs that scatter and windows name";

// Those that do not run by themselves.
struct NotRun {
  LiteRtOpCode code;
  std::string_view reason;
};
constexpr NotRun kNotRun[] = {
    {kLiteRtOpCodeTflConcatEmbeddings, "TFLite has no kernel for it, and no converter makes it"},
    {kLiteRtOpCodeTflCustom,
     "by its custom code: DISPATCH_OP goes to a dispatch library, the customs of operators.md have "
     "kernels, others need an op package"},
    {kLiteRtOpCodeTflDelegate, "a mark of TFLite's at run time; no file has it"},
    {kLiteRtOpCodeTflPlaceholderForGreaterOpCodeTfls, "a mark of files for codes beyond 127"},
    {kLiteRtOpCodeShloComposite,
     "by its name, as operators.md lists them, or through its decomposition"},
};

std::string_view ReasonFor(LiteRtOpCode code) {
  const auto* known = std::ranges::find(kNotRun, code, &NotRun::code);
  if (known != std::end(kNotRun)) return known->reason;
  return OpCodeName(code).starts_with("STABLEHLO_") ? kNoKernel : std::string_view();
}

struct Listed {
  std::vector<std::string> kernels;
  std::vector<std::string> special;
  std::map<std::string_view, std::vector<std::string>> others;  // by reason
};

Listed ListAll() {
  const SpecialOpMaker special_ops({});
  Listed listed;
  for (LiteRtOpCode code : AllOpCodes()) {
    Op op;
    op.code = code;
    const std::string name = OpCodeName(code);
    if (special_ops.Knows(op)) {
      listed.special.push_back(name);
    } else if (kernels::FindOperator(code) != nullptr) {
      listed.kernels.push_back(name);
    } else {
      listed.others[ReasonFor(code)].push_back(name);
    }
  }
  return listed;
}

std::string Section() {
  const Listed listed = ListAll();
  std::string text(kBegin);
  text += fmt::format("{} of the schema's {} builtin codes run.\n\n",
                      listed.kernels.size() + listed.special.size(), AllOpCodes().size());
  text += "| what runs it, or why nothing does | operators |\n| --- | --- |\n";
  text += fmt::format("| a kernel, with an oracle | {} |\n", fmt::join(listed.kernels, ", "));
  text +=
      fmt::format("| the runtime: subgraphs, variables, tables, random numbers, strings | {} |\n",
                  fmt::join(listed.special, ", "));
  for (const auto& [reason, names] : listed.others)
    text += fmt::format("| {} | {} |\n", reason, fmt::join(names, ", "));
  return text + std::string(kEnd);
}

TEST(BuiltinOperators, AreListedWithWhatRunsThem) {
  const std::string path = NPUKIT_SOURCE_DIR "/docs/kernels.md";
  std::ifstream file(path, std::ios::binary);
  std::string page{std::istreambuf_iterator<char>(file), {}};
  const size_t begin = page.find(kBegin);
  const size_t end = page.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const size_t size = end + kEnd.size() - begin;
  if (std::getenv("NPUKIT_UPDATE_DOCS") != nullptr) {
    page.replace(begin, size, Section());
    std::ofstream(path, std::ios::binary) << page;
    return;
  }
  EXPECT_EQ(page.substr(begin, size), Section())
      << "write it anew: NPUKIT_UPDATE_DOCS=1 runtime_test --gtest_filter=BuiltinOperators.*";
}

TEST(BuiltinOperators, NoneIsLeftOutWithoutAReason) {
  for (const auto& [reason, names] : ListAll().others)
    EXPECT_FALSE(reason.empty()) << fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace
}  // namespace npukit
