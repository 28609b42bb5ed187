// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: JSON to read. nlohmann::json by another name, with its functions' names, compiled
// once; its templates cost seconds in each source that calls them.

#ifndef NPUKIT_SDK_HOST_TESTING_JSON_H_
#define NPUKIT_SDK_HOST_TESTING_JSON_H_

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace npukit {

class Json {
 public:
  // is_discarded() if it is no JSON.
  static Json parse(std::string_view text);

  Json(std::nullptr_t null = nullptr);
  Json(bool value);
  Json(double value);
  Json(const char* text);
  Json(const std::string& text);
  template <std::integral T>
  Json(T value) : Json(static_cast<int64_t>(value), Integer()) {}
  // {{"key", value}, ...} is an object, all else an array.
  Json(std::initializer_list<Json> elements);
  static Json array(std::initializer_list<Json> elements = {});

  bool is_discarded() const;
  bool is_null() const;
  bool is_array() const;
  bool contains(std::string_view key) const;
  size_t size() const;
  bool empty() const { return size() == 0; }
  // An object's.
  std::vector<std::string> keys() const;

  // Throws if there is none.
  Json operator[](std::string_view key) const;
  template <std::integral T>
  Json operator[](T index) const {
    return At(static_cast<size_t>(index));
  }

  // T: bool, int, size_t, double, std::string, std::vector<int32_t>. Throws if it is none.
  template <typename T>
  T get() const;
  operator std::string() const;
  int value(std::string_view key, int otherwise) const;
  std::string value(std::string_view key, const char* otherwise) const;

  // Sets what stands under these keys, one inside the other.
  void Set(std::initializer_list<std::string> keys, const Json& value);

  std::string dump() const;

  friend bool operator==(const Json& a, const Json& b);
  friend std::partial_ordering operator<=>(const Json& a, const Json& b);
  friend std::ostream& operator<<(std::ostream& out, const Json& json);

  // Over an array's elements or an object's values.
  class Iterator {
   public:
    Json operator*() const { return json_->At(index_); }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    friend class Json;
    Iterator(const Json* json, size_t index) : json_(json), index_(index) {}
    const Json* json_;
    size_t index_;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

 private:
  struct Integer {};
  Json(int64_t value, Integer);
  explicit Json(std::shared_ptr<const nlohmann::json> value);
  Json At(size_t index) const;
  Json Share(const nlohmann::json& part) const;

  // Shares the whole that this is a part of.
  std::shared_ptr<const nlohmann::json> value_;
};

template <>
bool Json::get() const;
template <>
int Json::get() const;
template <>
size_t Json::get() const;
template <>
double Json::get() const;
template <>
std::string Json::get() const;
template <>
std::vector<int32_t> Json::get() const;

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_TESTING_JSON_H_
