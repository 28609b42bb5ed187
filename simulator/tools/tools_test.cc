// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The command-line tools as their users run them.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "simulator/tools/program_file.h"

namespace acme {
namespace {

using ::testing::HasSubstr;

struct Ran {
  int exit_code;
  std::string output;  // standard output and error
};

class ToolsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / fmt::format("acme_tools_{}", getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Ran Run(const std::string& command) {
    const std::string full = "cd " + folder_.string() + " && " + std::string(NPUKIT_BUILD_DIR) +
                             "/bin/" + command + " 2>&1";
    FILE* pipe = popen(full.c_str(), "r");
    std::string output;
    char chunk[4096];
    for (size_t n = 0; (n = fread(chunk, 1, sizeof(chunk), pipe)) > 0;) output.append(chunk, n);
    const int status = pclose(pipe);
    return {WEXITSTATUS(status), output};
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string Read(const std::string& name) {
    std::ifstream file(folder_ / name, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(file)), {});
  }

  std::filesystem::path folder_;
};

MATCHER_P(HasKeys, keys, "") {
  for (const std::string& key : std::vector<std::string>(keys)) {
    if (!arg.contains(key)) {
      *result_listener << "there is no " << key;
      return false;
    }
  }
  return true;
}

constexpr char kProgram[] = R"(.soc acme_a0
.binding in x 64
.binding out y 64
.handle 1 "double"
cp.mark handle=1
ld.copy binding=2 bytes=64 post(1)
v.shape n0=64 n1=1 n2=1 n3=1
v.view view=a s0=1
v.view view=b s0=1
v.view view=dst s0=1
v.binary op=max dtype=u8 dst=64 a=0 b=0 wait(1) post(2)
st.copy binding=3 spm=64 bytes=64 wait(2)
cp.halt
)";

TEST_F(ToolsTest, RunsTextWithFiles) {
  Write("p.acm", kProgram);
  std::string input;
  for (int i = 0; i < 64; ++i) input += static_cast<char>(i * 3);
  Write("x.bin", input);
  const Ran ran =
      Run("npukit-sim run p.acm --mem x.bin --out-prefix o --check-races --trace t.json --csv "
          "c.csv --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_EQ(Read("o0.bin"), input);
  const nlohmann::json report = nlohmann::json::parse(ran.output);
  EXPECT_EQ(report["soc"], "acme_a0");
  EXPECT_GT(report["cycles"], 100);
  EXPECT_EQ(report["handles"].back()["name"], "double");
  const nlohmann::json trace = nlohmann::json::parse(Read("t.json"));
  EXPECT_EQ(trace["otherData"]["cycles"], report["cycles"]);
  EXPECT_THAT(Read("c.csv"), HasSubstr("1,\"double\","));
  // A track for each engine, slices named after the operator, all counters.
  std::set<std::string> tracks, slices, counters;
  for (const nlohmann::json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") slices.insert(event["name"].get<std::string>());
    if (event["ph"] == "C") counters.insert(event["name"].get<std::string>());
    if (event["ph"] == "M" && event["name"] == "thread_name")
      tracks.insert(event["args"]["name"].get<std::string>());
  }
  EXPECT_THAT(tracks, ::testing::IsSupersetOf({"command", "load", "matrix", "vector", "store"}));
  EXPECT_THAT(slices, ::testing::ElementsAre("double"));
  EXPECT_THAT(counters,
              ::testing::ElementsAre("DRAM bytes per cycle", "busy engines", "scratchpad bytes"));
  EXPECT_THAT(report, HasKeys(std::vector<std::string>{"roofline_cycles", "program_bound_cycles",
                                                       "energy_pj", "utilisation", "engines"}));
  // Another chip by the command line; time alone needs no input.
  const Ran a2 = Run("npukit-sim run p.acm --soc acme_a2 --mode time --json");
  ASSERT_EQ(a2.exit_code, 0) << a2.output;
  EXPECT_EQ(nlohmann::json::parse(a2.output)["soc"], "acme_a2");
}

TEST_F(ToolsTest, AssemblesAndDisassembles) {
  Write("p.acm", kProgram);
  Ran ran = Run("npukit-asm p.acm -o p.acmm");
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("9 instructions"));
  ran = Run("npukit-disasm p.acmm --constants -o q.acm");
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_THAT(Read("q.acm"), HasSubstr("cp.mark handle=1  # double"));
  ran = Run("npukit-asm q.acm -o q.acmm");
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_EQ(ParseModule(*ReadBytes((folder_ / "p.acmm").string()))->entries,
            ParseModule(*ReadBytes((folder_ / "q.acmm").string()))->entries);
  // Modules are found inside other files.
  Write("model.bin", "something else" + Read("p.acmm"));
  EXPECT_THAT(Run("npukit-disasm model.bin").output, HasSubstr("v.binary op=max"));
  const nlohmann::json json = nlohmann::json::parse(Run("npukit-disasm model.bin --json").output);
  EXPECT_EQ(json["modules"][0]["entries"][0]["code"].size(), 9u);
}

// Names come from models.
TEST_F(ToolsTest, NamesMayHoldAnything) {
  Module module = *AssembleModule(kProgram, "p.acm", "", "");
  module.debug[0].name = "say \"hi\"\\\ncp.halt # \xff";
  module.entries[0].bindings[0].name = "model/dense;x y";
  const std::vector<uint8_t> bytes = SerializeModule(module);
  ASSERT_TRUE(WriteBytes((folder_ / "p.acmm").string(), bytes.data(), bytes.size()));
  Write("x.bin", std::string(64, 'x'));
  // JSON has the byte that is not UTF-8 replaced.
  const Ran listed = Run("npukit-disasm p.acmm --json");
  ASSERT_EQ(listed.exit_code, 0) << listed.output;
  const std::string name = "say \"hi\"\\\ncp.halt # \xef\xbf\xbd";
  EXPECT_EQ(nlohmann::json::parse(listed.output)["modules"][0]["handles"][0]["name"], name);
  const Ran ran = Run("npukit-sim run p.acmm --mem x.bin --json --trace t.json");
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_EQ(nlohmann::json::parse(ran.output)["handles"].back()["name"], name);
  EXPECT_TRUE(nlohmann::json::accept(Read("t.json")));
  EXPECT_EQ(Run("npukit-asm $(printf 'a\\377') --json").exit_code, 3);
  // The text assembles to the same.
  ASSERT_EQ(Run("npukit-disasm p.acmm --constants -o q.acm").exit_code, 0);
  const Ran again = Run("npukit-asm q.acm -o q.acmm");
  ASSERT_EQ(again.exit_code, 0) << again.output;
  const Module same = *ParseModule(*ReadBytes((folder_ / "q.acmm").string()));
  EXPECT_EQ(same.entries, module.entries);
  EXPECT_EQ(same.debug[0].name, module.debug[0].name);
}

// A module may claim any size; what is not there is not asked for.
TEST_F(ToolsTest, BuffersBeyondTheMachinesMemoryAreRefused) {
  Module module = *AssembleModule(kProgram, "p.acm", "", "");
  Write("x.bin", std::string(64, 'x'));
  for (const size_t binding : {0, 1}) {
    Module large = module;
    large.entries[0].bindings[binding].size_bytes = uint64_t{1} << 60;
    const std::vector<uint8_t> bytes = SerializeModule(large);
    ASSERT_TRUE(WriteBytes((folder_ / "p.acmm").string(), bytes.data(), bytes.size()));
    const Ran ran = Run("npukit-sim run p.acmm --mem x.bin --json");
    EXPECT_EQ(ran.exit_code, 3);
    EXPECT_THAT(ran.output, HasSubstr(binding == 0 ? "binding x has 1152921504606846976 bytes"
                                                   : "binding y has 1152921504606846976 bytes"));
  }
}

TEST_F(ToolsTest, OutputThatIsLostIsAFailure) {
  Write("p.acm", kProgram);
  Write("x.bin", std::string(64, 'x'));
  ASSERT_EQ(Run("npukit-asm p.acm -o p.acmm").exit_code, 0);
  // More than a buffer of stdio holds.
  std::string long_text;
  for (int i = 0; i < 10000; ++i) long_text += "cp.nop\n";
  Write("long.acm", long_text + "cp.halt\n");
  ASSERT_EQ(Run("npukit-asm long.acm -o long.acmm").exit_code, 0);
  for (const char* command :
       {"npukit-asm --help", "npukit-asm --version", "npukit-asm --describe", "npukit-asm p.acm",
        "npukit-asm p.acm --json", "npukit-disasm --help", "npukit-disasm p.acmm",
        "npukit-disasm p.acmm --json", "npukit-disasm long.acmm", "npukit-sim --help",
        "npukit-sim run --help", "npukit-sim run p.acm --mem x.bin",
        "npukit-sim run p.acm --mode time --json"}) {
    const Ran ran = Run(std::string(command) + " 3>&1 >/dev/full 2>&3 3>&-; echo code $? #");
    EXPECT_THAT(ran.output, HasSubstr("code 1\n")) << command;
    EXPECT_THAT(ran.output, HasSubstr("No space left on device")) << command;
  }
}

TEST_F(ToolsTest, ErrorsAreNamedAndCoded) {
  Write("bad.acm", "cp.halt\nfoo\n");
  Write("race.acm",
        ".binding in x 64\nld.copy binding=2 bytes=64\nst.copy binding=1 bytes=64\n.workspace "
        "64\ncp.halt\n");
  Write("dead.acm", "v.nop wait(1)\ncp.halt\n");
  Write("out.acm", "ld.copy binding=0 bytes=1\ncp.halt\n");
  Write("x.bin", std::string(64, 'x'));
  Write("unknown.acm", ".soc acme_q\ncp.halt\n");
  Write("zeros.bin", std::string(64, '\0'));
  Write("p.acm", kProgram);
  ASSERT_EQ(Run("npukit-asm p.acm -o p.acmm").exit_code, 0);
  Write("two.bin", "something else" + Read("p.acmm") + Read("p.acmm"));
  struct Case {
    std::string command;
    int exit_code;
    std::string_view message;
  };
  const Case cases[] = {
      {"npukit-asm bad.acm", 1, "bad.acm:2:1: unknown instruction 'foo'"},
      {"npukit-asm missing.acm", 3, "npukit asm: can't read missing.acm"},
      {"npukit-asm .", 3, "npukit asm: can't read .: it is a folder"},
      {"npukit-disasm .", 3, "npukit disasm: can't read .: it is a folder"},
      {"npukit-sim run .", 3, "npukit sim: can't read .: it is a folder"},
      {"npukit-asm", 2, "npukit asm: FILE is required\nTry 'npukit asm --help'."},
      {"npukit-asm dead.acm --soc acme_q", 2,
       "npukit asm: --soc: unknown SoC model acme_q; known: "},
      {"npukit-asm dead.acm --soc-file no.yaml", 2, "npukit asm: --soc-file: can't read no.yaml"},
      {"npukit-asm dead.acm -o no/dead.acmm", 1,
       "npukit asm: can't write no/dead.acmm: No such file or directory"},
      {"npukit-asm out.acm", 1, "npukit asm: out.acm: entry point main: instruction 0 (ld.copy): "},
      {"npukit-asm unknown.acm", 3, "npukit asm: unknown SoC model acme_q; known: "},
      {"npukit-sim run bad.acm", 3, "bad.acm:2:1"},
      {"npukit-sim run race.acm --mem x.bin --check-races", 1, "race on scratchpad byte 0"},
      {"npukit-sim run race.acm", 2, "input x (64 bytes) has no --mem file"},
      {"npukit-sim run dead.acm", 1, "deadlock at cycle"},
      {"npukit-sim run out.acm", 3,
       "npukit sim: out.acm: entry point main: instruction 0 (ld.copy): "},
      {"npukit-sim run out.acm", 3, "reads bytes 0 to 1 of binding 0, which has 0"},
      {"npukit-sim run p.acm --mode time --trace no/t.json", 1,
       "npukit sim: --trace: can't write no/t.json: No such file or directory"},
      {"npukit-sim run p.acm --mode time --csv no/c.csv", 1,
       "npukit sim: --csv: can't write no/c.csv: No such file or directory"},
      {"npukit-sim run p.acm --mem x.bin --out-prefix no/o", 1,
       "npukit sim: --out-prefix: can't write no/o0.bin: No such file or directory"},
      {"npukit-sim run p.acm --mode time --cycle-budget -1", 2,
       "--cycle-budget: expected a whole number from 0 on, found '-1'"},
      {"npukit-sim run two.bin --module -1", 2,
       "--module: expected a whole number from 0 on, found '-1'"},
      {"npukit-sim run dead.acm --soc acme_q", 2,
       "npukit sim: --soc: unknown SoC model acme_q; known: "},
      {"npukit-sim run dead.acm --soc-file no.yaml", 2, "--soc-file: can't read no.yaml"},
      {"npukit-sim run unknown.acm", 3, "unknown SoC model acme_q; known: "},
      {"npukit-sim run dead.acm --entry dad", 2,
       "--entry: there is no entry point 'dad'; there is 'main'"},
      {"npukit-sim run dead.acm --mode tme", 2, "tme not in {both,function,time}"},
      {"npukit-sim run race.acm --mem no.bin", 2, "--mem: can't read no.bin"},
      {"npukit-sim run race.acm --mem x.bin no.bin", 2,
       "--mem no.bin: there is no input for it; entry point main has 1"},
      {"npukit-sim run dead.acm --mem x.bin", 2,
       "--mem x.bin: there is no input for it; entry point main has 0"},
      {"npukit-sim run race.acm --mode time --mem no.bin", 2,
       "--mem no.bin: --mode time reads no inputs"},
      {"npukit-sim run race.acm --mode time --out-prefix o", 2,
       "--out-prefix o: --mode time has no outputs"},
      {"npukit-sim run p.acm --mode function --trace t.json", 2,
       "--trace t.json: --mode function keeps no time"},
      {"npukit-sim run p.acm --mode function --csv c.csv", 2,
       "--csv c.csv: --mode function keeps no time"},
      {"npukit-sim run p.acm --soc acme_a0 --soc-file c.yaml", 2, "excludes --"},
      {"npukit-asm p.acm --soc acme_a0 --soc-file c.yaml", 2, "excludes --"},
      {"npukit-disasm two.bin --json --constants", 2, "excludes --"},
      {"npukit-asm /proc/self/mem", 3, "can't read /proc/self/mem: Input/output error"},
      {"npukit-disasm /proc/self/mem", 3, "can't read /proc/self/mem: Input/output error"},
      {"npukit-sim run two.bin --module 2", 2, "--module: two.bin holds no module 2: there are 2"},
      {"npukit-sim run zeros.bin", 3,
       "zeros.bin is neither assembly text nor holds an Acme module"},
      {"npukit-sim run missing.acm", 3, "npukit sim: can't read missing.acm"},
      {"npukit-sim run", 2, "npukit sim: PROGRAM is required\nTry 'npukit sim --help'."},
      {"npukit-sim", 2, "npukit sim: A subcommand is required"},
      {"npukit-sim rn", 2, "npukit sim: there is no command 'rn'; there is 'run'"},
      {"npukit-sim run dead.acm --sco x", 2,
       "npukit sim: The following arguments were not expected: x --sco"},
      {"npukit-disasm x.bin", 3, "npukit disasm: x.bin holds no Acme module"},
      {"npukit-disasm", 2, "npukit disasm: FILE is required\nTry 'npukit disasm --help'."},
      {"npukit-disasm two.bin -o no/two.acm", 1, "npukit disasm: can't write no/two.acm"},
      {"npukit-sim run dead.acm --set banks", 2, "expected NAME=VALUE"},
      {"npukit-sim run dead.acm --set rows=1", 2, "ambiguous"},
      {"npukit-sim run dead.acm --set banks=0", 2, "scratchpad.banks: 0 is not in 1 .. 256"},
      {"npukit-sim run dead.acm --set array.rows=8", 3, "this is one of other sizes"},
  };
  for (const Case& c : cases) {
    const Ran ran = Run(c.command);
    EXPECT_EQ(ran.exit_code, c.exit_code) << c.command << ": " << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(c.message)) << c.command;
  }
}

TEST_F(ToolsTest, FieldsOfTheChipAreSet) {
  Write("p.acm", kProgram);
  auto cycles = [&](const std::string& settings) {
    const Ran ran = Run("npukit-sim run p.acm --mode time --json" + settings);
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    return nlohmann::json::parse(ran.output)["cycles"].get<int64_t>();
  };
  const int64_t before = cycles("");
  EXPECT_GT(cycles(" --set dram.latency_cycles=1000"), before + 1000);
  EXPECT_GT(cycles(" --set dram_bytes_per_cycle=1 --set banks=1"), before + 50);
}

TEST_F(ToolsTest, ExamplesInTheDocumentationRun) {
  int found = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(NPUKIT_SOURCE_DIR) + "/docs/examples")) {
    if (entry.path().extension() != ".acm") continue;
    ++found;
    const std::string path = entry.path().string();
    const Ran time = Run("npukit-sim run " + path + " --mode time --check-races --json");
    EXPECT_EQ(time.exit_code, 0) << path << ": " << time.output;
    // With values, too: inputs of zeros.
    Module module = *LoadProgram(path, "", "");
    std::string arguments;
    for (const ModuleBinding& binding : module.entries[0].bindings) {
      if (binding.output) continue;
      Write(binding.name + ".bin", std::string(binding.size_bytes, '\0'));
      arguments += " --mem " + binding.name + ".bin";
    }
    const Ran both = Run("npukit-sim run " + path + arguments + " --check-races --json");
    EXPECT_EQ(both.exit_code, 0) << path << ": " << both.output;
    EXPECT_EQ(nlohmann::json::parse(both.output)["cycles"],
              nlohmann::json::parse(time.output)["cycles"]);
  }
  EXPECT_GE(found, 3);
}

}  // namespace
}  // namespace acme
