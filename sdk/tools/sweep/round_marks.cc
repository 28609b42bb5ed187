// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/sweep/round_marks.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace npukit::tools {
namespace {

constexpr size_t kMostMarks = 7;

// Of ends that are marked. Powers of ten below and multiples above them are numbers yet.
constexpr double kSmallestEnd = 1e-290;
constexpr double kLargestEnd = 1e290;
// Of the larger end: a step is ten times less, and is to change a number.
constexpr double kSmallestRange = 1e-12;

bool HasSteps(double low, double high) {
  const double end = std::max(std::fabs(low), std::fabs(high));
  return end >= kSmallestEnd && end <= kLargestEnd && high - low >= kSmallestRange * end;
}

std::vector<double> Multiples(double step, double low, double high) {
  std::vector<double> marks;
  // The ends count though division rounds: 0.3 / 0.1 is less than 3.
  const double first = std::ceil(low / step - 1e-9);
  const double last = std::floor(high / step + 1e-9);
  // 0 without its sign, which a label would show.
  for (double i = first; i <= last && marks.size() <= kMostMarks; ++i)
    marks.push_back(i * step + 0.0);
  return marks;
}

std::vector<double> LinearMarks(double low, double high) {
  double power = std::pow(10, std::floor(std::log10(high - low)));
  // From the largest step on, until there are enough.
  for (;; power /= 10) {
    for (const double digit : {5.0, 2.0, 1.0}) {
      std::vector<double> marks = Multiples(digit * power, low, high);
      if (marks.size() >= 3) return marks;
    }
  }
}

std::vector<double> LogMarks(double low, double high, std::initializer_list<double> digits) {
  std::vector<double> marks;
  for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10) {
    for (const double digit : digits) {
      const double mark = digit * power;
      if (mark >= low * (1 - 1e-9) && mark <= high * (1 + 1e-9)) marks.push_back(mark);
    }
  }
  return marks;
}

}  // namespace

std::vector<double> RoundMarks(double low, double high, bool is_log) {
  if (!HasSteps(low, high)) return {};
  if (!is_log || low < kSmallestEnd) return LinearMarks(low, high);
  std::vector<double> marks = LogMarks(low, high, {1, 2, 5});
  if (marks.size() > kMostMarks) marks = LogMarks(low, high, {1});
  if (marks.size() < 2) return LinearMarks(low, high);
  // Decades enough for more marks than fit: every second or third of them.
  const size_t every = (marks.size() + kMostMarks - 1) / kMostMarks;
  std::vector<double> kept;
  for (size_t i = 0; i < marks.size(); i += every) kept.push_back(marks[i]);
  return kept;
}

}  // namespace npukit::tools
