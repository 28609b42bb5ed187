// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: tables of measurements, without quotes or commas inside cells.

#ifndef NPUKIT_SIMULATOR_DEVICE_TESTING_CSV_FILE_H_
#define NPUKIT_SIMULATOR_DEVICE_TESTING_CSV_FILE_H_

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace acme {

// One line: cells by the names of their columns.
class CsvRow {
 public:
  CsvRow(const std::vector<std::string>& names, const std::string& line) : line_(line) {
    std::istringstream stream(line);
    std::string cell;
    for (size_t i = 0; i < names.size() && std::getline(stream, cell, ','); ++i)
      cells_[names[i]] = cell;
  }

  const std::string& Text(const std::string& name) const { return cells_.at(name); }
  int64_t Number(const std::string& name) const { return std::stoll(Text(name)); }
  const std::string& line() const { return line_; }

 private:
  std::string line_;
  std::map<std::string, std::string> cells_;
};

// Empty if there is no such file.
inline std::vector<CsvRow> ReadCsv(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::istringstream header(line);
  std::vector<std::string> names;
  for (std::string name; std::getline(header, name, ',');) names.push_back(name);
  std::vector<CsvRow> rows;
  while (std::getline(file, line)) rows.emplace_back(names, line);
  return rows;
}

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_TESTING_CSV_FILE_H_
