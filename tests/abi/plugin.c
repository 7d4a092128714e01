/* A plugin of GNU's linker and archiver that claims each file with a section of LLVM bitcode, and then knows
 * no symbol of it: what a plugin does that cannot read the bitcode. The types are those of the interface
 * that linkers and plugins agree on, as far as they are needed. */
#include <elf.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

struct input {
    const char *name;
    int file;
    off_t offset, size;
    void *handle;
};

typedef int claim(const struct input *input, int *claimed);

struct value {
    int tag;
    union {
        int number;
        const char *text;
        int (*register_claim)(claim *);
    } of;
};

enum { END = 0, REGISTER_CLAIM = 5 };

static int read_at(const struct input *input, off_t at, void *to, size_t size)
{
    return pread(input->file, to, size, input->offset + at) == (ssize_t)size;
}

static int claim_bitcode(const struct input *input, int *claimed)
{
    Elf64_Ehdr file;
    Elf64_Shdr names, section;
    char name[8];
    int at;
    *claimed = 0;
    if (!read_at(input, 0, &file, sizeof file) || memcmp(file.e_ident, ELFMAG, SELFMAG) != 0) return 0;
    if (!read_at(input, (off_t)(file.e_shoff + file.e_shstrndx * sizeof names), &names, sizeof names)) return 0;
    for (at = 0; at < file.e_shnum; at++) {
        if (!read_at(input, (off_t)(file.e_shoff + at * sizeof section), &section, sizeof section)) return 0;
        if (!read_at(input, (off_t)(names.sh_offset + section.sh_name), name, sizeof name)) continue;
        if (memcmp(name, ".llvmbc", sizeof name) == 0) *claimed = 1;
    }
    return 0;
}

int onload(struct value *values)
{
    for (; values->tag != END; values++) {
        if (values->tag == REGISTER_CLAIM) values->of.register_claim(claim_bitcode);
    }
    return 0;
}
