/* Makes the unwind tables of a shared library smaller: functions that are neighbours share one table.
 *
 *   join_unwind_tables LIBRARY RESULT
 *
 * Each table (FDE) of .eh_frame has a head of about 20 bytes and an entry of 8 bytes in .eh_frame_hdr, for rows of 20
 * bytes on average. A table may describe any range of addresses. So this program joins up to 16 tables: it copies their
 * rows, and adds what sets the first row of each function. The rows of every address stay the same, which the step
 * `unwind_joined` compares. Then it moves what follows in the file to the front, by whole pages, so that all addresses
 * stay as the linker chose them.
 *
 * Formats: Linux Standard Base, "DWARF Extensions"; DWARF 4, 6.4. It fails on other forms. */
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINED = 16 };          /* More would make the search for a row longer, and the file hardly smaller. */
enum { PADDING = 16 };         /* Fewer bytes between two functions contain no third one. */
enum { RELATIVE_WORD = 0x1b }; /* DW_EH_PE_pcrel | DW_EH_PE_sdata4 */
enum { LIST = 0x3b031b01 };    /* version 1, and three encodings: of the place of .eh_frame, the count, the list */
enum { REGISTERS = 64, DEPTH = 4 };
enum {
    ADVANCE = 0x40,
    OFFSET = 0x80,
    RESTORE = 0xc0,
    OPERANDS = 0x3f,
    NOP = 0x00,
    ADVANCE_1 = 0x02,
    ADVANCE_2 = 0x03,
    ADVANCE_4 = 0x04,
    REMEMBER = 0x0a,
    RECALL = 0x0b, /* DW_CFA_restore_state */
    CFA = 0x0c,
    CFA_REGISTER = 0x0d,
    CFA_OFFSET = 0x0e
};

static const char *name; /* of the file that it reads or writes */
static _Noreturn void fail(const char *reason) {
    fprintf(stderr, "join_unwind_tables: %s: %s\n", name, reason);
    exit(1);
}
static void expect(bool condition, const char *reason) {
    if (!condition) fail(reason);
}

/* ---- Bytes ---- */

typedef struct {
    uint8_t *bytes;
    size_t count, limit;
} Bytes;

static void put(Bytes *to, uint64_t value, size_t size) {
    expect(to->count + size <= to->limit, "the tables would be larger");
    memcpy(to->bytes + to->count, &value, size);
    to->count += size;
}
static void put_bytes(Bytes *to, const uint8_t *begin, const uint8_t *end) {
    for (; begin < end; begin++) put(to, *begin, 1);
}
static void put_number(Bytes *to, uint64_t value) {
    for (; value >= 0x80; value >>= 7) put(to, (value & 0x7f) | 0x80, 1);
    put(to, value, 1);
}
static uint64_t word(const uint8_t *at, size_t size) {
    uint64_t value = 0;
    memcpy(&value, at, size);
    return value;
}
/* The difference that a word contains is relative to its own address. */
static uint64_t relative(const uint8_t *at, uint64_t address) { return address + (uint64_t)(int32_t)word(at, 4); }
static uint64_t take(const uint8_t **at, const uint8_t *end, size_t size) {
    expect(size <= (size_t)(end - *at), "a table ends too early");
    *at += size;
    return word(*at - size, size);
}
static uint64_t take_number(const uint8_t **at, const uint8_t *end) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        expect(shift < 63, "a table contains a large number");
        uint64_t byte = take(at, end, 1);
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
}

/* ---- Rows ---- */

/* The contents of a row: the frame's address (CFA), and where each register was saved, 0 for nowhere. */
typedef struct {
    uint64_t cfa_register, cfa_offset, saved[REGISTERS];
} Row;

/* The common part of several tables (CIE). */
typedef struct {
    const uint8_t *begin, *end; /* in the old .eh_frame */
    uint64_t unit;              /* of code addresses */
    Row first;                  /* the row in front of the instructions of each table */
    const uint8_t *personality; /* its address, or NULL */
    size_t place;               /* in the new .eh_frame */
} Common;

typedef struct {
    Common *common;
    uint64_t begin, end;
    const uint8_t *rows, *rows_end;
    bool known; /* its instructions are those that this program knows */
    Row last;
} Table;

/* Runs one instruction on a row. Returns false for one that this program does not know. */
typedef struct {
    Row row, remembered[DEPTH];
    size_t depth;
    uint64_t advanced;
} Run;
static bool step(Run *run, const Common *common, const uint8_t **at, const uint8_t *end) {
    uint64_t code = take(at, end, 1), operand = code & OPERANDS;
    switch (code & ~(uint64_t)OPERANDS) {
    case ADVANCE: run->advanced += operand * common->unit; return true;
    case OFFSET: run->row.saved[operand] = take_number(at, end) + 1; return true;
    case RESTORE: run->row.saved[operand] = common->first.saved[operand]; return true;
    }
    switch (code) {
    case NOP: return true;
    case ADVANCE_1: run->advanced += take(at, end, 1) * common->unit; return true;
    case ADVANCE_2: run->advanced += take(at, end, 2) * common->unit; return true;
    case ADVANCE_4: run->advanced += take(at, end, 4) * common->unit; return true;
    case REMEMBER:
        if (run->depth == DEPTH) return false;
        run->remembered[run->depth++] = run->row;
        return true;
    case RECALL:
        if (run->depth == 0) return false;
        run->row = run->remembered[--run->depth];
        return true;
    case CFA:
        run->row.cfa_register = take_number(at, end);
        run->row.cfa_offset = take_number(at, end);
        return true;
    case CFA_REGISTER: run->row.cfa_register = take_number(at, end); return true;
    case CFA_OFFSET: run->row.cfa_offset = take_number(at, end); return true;
    }
    return false;
}

/* ---- Reading ---- */

static struct {
    uint8_t *bytes;
    size_t size;
    Elf64_Shdr *frames, *header;
    Common commons[16];
    Table *tables;
    size_t common_count, table_count;
} file;

/* The address of a byte of the old .eh_frame. */
static uint64_t old_address(const uint8_t *at) {
    return file.frames->sh_addr + (uint64_t)(at - file.bytes) - file.frames->sh_offset;
}

static void read_common(const uint8_t *begin, const uint8_t *end) {
    expect(file.common_count < sizeof file.commons / sizeof *file.commons, "many kinds of tables");
    Common *common = &file.commons[file.common_count++];
    const uint8_t *at = begin + 8;
    *common = (Common){.begin = begin, .end = end};
    expect(take(&at, end, 1) == 1, "another version of the tables");
    const char *letters = (const char *)at;
    expect(strcmp(letters, "zR") == 0 || strcmp(letters, "zPR") == 0, "tables with other data");
    at += strlen(letters) + 1;
    common->unit = take_number(&at, end);
    take_number(&at, end); /* the unit of data; its sign does not matter */
    take(&at, end, 1);     /* the register of the return address */
    take_number(&at, end); /* the length of what follows */
    if (letters[1] == 'P') {
        expect(take(&at, end, 1) == RELATIVE_WORD, "another encoding of the personality");
        common->personality = at;
        take(&at, end, 4);
    }
    expect(take(&at, end, 1) == RELATIVE_WORD, "another encoding of addresses");
    Run run = {0};
    while (at < end) expect(step(&run, common, &at, end), "a first row of another form");
    common->first = run.row;
}

static void read_table(const uint8_t *begin, const uint8_t *end, const uint8_t *common_at) {
    Table *table = &file.tables[file.table_count];
    *table = (Table){0};
    for (size_t i = 0; i < file.common_count; i++) {
        if (file.commons[i].begin == common_at) table->common = &file.commons[i];
    }
    expect(table->common != NULL && end - begin >= 17, "a table of another form");
    const uint8_t *at = begin + 8;
    table->begin = relative(at, old_address(at));
    table->end = table->begin + word(at + 4, 4);
    if (table->begin == table->end) return; /* a function without instructions */
    file.table_count++;
    at += 8;
    expect(take(&at, end, 1) == 0, "a table with other data");
    Run run = {.row = table->common->first};
    table->rows = table->rows_end = at;
    table->known = true;
    while (table->known && at < end) {
        bool nop = *at == NOP;
        table->known = step(&run, table->common, &at, end);
        if (!nop) table->rows_end = at; /* the last ones only fill the table */
    }
    table->known = table->known && run.depth == 0;
    if (!table->known) table->rows_end = end;
    table->last = run.row;
}

static int by_address(const void *a, const void *b) {
    uint64_t left = ((const Table *)a)->begin, right = ((const Table *)b)->begin;
    return left < right ? -1 : left > right;
}
static void read_tables(void) {
    const uint8_t *at = file.bytes + file.frames->sh_offset, *end = at + file.frames->sh_size;
    file.tables = calloc(file.frames->sh_size / 16 + 1, sizeof *file.tables);
    expect(file.tables != NULL, "no memory");
    while (end - at >= 4 && word(at, 4) != 0) {
        const uint8_t *begin = at;
        uint64_t length = take(&at, end, 4);
        expect(length >= 4 && length <= (size_t)(end - at), "a table of a wrong length");
        uint64_t distance = word(at, 4);
        if (distance == 0) read_common(begin, at + length);
        else read_table(begin, at + length, at - distance);
        at += length;
    }
    qsort(file.tables, file.table_count, sizeof *file.tables, by_address);
    for (size_t i = 1; i < file.table_count; i++) {
        expect(file.tables[i - 1].end <= file.tables[i].begin, "two tables for one address");
    }
}

/* ---- Writing ---- */

static void advance(Bytes *to, uint64_t units) {
    if (units == 0) return;
    if (units <= OPERANDS) put(to, ADVANCE | units, 1);
    else if (units <= UINT8_MAX) put(to, ADVANCE_1, 1), put(to, units, 1);
    else if (units <= UINT16_MAX) put(to, ADVANCE_2, 1), put(to, units, 2);
    else put(to, ADVANCE_4, 1), put(to, units, 4);
}

/* Writes what makes a function's last row the first one again, if no row was remembered. */
static void reset(Bytes *to, const Table *table) {
    const Row *last = &table->last, *first = &table->common->first;
    if (last->cfa_register != first->cfa_register) {
        put(to, CFA, 1), put_number(to, first->cfa_register), put_number(to, first->cfa_offset);
    } else if (last->cfa_offset != first->cfa_offset) put(to, CFA_OFFSET, 1), put_number(to, first->cfa_offset);
    for (size_t i = 0; i < REGISTERS; i++) {
        if (last->saved[i] != first->saved[i]) put(to, RESTORE | i, 1);
    }
}
static size_t length_of_reset(const Table *table) {
    Bytes there = {(uint8_t[256]){0}, 0, 256};
    reset(&there, table);
    return there.count;
}

/* Writes the rows of a function behind those of others. `*at` is the address that the rows have reached. */
static void put_rows(Bytes *to, const Table *table, uint64_t *at, bool is_last) {
    uint64_t unit = table->common->unit, reached = table->begin;
    bool remembers = !is_last && length_of_reset(table) > 2;
    if (remembers) put(to, REMEMBER, 1);
    Run run = {.row = table->common->first};
    for (const uint8_t *next = table->rows; next < table->rows_end;) {
        const uint8_t *begin = next;
        run.advanced = 0;
        step(&run, table->common, &next, table->rows_end);
        reached += run.advanced;
        if (run.advanced != 0 || *begin == NOP) continue;
        advance(to, (reached - *at) / unit);
        *at = reached;
        put_bytes(to, begin, next);
    }
    if (is_last) return;
    if (!remembers && length_of_reset(table) == 0) return;
    advance(to, (table[1].begin - *at) / unit);
    *at = table[1].begin;
    if (remembers) put(to, RECALL, 1);
    else reset(to, table);
}

static bool can_join(const Table *a, const Table *b) {
    return a->known && b->known && a->common == b->common && b->begin - a->end < PADDING &&
        (b->begin - a->begin) % a->common->unit == 0;
}

/* Writes the tables into `frames`, which will be at `address`, and their list into `list`. */
static void write_tables(Bytes *frames, uint64_t address, Bytes *list) {
    for (size_t i = 0; i < file.common_count; i++) {
        Common *common = &file.commons[i];
        common->place = frames->count;
        put_bytes(frames, common->begin, common->end);
        if (common->personality == NULL) continue;
        size_t place = common->place + (size_t)(common->personality - common->begin);
        uint32_t distance =
            (uint32_t)(relative(common->personality, old_address(common->personality)) - address - place);
        memcpy(frames->bytes + place, &distance, 4);
    }
    uint32_t count = 0;
    size_t count_at = list->count;
    put(list, 0, 4);
    for (size_t i = 0; i < file.table_count; count++) {
        size_t end = i + 1;
        while (end < file.table_count && end - i < JOINED && can_join(&file.tables[end - 1], &file.tables[end])) end++;
        const Table *first = &file.tables[i], *last = &file.tables[end - 1];
        size_t place = frames->count;
        put(frames, 0, 4);
        put(frames, frames->count - first->common->place, 4);
        put(frames, (uint32_t)(first->begin - (address + frames->count)), 4);
        put(frames, last->end - first->begin, 4);
        put(frames, 0, 1);
        uint64_t at = first->begin;
        if (first->known) {
            for (; i < end; i++) put_rows(frames, &file.tables[i], &at, i + 1 == end);
        } else {
            put_bytes(frames, first->rows, first->rows_end);
            i = end;
        }
        while (frames->count % 4 != 0) put(frames, NOP, 1);
        uint32_t length = (uint32_t)(frames->count - place - 4);
        memcpy(frames->bytes + place, &length, 4);
        put(list, (uint32_t)(first->begin - file.header->sh_addr), 4);
        put(list, (uint32_t)(address + place - file.header->sh_addr), 4);
    }
    put(frames, 0, 4);
    memcpy(list->bytes + count_at, &count, 4);
}

/* ---- The file ---- */

static void read_file(void) {
    FILE *from = fopen(name, "rb");
    expect(from != NULL && fseek(from, 0, SEEK_END) == 0, "it cannot be read");
    file.size = (size_t)ftell(from);
    file.bytes = malloc(file.size);
    rewind(from);
    expect(file.bytes != NULL && fread(file.bytes, 1, file.size, from) == file.size, "it cannot be read");
    fclose(from);
    const Elf64_Ehdr *elf = (const Elf64_Ehdr *)file.bytes;
    expect(file.size >= sizeof *elf && memcmp(elf->e_ident, ELFMAG "\2\1", 6) == 0,
        "not an ELF file of 64 bits, little endian");
    expect(elf->e_shoff + elf->e_shnum * sizeof(Elf64_Shdr) <= file.size, "it ends too early");
    Elf64_Shdr *sections = (Elf64_Shdr *)(file.bytes + elf->e_shoff);
    const char *names = (const char *)file.bytes + sections[elf->e_shstrndx].sh_offset;
    for (size_t i = 0; i < elf->e_shnum; i++) {
        if (strcmp(names + sections[i].sh_name, ".eh_frame") == 0) file.frames = &sections[i];
        if (strcmp(names + sections[i].sh_name, ".eh_frame_hdr") == 0) file.header = &sections[i];
    }
    expect(file.frames != NULL && file.header != NULL, "no unwind tables");
    expect(file.header->sh_addr + file.header->sh_size <= file.frames->sh_addr, "other places of the tables");
    expect(word(file.bytes + file.header->sh_offset, 4) == LIST, "another form of the list");
}

/* Writes the file again with `count` bytes fewer from `place` on. */
static void write_file(uint64_t place, uint64_t count) {
    FILE *to = fopen(name, "wb");
    uint64_t rest = file.size - place - count;
    expect(to != NULL && fwrite(file.bytes, 1, place, to) == place &&
            fwrite(file.bytes + place + count, 1, rest, to) == rest && fclose(to) == 0,
        "it cannot be written");
}

/* Replaces both sections, and moves the rest of the file by whole pages to the front. */
static void replace(const Bytes *list, const Bytes *frames, uint64_t address) {
    Elf64_Ehdr *elf = (Elf64_Ehdr *)file.bytes;
    Elf64_Phdr *parts = (Elf64_Phdr *)(file.bytes + elf->e_phoff);
    Elf64_Shdr *sections = (Elf64_Shdr *)(file.bytes + elf->e_shoff), *header = file.header;
    uint64_t begin = header->sh_offset, end = file.frames->sh_offset + file.frames->sh_size, page = 1;
    memset(file.bytes + begin, 0, end - begin);
    memcpy(file.bytes + begin, list->bytes, list->count);
    header->sh_size = list->count;
    file.frames->sh_offset = begin + (address - header->sh_addr);
    file.frames->sh_addr = address, file.frames->sh_size = frames->count;
    memcpy(file.bytes + file.frames->sh_offset, frames->bytes, frames->count);
    uint64_t new_end = file.frames->sh_offset + frames->count;

    for (Elf64_Phdr *part = parts; part < parts + elf->e_phnum; part++) {
        if (part->p_type == PT_GNU_EH_FRAME) part->p_filesz = part->p_memsz = list->count;
        if (part->p_type != PT_LOAD) continue;
        if (part->p_align > page) page = part->p_align;
        if (part->p_offset >= end || part->p_offset + part->p_filesz <= begin) continue;
        expect(part->p_offset + part->p_filesz == end, "the tables are not the last in their part");
        part->p_filesz = part->p_memsz = new_end - part->p_offset;
    }
    uint64_t moved = (end - new_end) & ~(page - 1);
    for (size_t i = 0; i < elf->e_phnum; i++) {
        if (parts[i].p_offset >= end) parts[i].p_offset -= moved;
    }
    for (size_t i = 0; i < elf->e_shnum; i++) {
        if (sections[i].sh_offset >= end) sections[i].sh_offset -= moved;
    }
    elf->e_shoff -= moved;
    write_file(new_end, moved);
}

int main(int argc, char **argv) {
    if (argc != 3) return fputs("usage: join_unwind_tables LIBRARY RESULT\n", stderr), 2;
    name = argv[1];
    read_file();
    read_tables();
    Bytes list = {calloc(1, file.header->sh_size), 0, file.header->sh_size};
    Bytes frames = {calloc(1, file.frames->sh_size), 0, file.frames->sh_size};
    expect(list.bytes != NULL && frames.bytes != NULL, "no memory");
    uint64_t address = file.frames->sh_addr;
    /* The list is in front of the tables, and its size does not depend on their place. */
    for (int i = 0; i < 2; i++) {
        list.count = frames.count = 0;
        put(&list, LIST, 4);
        put(&list, (uint32_t)(address - file.header->sh_addr - 4), 4);
        write_tables(&frames, address, &list);
        address = (file.header->sh_addr + list.count + 7) & ~(uint64_t)7;
    }
    name = argv[2];
    replace(&list, &frames, address);
}
