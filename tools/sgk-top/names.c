#include "names.h"

#include "table.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SYMBOLS_AT_ONCE = 1024 };

/* How much is read for one report: the lines of a broken one may name any files, as often as they like. */
static uint64_t left = (uint64_t)4 << 30;

static bool read_at(int file, void *to, size_t size, uint64_t offset) {
    if (size > left || offset > INT64_MAX - size) return false;
    left -= size;
    return pread(file, to, size, (off_t)offset) == (ssize_t)size;
}

/* The function with that address in the table of symbols; its name goes into `name`. */
static bool search(int file, const Elf64_Shdr *table, const Elf64_Shdr *texts, uint64_t address, uint64_t *start,
    char *name, size_t size) {
    Elf64_Sym symbols[SYMBOLS_AT_ONCE];
    for (uint64_t done = 0, count = table->sh_size / sizeof *symbols; done < count;) {
        size_t some = count - done < SYMBOLS_AT_ONCE ? (size_t)(count - done) : SYMBOLS_AT_ONCE;
        if (!read_at(file, symbols, some * sizeof *symbols, table->sh_offset + done * sizeof *symbols)) return false;
        done += some;
        for (const Elf64_Sym *symbol = symbols; symbol < symbols + some; symbol++) {
            bool is_inside = address - symbol->st_value < symbol->st_size; /* (unsigned: false below the symbol too) */
            if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !is_inside || symbol->st_name >= texts->sh_size) continue;
            uint64_t most = texts->sh_size - symbol->st_name;
            size_t length = most < size - 1 ? (size_t)most : size - 1;
            if (!read_at(file, name, length, texts->sh_offset + symbol->st_name)) return false;
            name[length] = 0;
            *start = symbol->st_value;
            return *name;
        }
    }
    return false;
}

static bool search_sections(int file, uint64_t address, uint64_t *start, char *name, size_t size) {
    Elf64_Ehdr header;
    Elf64_Shdr section, texts;
    if (!read_at(file, &header, sizeof header, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof section)
        return false;
    for (unsigned i = 0; i < header.e_shnum; i++) {
        if (!read_at(file, &section, sizeof section, header.e_shoff + i * sizeof section)) return false;
        if (section.sh_type == SHT_SYMTAB && section.sh_link < header.e_shnum)
            return read_at(file, &texts, sizeof texts, header.e_shoff + section.sh_link * sizeof texts) &&
                search(file, &section, &texts, address, start, name, size);
    }
    return false;
}

static bool find(const char *path, uint64_t address, uint64_t *start, char *name, size_t size) {
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool is_found = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        search_sections(file, address, start, name, size);
    if (file >= 0) close(file);
    return is_found;
}

void names_print_line(FILE *to, char *line, const char *process) {
    char *place = strstr(line, "(+0x"), *end = line, path[PATH_MAX], name[256];
    const char *file = line + strspn(line, " "), *base = !*process ? "" : *file == '/' ? "/root" : "/cwd/";
    uint64_t start, address = place ? strtoull(place + 2, &end, 16) : 0;
    bool is_found = false;
    if (place && *end == ')') {
        *place = 0;
        int length = snprintf(path, sizeof path, "%s%s%s", process, base, file);
        is_found = length < PATH_MAX && find(path, address, &start, name, sizeof name);
        if (!is_found) *place = '(';
    }
    table_print_text(to, line);
    if (is_found) {
        putc('(', to), table_print_text(to, name);
        fprintf(to, "+0x%" PRIx64, address - start);
        table_print_text(to, end);
    }
    putc('\n', to);
}

bool names_print(FILE *to, const char *report, const char *process) {
    char *copy = strdup(report);
    for (char *at = copy, *end; at && *at; at = end) {
        end = strchrnul(at, '\n');
        if (*end) *end++ = 0;
        names_print_line(to, at, process);
    }
    free(copy);
    return copy;
}
