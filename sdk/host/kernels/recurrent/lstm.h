// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One step of an LSTM cell in the arithmetic of a Math (recurrent_arithmetic.h).
//
//   gate(x) = s(W_x in + A_x aux + R_x h + P_x c + b_x)
//             with layer normalisation s(n_x norm(W_x in + A_x aux + R_x h + P_x c) + b_x)
//   c'      = clip(f c + i g)
//             i = 1 - f where the input gate is coupled (it has no input weights)
//   h'      = o a(c')
//             with a projection clip(W_p (o a(c')) + b_p)
//
// i, f, o are logistic, g and a the operator's activation. The output gate's peephole sees c'.
// Without an activation TFLite does not write a(c'), so that h' is o g: npukit gives that, too.

#ifndef NPUKIT_SDK_HOST_KERNELS_RECURRENT_LSTM_H_
#define NPUKIT_SDK_HOST_KERNELS_RECURRENT_LSTM_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "sdk/host/kernels/recurrent/recurrent_arithmetic.h"

namespace npukit::kernels {

enum LstmGate { kInputGate = 0, kForgetGate = 1, kCellGate = 2, kOutputGate = 3 };

struct LstmShape {
  int64_t inputs = 0;
  int64_t aux_inputs = 0;
  int64_t cells = 0;
  int64_t outputs = 0;  // cells, if there is no projection
  ActivationFunctionType activation = ActivationFunctionType::kTanh;
  float cell_clip = 0;        // 0: none
  float projection_clip = 0;  // 0: none

  int64_t gate_elems() const { return 4 * cells; }
  int64_t sum_elems() const { return std::max(cells, outputs); }
  int64_t room_elems() const { return inputs + aux_inputs + outputs + cells; }
};

// Null where the operator has none. Matrices are [cells, inputs], [cells, outputs] and [outputs,
// cells].
template <typename Math>
struct LstmWeights {
  using Matrix = typename Math::Matrix;
  struct Gate {
    const Matrix* input = nullptr;
    const Matrix* aux = nullptr;
    const Matrix* recurrent = nullptr;
    const Matrix* peephole = nullptr;
    const Matrix* bias = nullptr;
    const Matrix* norm = nullptr;
  };
  std::array<Gate, 4> gates;
  const Matrix* projection = nullptr;
  const Matrix* projection_bias = nullptr;
};

// Memory of a step: as many elements as the shape says.
template <typename Math>
struct LstmRoom {
  typename Math::Number* gates = nullptr;
  typename Math::Sum* sums = nullptr;
  typename Math::Room* vectors = nullptr;
};

template <typename Math>
class LstmStep {
 public:
  using Number = typename Math::Number;

  LstmStep(const Math& math, const LstmShape& shape, const LstmWeights<Math>& weights,
           const LstmRoom<Math>& room)
      : math_(math), shape_(shape), weights_(weights), room_(room) {}

  // One time step of one batch; `aux` may be null. Updates state and cell.
  void Run(const Number* input, const Number* aux, Number* state, Number* cell) const {
    typename Math::Room* room = room_.vectors;
    Vectors in;
    in.input = math_.Take(input, shape_.inputs, room);
    room += shape_.inputs;
    if (aux != nullptr) in.aux = math_.Take(aux, shape_.aux_inputs, room);
    room += shape_.aux_inputs;
    in.state = math_.Take(state, shape_.outputs, room);
    room += shape_.outputs;
    Number* in_gate = room_.gates;
    Number* forget = room_.gates + shape_.cells;
    Number* candidate = room_.gates + 2 * shape_.cells;
    Number* out_gate = room_.gates + 3 * shape_.cells;
    const bool coupled = weights_.gates[kInputGate].input == nullptr;
    if (!coupled) Gate(kInputGate, in, cell, in_gate);
    Gate(kForgetGate, in, cell, forget);
    Gate(kCellGate, in, cell, candidate);
    for (int64_t c = 0; c < shape_.cells; ++c) {
      const Number through = coupled ? OneMinus(forget[c]) : in_gate[c];
      const Number kept = Product(forget[c], cell[c]);
      cell[c] = ClipTo(Plus(kept, Product(through, candidate[c])), shape_.cell_clip);
    }
    Gate(kOutputGate, in, cell, out_gate);
    const bool has_activation = shape_.activation != ActivationFunctionType::kNone;
    for (int64_t c = 0; c < shape_.cells; ++c) {
      const Number shown = has_activation ? ActivationOf(cell[c], shape_.activation) : candidate[c];
      out_gate[c] = Product(out_gate[c], shown);
    }
    Project(out_gate, room, state);
  }

 private:
  struct Vectors {
    typename Math::Vector input;
    typename Math::Vector aux;
    typename Math::Vector state;
  };

  void Gate(LstmGate which, const Vectors& in, const Number* cell, Number* out) const {
    const typename LstmWeights<Math>::Gate& gate = weights_.gates[which];
    const int64_t cells = shape_.cells;
    for (int64_t c = 0; c < cells; ++c) {
      room_.sums[c] = {};
      if (gate.norm == nullptr) math_.Add(room_.sums[c], (*gate.bias)[c]);
    }
    math_.AddProducts(*gate.input, in.input, cells, shape_.inputs, room_.sums);
    if (gate.aux != nullptr)
      math_.AddProducts(*gate.aux, in.aux, cells, shape_.aux_inputs, room_.sums);
    math_.AddProducts(*gate.recurrent, in.state, cells, shape_.outputs, room_.sums);
    for (int64_t c = 0; c < cells; ++c) {
      if (gate.peephole != nullptr) math_.AddProduct(room_.sums[c], (*gate.peephole)[c], cell[c]);
      out[c] = math_.Result(room_.sums[c]);
    }
    if (gate.norm != nullptr) {
      NormalizeGate(out, cells);
      for (int64_t c = 0; c < cells; ++c)
        out[c] = Plus(Product(out[c], (*gate.norm)[c]), (*gate.bias)[c]);
    }
    for (int64_t c = 0; c < cells; ++c) {
      out[c] = which == kCellGate ? ActivationOf(out[c], shape_.activation) : LogisticOf(out[c]);
    }
  }

  void Project(const Number* hidden, typename Math::Room* room, Number* state) const {
    if (weights_.projection == nullptr) {
      std::copy_n(hidden, shape_.outputs, state);
      return;
    }
    for (int64_t o = 0; o < shape_.outputs; ++o) {
      room_.sums[o] = {};
      if (weights_.projection_bias != nullptr)
        math_.Add(room_.sums[o], (*weights_.projection_bias)[o]);
    }
    math_.AddProducts(*weights_.projection, math_.Take(hidden, shape_.cells, room), shape_.outputs,
                      shape_.cells, room_.sums);
    for (int64_t o = 0; o < shape_.outputs; ++o)
      state[o] = ClipTo(math_.Result(room_.sums[o]), shape_.projection_clip);
  }

  const Math& math_;
  const LstmShape& shape_;
  const LstmWeights<Math>& weights_;
  LstmRoom<Math> room_;
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_RECURRENT_LSTM_H_
