// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/claims/waivers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "conformance/spec/text/schema.h"
#include "conformance/spec/text/value_parser.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

using std::chrono::year_month_day;

constexpr int kFormatVersion = 1;

std::string DateText(const year_month_day& date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

// "2027-03-31"; nothing if it is no day of the calendar.
std::optional<year_month_day> ParseDate(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  int numbers[3] = {};
  size_t part = 0;
  for (const char c : text) {
    if (c == '-') {
      ++part;
    } else if (c >= '0' && c <= '9' && part < 3) {
      numbers[part] = numbers[part] * 10 + (c - '0');
    } else {
      return std::nullopt;
    }
  }
  const year_month_day date(std::chrono::year(numbers[0]),
                            std::chrono::month(static_cast<unsigned>(numbers[1])),
                            std::chrono::day(static_cast<unsigned>(numbers[2])));
  if (!date.ok() || DateText(date) != text) return std::nullopt;
  return date;
}

litert::Expected<std::string> ReadUntil(const Value& value, const std::string& today) {
  LITERT_ASSIGN_OR_RETURN(std::string text, ReadString(value));
  if (!ParseDate(text)) {
    return SpecError(
        value.at, fmt::format("expected a day such as 2027-03-31, found '{}'", text.substr(0, 40)));
  }
  // Of one length and with the greatest first: as text as they are as days.
  if (text < today)
    return SpecError(value.at, fmt::format("the waiver ended on {}, today is {}", text, today));
  return text;
}

litert::Expected<std::string> ReadFilled(const Value& value, std::string_view what) {
  LITERT_ASSIGN_OR_RETURN(std::string text, ReadString(value));
  if (text.empty()) return SpecError(value.at, fmt::format("a waiver needs {}", what));
  return text;
}

litert::Expected<std::vector<Waiver::Cases>> ReadCases(const Value& value) {
  const std::vector<Value> one = {value};
  const std::vector<Value>& items = value.is_list() ? value.items : one;
  std::vector<Waiver::Cases> cases;
  for (const Value& item : items) {
    LITERT_ASSIGN_OR_RETURN(NamePattern pattern, ReadNamePattern(item));
    cases.push_back({std::move(pattern), item.at});
  }
  if (cases.empty()) return SpecError(value.at, "a waiver needs at least one case");
  return cases;
}

litert::Expected<Waiver> ReadWaiver(const Value& value, const std::string& today) {
  Waiver waiver;
  waiver.at = value.at;
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "a waiver"));
  LITERT_ASSIGN_OR_RETURN(const Value* device, map.Required("device"));
  LITERT_ASSIGN_OR_RETURN(waiver.device, ReadFilled(*device, "a device"));
  waiver.device_at = device->at;
  LITERT_ASSIGN_OR_RETURN(const Value* cases, map.Required("cases"));
  LITERT_ASSIGN_OR_RETURN(waiver.cases, ReadCases(*cases));
  LITERT_ASSIGN_OR_RETURN(const Value* reason, map.Required("reason"));
  LITERT_ASSIGN_OR_RETURN(waiver.reason, ReadFilled(*reason, "a reason"));
  LITERT_ASSIGN_OR_RETURN(const Value* until, map.Required("until"));
  LITERT_ASSIGN_OR_RETURN(waiver.until, ReadUntil(*until, today));
  LITERT_RETURN_IF_ERROR(map.Finish());
  return waiver;
}

}  // namespace

bool Waiver::Covers(const std::string& result_name) const {
  return std::any_of(cases.begin(), cases.end(),
                     [&](const Cases& one) { return one.pattern.Matches(result_name); });
}

const Waiver* Waivers::Find(const std::string& result_name) const {
  const auto found = std::find_if(waivers.begin(), waivers.end(),
                                  [&](const Waiver& waiver) { return waiver.Covers(result_name); });
  return found == waivers.end() ? nullptr : &*found;
}

std::string Today() {
  return DateText(
      year_month_day(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())));
}

litert::Expected<Waivers> ReadWaivers(const Value& value, const std::string& today) {
  Waivers read;
  if (value.at.file) read.file = *value.at.file;
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "waivers"));
  LITERT_ASSIGN_OR_RETURN(const Value* version, map.Required("waivers"));
  LITERT_RETURN_IF_ERROR(ReadInteger(*version, kFormatVersion, kFormatVersion));
  LITERT_ASSIGN_OR_RETURN(const Value* vendor, map.Required("vendor"));
  LITERT_ASSIGN_OR_RETURN(read.vendor, ReadFilled(*vendor, "a vendor"));
  read.vendor_at = vendor->at;
  LITERT_ASSIGN_OR_RETURN(const Value* granted, map.Required("granted"));
  LITERT_RETURN_IF_ERROR(ExpectList(*granted));
  for (const Value& item : granted->items) {
    LITERT_ASSIGN_OR_RETURN(Waiver waiver, ReadWaiver(item, today));
    read.waivers.push_back(std::move(waiver));
  }
  LITERT_RETURN_IF_ERROR(map.Finish());
  return read;
}

litert::Expected<Waivers> LoadWaivers(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(const Value value, ParseValueFile(path));
  return ReadWaivers(value, Today());
}

litert::Expected<void> CheckWaivers(const Waivers& waivers, const Claims& claims) {
  if (waivers.vendor != claims.manufacturer) {
    return SpecError(waivers.vendor_at,
                     fmt::format("the waivers are of '{}', the plugin is of '{}'", waivers.vendor,
                                 claims.manufacturer));
  }
  for (const Waiver& waiver : waivers.waivers) {
    if (std::find(claims.socs.begin(), claims.socs.end(), waiver.device) != claims.socs.end())
      continue;
    return SpecError(waiver.device_at,
                     fmt::format("no device '{}' is claimed; those claimed are {}", waiver.device,
                                 JoinChoices(claims.socs)));
  }
  return {};
}

litert::Expected<void> CheckWaiversMatch(const Waivers& waivers,
                                         const std::vector<std::string>& result_names) {
  for (const Waiver& waiver : waivers.waivers) {
    for (const Waiver::Cases& cases : waiver.cases) {
      const bool matches =
          std::any_of(result_names.begin(), result_names.end(),
                      [&](const std::string& name) { return cases.pattern.Matches(name); });
      if (!matches) {
        return SpecError(cases.at,
                         fmt::format("the waiver matches no case: '{}'", cases.pattern.text()));
      }
    }
  }
  return {};
}

}  // namespace npukit::conformance
