// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The fault of this copy of Mimic. Each library links planted_fault.cc once, compiled for its
// fault; everything else is the same in all copies.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_FAULT_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_FAULT_H_

namespace npukit::conformance::mimic {

enum class Fault {
  healthy,
#define FAULT(name, found_by, description) name,
#include "conformance/faulty_plugins/faults.def"
};

extern const Fault kPlantedFault;

inline bool Has(Fault fault) { return fault == kPlantedFault; }

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_FAULT_H_
