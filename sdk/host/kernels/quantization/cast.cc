// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CAST between all numbers. What C++ leaves open, a float that the integer type does not hold, is what
// TFLite's code does on x86: it saturates some of what comes from float32, the rest is cut by the
// processor to int32 or int64 and then to the type's bits.

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <utility>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/float_kernel_oracle.h"
#include "sdk/host/kernels/oracle/integer_doubt.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/quantization/packed_cast.h"

namespace npukit::kernels {
namespace {

using Complex = std::complex<float>;

// Storage of a type that needs more than a static_cast.
struct Bool {
  uint8_t bits;
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
      return fn(Float16{});
    case kLiteRtElementTypeBFloat16:
      return fn(BFloat16{});
    case kLiteRtElementTypeFloat64:
      return fn(double{});
    case kLiteRtElementTypeComplex64:
      return fn(Complex{});
    default:
      return fn(float{});
  }
}

// A number of any float type, which float64 holds.
template <typename To>
To FromReal(double x) {
  if constexpr (std::is_same_v<To, Bool>) {
    return Bool{x != 0};
  } else if constexpr (std::is_same_v<To, Float16> || std::is_same_v<To, BFloat16>) {
    return To::Of(static_cast<float>(x));
  } else if constexpr (std::is_same_v<To, Complex>) {
    return {static_cast<float>(x), 0};
  } else if constexpr (std::is_floating_point_v<To>) {
    return static_cast<To>(x);
  } else if constexpr (sizeof(To) <= sizeof(int32_t) && !std::is_same_v<To, uint32_t>) {
    return static_cast<To>(CutToInt32(x));
  } else {
    constexpr double kLimit = 0x1p63;
    return static_cast<To>(x >= -kLimit && x < kLimit ? static_cast<int64_t>(x)
                                                      : std::numeric_limits<int64_t>::min());
  }
}

// float32 alone saturates to int16, uint8 and int32; of these int32 takes NaN for too large.
template <typename To>
To FromFloat32(float x) {
  if constexpr (std::is_same_v<To, int16_t> || std::is_same_v<To, uint8_t>) {
    const float low = std::numeric_limits<To>::min();
    const float high = std::numeric_limits<To>::max();
    return FromReal<To>(std::max(std::min(x, high), low));
  } else if constexpr (std::is_same_v<To, int32_t>) {
    constexpr float kLargest = 0x1.fffffep30f;
    if (!(x <= kLargest)) return std::numeric_limits<int32_t>::max();
    return CutToInt32(std::max(x, -0x1p31f));
  } else {
    return FromReal<To>(x);
  }
}

template <typename To, typename From>
To Convert(From x) {
  if constexpr (std::is_same_v<From, Complex> && std::is_same_v<To, Complex>) {
    return x;
  } else if constexpr (std::is_same_v<From, Complex>) {
    return FromReal<To>(x.real());
  } else if constexpr (std::is_same_v<From, Bool>) {
    return Convert<To, uint8_t>(x.bits != 0);
  } else if constexpr (std::is_same_v<From, float>) {
    return FromFloat32<To>(x);
  } else if constexpr (!std::is_integral_v<From>) {
    return FromReal<To>(x);
  } else if constexpr (std::is_same_v<To, Bool>) {
    return Bool{x != 0};
  } else if constexpr (std::is_same_v<To, Float16> || std::is_same_v<To, BFloat16>) {
    return To::Of(static_cast<float>(x));
  } else if constexpr (std::is_same_v<To, Complex>) {
    return {static_cast<float>(x), 0};
  } else {
    return static_cast<To>(x);
  }
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  if (IsPackedCast(node)) return MakePackedCast(node);
  return WithType(node.inputs[0]->type(), [&]<typename From>(From /*from*/) {
    return WithType(node.outputs[0]->type(), [&]<typename To>(To /*to*/) {
      return MakeUnary<From, To>(node, [](From x) { return Convert<To, From>(x); });
    });
  });
}

// The value as a float of the type, to which float64 is rounded by way of float32.
Bounded RoundedTo(LiteRtElementType type, LiteRtElementType from, Bounded x) {
  if (type == from || type == kLiteRtElementTypeFloat64) return x;
  if (from == kLiteRtElementTypeFloat64) x = Round32(x.value, x.bound);
  return RoundTo(type, x);
}

template <typename To>
std::pair<double, double> NumbersOf() {
  if constexpr (std::is_same_v<To, Bool>) {
    return {0, 1};
  } else {
    return {static_cast<double>(std::numeric_limits<To>::min()),
            static_cast<double>(std::numeric_limits<To>::max())};
  }
}

// Whether no number between these is cast to a lower integer than a smaller one is. Bools are "not 0".
template <typename To>
bool CastRises(bool from_float32, double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return false;
  if constexpr (std::is_same_v<To, Bool>) {
    return low > 0 || high < 0;
  } else {
    using Limits = std::numeric_limits<To>;
    if (from_float32 &&
        (std::is_same_v<To, int16_t> || std::is_same_v<To, uint8_t> || std::is_same_v<To, int32_t>))
      return true;
    return std::trunc(low) >= static_cast<double>(Limits::min()) &&
           std::trunc(high) < std::ldexp(1.0, Limits::digits);
  }
}

// A float becomes a float, rounded if it is a narrower one, or an integer with as many steps of doubt
// as the interval spans.
void FromFloats(const OracleTensor& in, OracleTensor& out) {
  if (out.is_float()) {
    for (int64_t i = 0; i < out.elems(); ++i)
      Put(out, i, RoundedTo(out.type, in.type, {in.values[i], in.bounds[i]}));
    return;
  }
  out.bounds.assign(out.elems(), 0.0);
  WithType(out.type, [&]<typename To>(To /*to*/) {
    if constexpr (std::is_integral_v<To> || std::is_same_v<To, Bool>) {
      auto* to = reinterpret_cast<To*>(out.bytes.data());
      auto converted = [&](double value) {
        return in.type == kLiteRtElementTypeFloat32 ? FromFloat32<To>(static_cast<float>(value))
                                                    : FromReal<To>(value);
      };
      auto stored = [&](double value) {
        if constexpr (std::is_same_v<To, Bool>) {
          return static_cast<double>(converted(value).bits);
        } else {
          return static_cast<double>(converted(value));
        }
      };
      auto rises = [&](double low, double high) {
        return CastRises<To>(in.type == kLiteRtElementTypeFloat32, low, high);
      };
      const auto [least, most] = NumbersOf<To>();
      for (int64_t i = 0; i < out.elems(); ++i) {
        to[i] = converted(in.values[i]);
        out.bounds[i] = IntegerDoubt(stored, rises, {in.values[i], in.bounds[i]}, least, most);
      }
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
      } else if constexpr (std::is_integral_v<From>) {
        value = static_cast<double>(from[i]);
      }
      const double doubt = in.bounds.empty() ? 0 : in.bounds[i];
      const bool exact = out.type == kLiteRtElementTypeFloat64 ||
                         static_cast<double>(static_cast<float>(value)) == value;
      const Bounded wide = exact ? Bounded{value, doubt} : Round32(value, doubt);
      Put(out, i, RoundTo(out.type, wide));
    }
  });
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  const bool complex = inputs[0]->type == kLiteRtElementTypeComplex64 ||
                       outputs[0].type == kLiteRtElementTypeComplex64;
  if (complex || IsPackedCast(node)) return OracleByFloatKernel(node, inputs, outputs, 0);
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
    .doc = {.formula =
                "the number in another type: floats cut towards zero, float32 to int32, int16 "
                "and uint8 saturated, integers wrapped, of complex numbers the real part, "
                "bool: whether it is not 0",
            .source = "TFLite CAST"},
    .signature =
        "float32 -> "
        "bool|int8|uint8|int16|uint16|int32|uint32|int64|float16|bfloat16|float32|float64|"
        "complex64|int4|int2|uint4; int4|int2|uint4 -> float32; "
        "bool|int8|uint8|int16|uint16|int32|uint32|int64|float16|bfloat16|float64|"
        "complex64 -> "
        "bool|int8|uint8|int16|uint16|int32|uint32|int64|float16|bfloat16|float32|float64|"
        "complex64",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
