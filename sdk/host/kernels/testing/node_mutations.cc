// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/testing/node_mutations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "sdk/host/model/options/op_options.h"
#include "sdk/host/model/options/option_fields.h"

namespace npukit::kernels::testing {
namespace {

constexpr int32_t kHuge = std::numeric_limits<int32_t>::max();
constexpr int32_t kLowest = std::numeric_limits<int32_t>::min();

// Number `choice` of the values that a field may be spoilt with; false when there are no more.
template <typename T>
bool Spoil(T& field, size_t choice) {
  if constexpr (std::is_same_v<T, bool>) {
    field = !field;
    return choice < 1;
  } else if constexpr (std::is_enum_v<T>) {
    constexpr std::array<int, 4> kValues = {-1, 1, 3, 77};
    if (choice < kValues.size()) field = static_cast<T>(kValues[choice]);
    return choice < kValues.size();
  } else if constexpr (std::is_integral_v<T>) {
    constexpr std::array<int32_t, 7> kValues = {0, -1, 2, 5, 65536, kHuge, kLowest};
    if (choice < kValues.size()) field = static_cast<T>(kValues[choice]);
    return choice < kValues.size();
  } else if constexpr (std::is_floating_point_v<T>) {
    constexpr std::array<float, 5> kValues = {0.0f, -1.0f, 1e38f,
                                              std::numeric_limits<float>::infinity(),
                                              std::numeric_limits<float>::quiet_NaN()};
    if (choice < kValues.size()) field = kValues[choice];
    return choice < kValues.size();
  } else if constexpr (std::is_same_v<T, std::vector<int32_t>>) {
    const std::array<T, 5> values = {T{}, T{-1, -1}, T{kHuge, kHuge, kHuge}, T{0, -1}, T{kLowest}};
    if (choice < values.size()) field = values[choice];
    return choice < values.size();
  } else {
    return false;
  }
}

class Mutator {
 public:
  Mutator(const NodeSpec& good, const std::function<void(const Mutation&)>& visit)
      : good_(good), visit_(visit) {}

  void All() {
    for (size_t i = 0; i < good_.inputs.size(); ++i) {
      if (good_.inputs[i].is_omitted) continue;
      const std::string name = fmt::format("in{}", i);
      const auto at = [i](NodeSpec& spec) -> TensorSpec& { return spec.inputs[i]; };
      Quantizations(name, at);
      Types(name, at);
      Shapes(i, name);
      Constants(i, name);
      Change("without " + name, [&](NodeSpec& spec) { spec.inputs[i].is_omitted = true; });
    }
    for (size_t i = 0; i < good_.outputs.size(); ++i) {
      const std::string name = fmt::format("out{}", i);
      const auto at = [i](NodeSpec& spec) -> TensorSpec& { return spec.outputs[i]; };
      Quantizations(name, at);
      Types(name, at);
    }
    Counts();
    Options();
  }

 private:
  template <typename Edit>
  void Change(std::string what, const Edit& edit, Verdict verdict = Verdict::kMayFail,
              std::string blamed = "") {
    Mutation mutation{
        .what = std::move(what), .verdict = verdict, .blamed = std::move(blamed), .spec = good_};
    edit(mutation.spec);
    visit_(mutation);
  }

  // Whether a wrong scale must be found is the operator's to say: the table of cases holds that.
  template <typename At>
  void Quantizations(const std::string& name, const At& at) {
    NodeSpec probe = good_;
    if (at(probe).quantization.scale.empty()) return;
    for (float scale : {0.0f, -0.5f, std::numeric_limits<float>::infinity(),
                        std::numeric_limits<float>::quiet_NaN(), 1e-38f, 1e38f}) {
      Change(fmt::format("{} has the scale {}", name, scale), [&](NodeSpec& spec) {
        for (float& each : at(spec).quantization.scale) each = scale;
      });
    }
    Change(name + " has no scale", [&](NodeSpec& spec) { at(spec).quantization = {}; });
    Change(name + " has one scale too many",
           [&](NodeSpec& spec) { at(spec).quantization.scale.push_back(0.5f); });
    for (int64_t zero_point : {int64_t{-129}, int64_t{40000}, int64_t{kHuge}, int64_t{kLowest},
                               std::numeric_limits<int64_t>::max()}) {
      Change(fmt::format("{} has the zero point {}", name, zero_point), [&](NodeSpec& spec) {
        at(spec).quantization.zero_point =
            ZeroPoints(at(spec).quantization.scale.size(), zero_point);
      });
    }
    for (int32_t dimension : {-1, 1, 7, kHuge}) {
      Change(fmt::format("{} is quantised along {}", name, dimension), [&](NodeSpec& spec) {
        Quantization& quantization = at(spec).quantization;
        quantization.quantized_dimension = dimension;
        if (quantization.scale.size() == 1) quantization.scale.assign(2, quantization.scale[0]);
      });
    }
  }

  // A constant keeps its number of bytes only where the new type is as wide.
  template <typename At>
  void Types(const std::string& name, const At& at) {
    for (int value = 0; value <= 25; ++value) {
      const auto type = static_cast<LiteRtElementType>(value);
      Change(fmt::format("{} is of type {}", name, ElementTypeName(type)),
             [&](NodeSpec& spec) { at(spec).type = type; });
    }
  }

  void Shapes(size_t i, const std::string& name) {
    const TensorSpec& good = good_.inputs[i];
    const auto change = [&](const std::string& what, Shape shape, Verdict verdict) {
      Change(
          name + " " + what + " " + ShapeText(shape),
          [&](NodeSpec& spec) { spec.inputs[i].shape = shape; }, verdict,
          verdict == Verdict::kMustFail ? "'" + name + "'" : "");
    };
    for (size_t d = 0; d < good.shape.size(); ++d) {
      for (int32_t dim : {0, 1, 2, 3, 7, 1000, kHuge}) {
        Shape shape = good.shape;
        shape[d] = dim;
        change("has the shape", shape, Verdict::kMayFail);
      }
      Shape shape = good.shape;
      shape[d] = -1;
      change("has the shape", shape, Verdict::kMustFail);
    }
    change("has the shape", {}, Verdict::kMayFail);
    change("has the shape", Shape(4, 1), Verdict::kMayFail);
    change("has the shape", Shape(9, 1), Verdict::kMustFail);
    change("has the shape", Shape(4, kHuge), Verdict::kMustFail);
    change("has the shape", {0, kHuge, kHuge, kHuge}, Verdict::kMustFail);
    Shape shape = good.shape;
    shape.insert(shape.begin(), 2);
    change("has the shape", shape, Verdict::kMayFail);
    if (good.constant.empty()) return;
    // The same with bytes that fit, so that the operator and not the size is asked.
    Change(name + " is empty", [&](NodeSpec& spec) {
      spec.inputs[i].shape.assign(std::max<size_t>(1, good.shape.size()), 0);
      spec.inputs[i].constant.clear();
    });
  }

  void Constants(size_t i, const std::string& name) {
    const TensorSpec& good = good_.inputs[i];
    if (good.constant.empty()) return;
    if (good.constant.size() > 1) {
      Change(
          name + " lacks a byte", [&](NodeSpec& spec) { spec.inputs[i].constant.pop_back(); },
          Verdict::kMustFail, "'" + name + "'");
    }
    Change(name + " is not constant", [&](NodeSpec& spec) { spec.inputs[i].constant.clear(); });
    const bool wide = good.type == kLiteRtElementTypeInt64;
    if (!wide && good.type != kLiteRtElementTypeInt32) return;
    const size_t size = wide ? sizeof(int64_t) : sizeof(int32_t);
    const size_t elems = std::min<size_t>(good.constant.size() / size, 8);
    for (int64_t value : {int64_t{-1}, int64_t{0}, int64_t{9}, int64_t{-9}, int64_t{65536},
                          int64_t{kHuge}, int64_t{kLowest}}) {
      for (size_t e = 0; e <= elems; ++e) {  // each alone, then all
        Change(fmt::format("{} holds {} at {}", name, value, e), [&](NodeSpec& spec) {
          for (size_t k = 0; k < elems; ++k) {
            if (e < elems && k != e) continue;
            std::memcpy(spec.inputs[i].constant.data() + k * size, &value, size);
          }
        });
      }
    }
  }

  void Counts() {
    Change("no inputs", [](NodeSpec& spec) { spec.inputs.clear(); });
    Change("an input more", [](NodeSpec& spec) {
      if (!spec.inputs.empty()) spec.inputs.push_back(spec.inputs.front());
    });
    Change("an input less", [](NodeSpec& spec) {
      if (!spec.inputs.empty()) spec.inputs.pop_back();
    });
    Change(
        "no outputs", [](NodeSpec& spec) { spec.outputs.clear(); }, Verdict::kMustFail);
    Change("an output more", [](NodeSpec& spec) { spec.outputs.push_back(spec.outputs.front()); });
  }

  void Options() {
    Change("no options", [](NodeSpec& spec) { spec.options = {}; });
    Change("another operator's options",
           [](NodeSpec& spec) { spec.options = LSHProjectionOptions{}; });
    for (size_t field = 0;; ++field) {
      for (size_t choice = 0;; ++choice) {
        bool spoilt = false;
        bool exists = false;
        std::string field_name;
        NodeSpec copy = good_;
        size_t at = 0;
        VisitFields(copy.options, [&](const char* name, auto& value) {
          if (at++ != field) return;
          exists = true;
          field_name = name;
          spoilt = Spoil(value, choice);
        });
        if (!exists) return;
        if (!spoilt) break;
        Change(fmt::format("{} of the options at choice {}", field_name, choice),
               [&](NodeSpec& spec) { spec.options = copy.options; });
      }
    }
  }

  const NodeSpec& good_;
  const std::function<void(const Mutation&)>& visit_;
};

}  // namespace

void ForEachMutation(const NodeSpec& good, const std::function<void(const Mutation&)>& visit) {
  Mutator(good, visit).All();
}

}  // namespace npukit::kernels::testing
