// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <limits>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

// Storage of types that need more than a static_cast.
struct Bool {
  uint8_t bits;
};
struct Half {
  uint16_t bits;
};

// Calls fn(T()) with the type's storage.
template <typename Fn>
auto WithType(LiteRtElementType type, Fn fn) {
  switch (type) {
    case kLiteRtElementTypeBool:
      return fn(Bool{});
    case kLiteRtElementTypeInt8:
      return fn(int8_t{});
    case kLiteRtElementTypeUInt8:
      return fn(uint8_t{});
    case kLiteRtElementTypeInt16:
      return fn(int16_t{});
    case kLiteRtElementTypeUInt16:
      return fn(uint16_t{});
    case kLiteRtElementTypeInt32:
      return fn(int32_t{});
    case kLiteRtElementTypeUInt32:
      return fn(uint32_t{});
    case kLiteRtElementTypeInt64:
      return fn(int64_t{});
    case kLiteRtElementTypeFloat16:
      return fn(Half{});
    default:
      return fn(float{});
  }
}

constexpr std::initializer_list<LiteRtElementType> kTypes = {
    kLiteRtElementTypeBool,   kLiteRtElementTypeInt8,   kLiteRtElementTypeUInt8,
    kLiteRtElementTypeInt16,  kLiteRtElementTypeUInt16, kLiteRtElementTypeInt32,
    kLiteRtElementTypeUInt32, kLiteRtElementTypeInt64,  kLiteRtElementTypeFloat16,
    kLiteRtElementTypeFloat32};

// Floats cut towards zero. int16 and uint8 saturate; for the other integers what x86's conversion
// to int32 or int64 gives, cut to the type's bits, since TFLite leaves it to the machine.
template <typename To>
To FromReal(float x) {
  if constexpr (std::is_same_v<To, float>) {
    return x;
  } else if constexpr (std::is_same_v<To, Bool>) {
    return Bool{x != 0.0f};
  } else if constexpr (std::is_same_v<To, Half>) {
    return Half{FloatToHalf(x)};
  } else if constexpr (std::is_same_v<To, int16_t> || std::is_same_v<To, uint8_t>) {
    const float low = std::numeric_limits<To>::min();
    const float high = std::numeric_limits<To>::max();
    return static_cast<To>(CutToInt32(std::max(std::min(x, high), low)));
  } else if constexpr (sizeof(To) <= sizeof(int32_t) && !std::is_same_v<To, uint32_t>) {
    return static_cast<To>(CutToInt32(x));
  } else {
    constexpr float kLimit = 9223372036854775808.0f;
    return static_cast<To>(x >= -kLimit && x < kLimit ? static_cast<int64_t>(x)
                                                      : std::numeric_limits<int64_t>::min());
  }
}

template <typename To, typename From>
To Convert(From x) {
  if constexpr (std::is_same_v<From, Bool>) {
    return Convert<To, uint8_t>(x.bits != 0);
  } else if constexpr (std::is_same_v<From, Half>) {
    return FromReal<To>(HalfToFloat(x.bits));
  } else if constexpr (std::is_same_v<From, float>) {
    return FromReal<To>(x);
  } else if constexpr (std::is_same_v<To, Bool>) {
    return Bool{x != 0};
  } else if constexpr (std::is_same_v<To, Half>) {
    return Half{FloatToHalf(static_cast<float>(x))};
  } else {
    return static_cast<To>(x);
  }
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return WithType(node.inputs[0]->type(), [&]<typename From>(From /*from*/) {
    return WithType(node.outputs[0]->type(), [&]<typename To>(To /*to*/) {
      return MakeUnary<From, To>(node, [](From x) { return Convert<To, From>(x); });
    });
  });
}

// Beyond the largest half, and half a step, only an infinity is left.
Bounded NarrowedToHalf(double value, double bound) {
  constexpr double kLargest = 65504;
  constexpr double kLimit = kLargest + 16;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (std::fabs(value) - bound >= kLimit) return {std::copysign(kInfinity, value), 0};
  if (std::fabs(value) + bound >= kLimit) return {value, kInfinity};
  return {value, bound};
}

// A float becomes the same float, rounded to half if it is one, or an integer with as many steps of
// doubt as the interval spans.
void FromFloats(const OracleTensor& in, OracleTensor& out) {
  if (out.is_float()) {
    for (int64_t i = 0; i < out.elems(); ++i) {
      const bool narrow = out.type == kLiteRtElementTypeFloat16 && in.type != out.type;
      const double rounding =
          narrow ? std::max(std::ldexp(std::fabs(in.values[i]), -11), 0x1p-25) : 0;
      Put(out, i,
          narrow ? NarrowedToHalf(in.values[i], in.bounds[i] + rounding)
                 : Bounded{in.values[i], in.bounds[i]});
    }
    return;
  }
  out.bounds.assign(out.elems(), 0.0);
  WithType(out.type, [&]<typename To>(To /*to*/) {
    auto* to = reinterpret_cast<To*>(out.bytes.data());
    auto stored = [](To value) {
      if constexpr (std::is_same_v<To, Bool> || std::is_same_v<To, Half>) {
        return static_cast<double>(value.bits);
      } else {
        return static_cast<double>(value);
      }
    };
    for (int64_t i = 0; i < out.elems(); ++i) {
      to[i] = FromReal<To>(static_cast<float>(in.values[i]));
      if (in.bounds[i] == 0) continue;
      const double low = stored(FromReal<To>(static_cast<float>(in.values[i] - in.bounds[i])));
      const double high = stored(FromReal<To>(static_cast<float>(in.values[i] + in.bounds[i])));
      out.bounds[i] = std::max(std::fabs(stored(to[i]) - low), std::fabs(high - stored(to[i])));
    }
  });
}

// Integers of up to 24 bits are exact.
void ToFloats(const OracleTensor& in, OracleTensor& out) {
  WithType(in.type, [&]<typename From>(From /*from*/) {
    const auto* from = reinterpret_cast<const From*>(in.bytes.data());
    for (int64_t i = 0; i < out.elems(); ++i) {
      double value = 0;
      if constexpr (std::is_same_v<From, Bool>) {
        value = from[i].bits != 0;
      } else if constexpr (!std::is_same_v<From, Half>) {
        value = static_cast<double>(from[i]);
      }
      const double doubt = in.bounds.empty() ? 0 : in.bounds[i];
      const bool exact = static_cast<double>(static_cast<float>(value)) == value;
      const double ulps =
          exact && out.type == kLiteRtElementTypeFloat32 ? 0 : FunctionUlps::kRounded;
      const Bounded wide = Round32(value, doubt, ulps);
      const bool narrow = out.type == kLiteRtElementTypeFloat16;
      const double rounding = std::ldexp(std::fabs(value), -11);
      Put(out, i, narrow ? NarrowedToHalf(wide.value, wide.bound + rounding) : wide);
    }
  });
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (inputs[0]->is_float()) {
    FromFloats(*inputs[0], outputs[0]);
  } else if (outputs[0].is_float()) {
    ToFloats(*inputs[0], outputs[0]);
  } else {
    return OracleByKernel(node, inputs, outputs);
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Cast) = {
    .doc = {.formula = "the number in another type: floats cut towards zero, to int16 and uint8 "
                       "saturated, integers wrapped, bool: whether it is not 0",
            .source = "TFLite CAST"},
    .signature =
        "bool|int8|uint8|int16|uint16|int32|uint32|int64|float16|float32 -> "
        "bool|int8|uint8|int16|uint16|int32|uint32|int64|float16|float32",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
