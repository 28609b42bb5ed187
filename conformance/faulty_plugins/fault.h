// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The fault of this copy of Mimic: read from a section of its own, in which alone the copies
// differ.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_FAULT_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_FAULT_H_

namespace npukit::conformance::mimic {

enum class Fault {
  healthy,
#define FAULT(name, found_by, description) name,
#include "conformance/faulty_plugins/faults.def"
};

Fault PlantedFault();

inline bool Has(Fault fault) { return fault == PlantedFault(); }

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_FAULT_H_
