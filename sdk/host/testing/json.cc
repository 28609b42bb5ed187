// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/testing/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <utility>

namespace npukit {
namespace {

using Value = nlohmann::json;

std::shared_ptr<const Value> Own(Value value) {
  return std::make_shared<const Value>(std::move(value));
}

}  // namespace

Json Json::parse(std::string_view text) {
  return Json(Own(Value::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false)));
}

Json::Json(std::shared_ptr<const Value> value) : value_(std::move(value)) {}
Json::Json(std::nullptr_t /*null*/) : value_(Own(nullptr)) {}
Json::Json(bool value) : value_(Own(value)) {}
Json::Json(double value) : value_(Own(value)) {}
Json::Json(const char* text) : value_(Own(text)) {}
Json::Json(const std::string& text) : value_(Own(text)) {}
Json::Json(int64_t value, Integer /*integer*/) : value_(Own(value)) {}

Json::Json(std::initializer_list<Json> elements) : Json(array(elements)) {
  const bool is_object = std::all_of(elements.begin(), elements.end(), [](const Json& element) {
    return element.is_array() && element.size() == 2 && element.value_->front().is_string();
  });
  if (!is_object) return;
  Value object = Value::object();
  for (const Json& element : elements) object[element[0].get<std::string>()] = *element[1].value_;
  value_ = Own(std::move(object));
}

Json Json::array(std::initializer_list<Json> elements) {
  Value list = Value::array();
  for (const Json& element : elements) list.push_back(*element.value_);
  return Json(Own(std::move(list)));
}

bool Json::is_discarded() const { return value_->is_discarded(); }
bool Json::is_null() const { return value_->is_null(); }
bool Json::is_array() const { return value_->is_array(); }
size_t Json::size() const { return value_->size(); }
bool Json::contains(std::string_view key) const { return value_->contains(std::string(key)); }

std::vector<std::string> Json::keys() const {
  std::vector<std::string> keys;
  for (auto at = value_->begin(); at != value_->end(); ++at) keys.push_back(at.key());
  return keys;
}

Json Json::Share(const Value& part) const {
  return Json(std::shared_ptr<const Value>(value_, &part));
}

Json Json::operator[](std::string_view key) const { return Share(value_->at(std::string(key))); }

Json Json::At(size_t index) const {
  if (index >= size()) throw std::out_of_range("no element " + std::to_string(index));
  return Share(*std::next(value_->begin(), static_cast<std::ptrdiff_t>(index)));
}

template <>
bool Json::get() const {
  return value_->get<bool>();
}
template <>
int Json::get() const {
  return value_->get<int>();
}
template <>
size_t Json::get() const {
  return value_->get<size_t>();
}
template <>
double Json::get() const {
  return value_->get<double>();
}
template <>
std::string Json::get() const {
  return value_->get<std::string>();
}
template <>
std::vector<int32_t> Json::get() const {
  std::vector<int32_t> numbers;
  for (const Json& element : *this) numbers.push_back(element.get<int>());
  return numbers;
}

Json::operator std::string() const { return get<std::string>(); }

int Json::value(std::string_view key, int otherwise) const {
  return contains(key) ? (*this)[key].get<int>() : otherwise;
}
std::string Json::value(std::string_view key, const char* otherwise) const {
  return contains(key) ? (*this)[key].get<std::string>() : otherwise;
}

void Json::Set(std::initializer_list<std::string> keys, const Json& value) {
  Value whole = *value_;
  Value* at = &whole;
  for (const std::string& key : keys) at = &(*at)[key];
  *at = *value.value_;
  value_ = Own(std::move(whole));
}

std::string Json::dump() const { return value_->dump(); }

bool operator==(const Json& a, const Json& b) { return *a.value_ == *b.value_; }

// Of two kinds that cannot be compared nlohmann's operators give an order of the kinds.
std::partial_ordering operator<=>(const Json& a, const Json& b) {
  if (*a.value_ < *b.value_) return std::partial_ordering::less;
  if (*b.value_ < *a.value_) return std::partial_ordering::greater;
  return a == b ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
}

std::ostream& operator<<(std::ostream& out, const Json& json) { return out << json.dump(); }

}  // namespace npukit
