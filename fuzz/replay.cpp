// replay.cpp: runs the fuzz target on files, without libFuzzer: for CI, valgrind and the thread
// sanitizer, and to look at a finding.
//
//     replay FILE...        FUZZ_TRACE=1 prints each call
#include <cstdint>
#include <cstdio>
#include <vector>

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv);
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        std::FILE *file = std::fopen(argv[i], "rb");
        if (file == nullptr) {
            std::perror(argv[i]);
            return 1;
        }
        std::vector<uint8_t> bytes;
        for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) bytes.push_back(uint8_t(c));
        std::fclose(file);
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    std::printf("ok %d inputs\n", argc - 1);
    return 0;
}
