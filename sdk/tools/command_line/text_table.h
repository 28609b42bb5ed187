// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The tables that tools print: columns two spaces apart, each as wide as its widest cell.

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_TEXT_TABLE_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_TEXT_TABLE_H_

#include <string>
#include <utility>
#include <vector>

namespace npukit::tools {

class TextTable {
 public:
  // `columns` has a sign for each column: '<' for texts, '>' for numbers, which end at its right.
  explicit TextTable(std::string columns, std::string indent = "")
      : columns_(std::move(columns)), indent_(std::move(indent)) {}

  // A cell for each column; those that are missing at the end are empty.
  void Add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  // A line for each row, without blanks at its end.
  std::vector<std::string> Lines() const;
  // Lines(), with their ends.
  std::string Text() const;

 private:
  std::string columns_;
  std::string indent_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_TEXT_TABLE_H_
