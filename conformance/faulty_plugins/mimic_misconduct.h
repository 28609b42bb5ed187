// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a copy of Mimic with a planted fault does to the process that it is in, and to others.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_MISCONDUCT_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_MISCONDUCT_H_

namespace npukit::conformance::mimic {

// Writes through a null pointer.
void Crash();
[[noreturn]] void Hang();

// By the planted fault, if it is one of these; else nothing. The first when the library is used at
// all, the second when it compiles.
void MisbehaveInProcess();
void MisbehaveInCompile();

// What is lost or kept with an object that is made (mimic_leaks.cc).
void LeakWithDevice();
void LeakWithInvocation();
void LeakWithTrace();
void LeakWithProfile();
void LeakWithPlugin();
void LeakWithResult();

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_MISCONDUCT_H_
