// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which bytes an instruction reads and writes: exactly, as strided boxes. The verifier takes their
// bounds, the race checker every byte of them.

#ifndef NPUKIT_SIMULATOR_ISA_FOOTPRINT_H_
#define NPUKIT_SIMULATOR_ISA_FOOTPRINT_H_

#include <cstdint>
#include <memory>
#include <type_traits>

#include "simulator/isa/engine_state.h"
#include "simulator/isa/instruction.h"

namespace acme {

enum class Space : uint8_t { kScratchpad, kAccumulators, kDram };

// count[3] x count[2] x count[1] x count[0] runs of run_bytes each, the first at addr_bytes, apart
// by stride.
struct Access {
  Space space = Space::kScratchpad;
  bool write = false;
  uint32_t binding = 0;  // for kDram
  int64_t addr_bytes = 0;
  int64_t run_bytes = 0;
  Extents count = {1, 1, 1, 1};
  Strides stride = {};
  // Above 0: so many of the count[3] slices are touched, indices say which. All that may be touched
  // are bounded, and must not be touched by others meanwhile; time goes by the first.
  int64_t chosen = 0;

  // What takes time: as it is, or its first slice and how often.
  int64_t SlicesTimed() const { return chosen > 0 ? chosen : 1; }
  Access FirstSlice() const;
  // First byte touched and one past the last.
  int64_t LowBytes() const;
  int64_t HighBytes() const;
  // Bytes touched, counting repetitions (stride 0) once for each.
  int64_t TotalBytes() const {
    return run_bytes * count[0] * count[1] * count[2] * (chosen > 0 ? chosen : count[3]);
  }
};

// A reference to something callable with an Access: no allocation, valid while the callable lives.
class AccessVisitor {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, AccessVisitor>)
      AccessVisitor(F&& visit)  // NOLINT(runtime/explicit)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(visit)))),
        call_([](void* object, const Access& access) {
          (*static_cast<std::remove_reference_t<F>*>(object))(access);
        }) {}

  void operator()(const Access& access) const { call_(object_, access); }

 private:
  void* object_;
  void (*call_)(void*, const Access&);
};

// Calls visit for every access of an instruction with resolved addresses, in the state before it.
// array_cols is the width of an accumulator row in words. Instructions that only configure have
// none.
void ForEachAccess(const Instr& instr, const EngineState& state, int64_t array_cols,
                   AccessVisitor visit);

// Calls visit(addr_bytes, run_bytes) for every run of an access.
template <class F>
void ForEachRun(const Access& access, F&& visit) {
  for (int64_t i3 = 0; i3 < access.count[3]; ++i3) {
    for (int64_t i2 = 0; i2 < access.count[2]; ++i2) {
      for (int64_t i1 = 0; i1 < access.count[1]; ++i1) {
        int64_t addr = access.addr_bytes + i3 * access.stride[3] + i2 * access.stride[2] +
                       i1 * access.stride[1];
        for (int64_t i0 = 0; i0 < access.count[0]; ++i0, addr += access.stride[0])
          visit(addr, access.run_bytes);
      }
    }
  }
}

// Sizes of the per-channel records of v.drain and v.depthwise.
inline constexpr int64_t kIntegerRecordBytes = 10;
inline constexpr int64_t kRealRecordBytes = 13;
inline constexpr int64_t kFloatRecordBytes = 4;
// Of v.drain that scales its rows, and of a scaled v.depthwise: without offsets, and with them.
inline constexpr int64_t kScaledRecordBytes = 8;
inline constexpr int64_t kOffsetRecordBytes = 12;
int64_t ScaledRecordBytes(const VectorState& state);
int64_t RecordBytes(const VectorState& state, bool is_float);
int64_t RecordBytes(const isa::VDepthwise& depthwise, const VectorState& state);
// Whether v.epilogue takes the operation's results.
template <class Op>
bool HasEpilogue(const Op& op, const VectorState& state) {
  if constexpr (requires { op.epilogue; }) return op.epilogue;
  constexpr bool kByParams = std::is_same_v<Op, isa::VDrain> || std::is_same_v<Op, isa::VDepthwise>;
  return kByParams && state.params.epilogue;
}
// Whether a drain multiplies each row by a factor of its own.
bool ScalesRows(const isa::VDrain& drain, const VectorState& state);
// Whether a drain adds elements to its results, and those.
bool ReadsResidual(const isa::VDrain& drain, const VectorState& state);
Access ResidualOf(const isa::VDrain& drain, const VectorState& state);
// Of v.lookup's table.
inline constexpr int64_t kLookupBytes = 256;
// Bytes of the tables of v.lut and of v.softmax on i16, and of one record of v.resize.
int64_t LutTableBytes(const isa::VLut& lut);
inline constexpr int64_t kInterpolatedEntries = 513;
int64_t ResizeRecordBytes(ResizeOp op);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_ISA_FOOTPRINT_H_
