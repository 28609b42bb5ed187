// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit-isa-doc [FILE]: writes docs/isa.md to FILE or standard output.

#include <fstream>
#include <iostream>

#include "simulator/isa/documentation/documentation.h"

int main(int argc, char** argv) {
  if (argc > 2) {
    std::cerr << "usage: npukit-isa-doc [FILE]\n";
    return 2;
  }
  if (argc == 1) {
    std::cout << acme::IsaDocumentation();
    return 0;
  }
  std::ofstream file(argv[1], std::ios::binary);
  file << acme::IsaDocumentation();
  file.close();
  if (!file) {
    std::cerr << "npukit-isa-doc: can't write " << argv[1] << "\n";
    return 1;
  }
  return 0;
}
