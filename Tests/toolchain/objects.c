/* Checks that Swift's objects have the layout that the library's C expects. The Makefile runs it before it links the
 * library, built from the library's objects with `free` wrapped. So a changed toolchain is detected at build time.
 *
 * Without runtime.c (RUNTIME_FAST=no, RUNTIME=hosted) the library only knows the start of the fields, and only that is
 * checked. */
#include "SignalKitValues.h"
#include "objects.h"

#include <signalkit.h>

static int wrong;

#define IS(condition) \
    ((condition) ? (void)0 : (wrong++, (void)fprintf(stderr, "objects.c, line %d: not so: %s\n", __LINE__, #condition)))

static object *object_of(sgk_value value) { return (object *)(uintptr_t)value.bits; }
static uint32_t first_field(const void *pointer) {
    return *(const uint32_t *)((const char *)pointer + SGK_OBJECT_HEADER);
}

static void fields_begin_behind_the_header(void) {
    sgk_value text = sgk_string("text");
    sgk_pipe *pipe = sgk_pipe_create();
    IS(first_field(object_of(text)) == SGK_STRING);
    IS(first_field(pipe) == (0x53474b00 | SGK_LIVE_PIPE));
    sgk_pipe_release(pipe);
    sgk_value_release(text);
    IS(sgk_live_total() == 0);
}

/* An object created in C is like a Swift object, with its contents after the fields. */
static void boxes_hold_their_contents(void) {
    sgk_value text = sgk_string("text"), items[] = {text, sgk_int(7)}, array = sgk_array(items, 2);
    const sgk_box *box = sgk_value_box(text), *outer = sgk_value_box(array);
    IS(box->count == 4 && box->depth == 0 && strcmp((const char *)(box + 1), "text") == 0);
    IS(outer->kind == SGK_ARRAY && outer->count == 2 && outer->depth == 1);
    const sgk_value *kept = (const sgk_value *)(outer + 1);
    IS(sgk_value_equal(array, array) && kept[0].bits == items[0].bits && kept[1].bits == items[1].bits);
    IS(kept[0].kind == items[0].kind && kept[1].kind == items[1].kind);
    sgk_value deeper = sgk_array(&array, 1);
    IS(sgk_value_box(deeper)->depth == 2 && sgk_value_box(deeper)->count == 1);
    IS(object_of(text)->class != object_of(array)->class && object_of(deeper)->class == object_of(array)->class);
    sgk_value_release(text);
    sgk_value_release(array);
    sgk_value_release(deeper);
    IS(sgk_live_total() == 0);
}

/* ---- Objects passed to `free` ---- */

static const void *watched;
static int freed;

void __real_free(void *memory);
void __wrap_free(void *memory);
void __wrap_free(void *memory) {
    freed += memory == watched && memory != NULL;
    __real_free(memory);
}

#ifdef SGK_RUNTIME_FAST

static uintptr_t references(const object *object) { return atomic_load(&object->references); }

/* The functions that replace the toolchain's… */
object *swift_allocObject(const class *class, size_t size, size_t alignment_mask);
void swift_release(object *object);
void swift_release_n(object *object, uint32_t count);

/* …and the functions of the toolchain that the library uses. */
#define THEIRS __attribute__((weak)) extern
THEIRS object *swift_retain(object *object);
THEIRS object *swift_retain_n(object *object, uint32_t count);
THEIRS bool swift_isUniquelyReferenced_nonNull_native(object *object);
THEIRS object *swift_initStackObject(const class *class, object *memory);
THEIRS object *swift_initStaticObject(const class *class, object *memory);
THEIRS void swift_deallocClassInstance(object *object, size_t size, size_t alignment_mask);
THEIRS char empty_array[] __asm__("$es23_swiftEmptyArrayStorageSi_S3itvp");

/* ---- Objects of Swift's ---- */

typedef struct {
    object *box;
    int released;
} foreign;

static void foreign_released(void *pointer) {
    foreign *foreign = pointer;
    foreign->released++;
    IS((references(foreign->box) & ~borrowed) == uncounted); /* its box is being destroyed */
}

static void counts_go_up_and_down(void) {
    static const sgk_object_type type = {.size = sizeof type, .name = "foreign", .release = foreign_released};
    foreign foreign = {0};
    sgk_value value = sgk_object(&foreign, &type);
    object *box = foreign.box = object_of(value);
    IS(references(box) == 1);
    value = sgk_value_retain(value);
    IS(references(box) == 2);
    swift_retain(box);
    swift_retain_n(box, 3);
    IS(references(box) == 6);
    IS(!swift_isUniquelyReferenced_nonNull_native(box));
    swift_release_n(box, 4);
    swift_release(box);
    IS(references(box) == 1 && foreign.released == 0);
    IS(swift_isUniquelyReferenced_nonNull_native(box));
    watched = box;
    sgk_value_release(value);
    IS(foreign.released == 1 && freed == 1 && sgk_live_total() == 0);
    watched = NULL;
    freed = 0;
}

/* ---- Objects of a class made here ---- */

typedef struct {
    object header;
    uintptr_t seen; /* of the references, by who destroyed it */
    int destroyed;
} thing;

static __attribute__((swiftcall)) void destroyed(__attribute__((swift_context)) object *self) {
    thing *thing = (void *)self;
    thing->seen = references(self);
    thing->destroyed++;
    if (swift_deallocClassInstance) swift_deallocClassInstance(self, sizeof *thing, _Alignof(max_align_t) - 1);
}

static const class things = {NULL, destroyed};

static void memory_goes_back(void) {
    for (size_t alignment = 8; alignment <= 64; alignment *= 2) {
        object *made = swift_allocObject(&things, sizeof(thing), alignment - 1);
        IS(made->class == &things && references(made) == 1 && (uintptr_t)made % alignment == 0);
        watched = made;
        freed = 0;
        swift_retain(made);
        swift_release(made);
        IS(freed == 0);
        swift_release(made);
        IS(freed == 1);
    }
    watched = NULL;
    freed = 0;
}

/* On the stack of its only user: destroyed, but not freed. */
static void borrowed_memory_stays(void) {
    if (!swift_initStackObject) return;
    thing thing = {0};
    object *object = swift_initStackObject(&things, &thing.header);
    IS(object == &thing.header && object->class == &things && references(object) == (borrowed | 1));
    watched = object;
    swift_retain(object);
    IS(references(object) == (borrowed | 2));
    swift_release(object);
    IS(thing.destroyed == 0 && references(object) == (borrowed | 1));
    swift_release(object);
    IS(thing.destroyed == 1 && thing.seen == (borrowed | uncounted) && freed == 0);
    watched = NULL;
}

static void static_objects_are_not_counted(void) {
    static thing thing;
    object *objects[] = {
        swift_initStaticObject ? swift_initStaticObject(&things, &thing.header) : NULL,
        (object *)empty_array,
        (object *)(uintptr_t)(borrowed | 16), /* not an address: it represents a compiled text */
        NULL,
    };
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        bool has_memory = (intptr_t)objects[i] > 0;
        if (has_memory) IS((references(objects[i]) & ~borrowed) == uncounted);
        uintptr_t before = has_memory ? references(objects[i]) : 0;
        swift_retain(objects[i]);
        for (int j = 0; j < 3; j++) swift_release(objects[i]);
        swift_release_n(objects[i], 2);
        if (has_memory) IS(references(objects[i]) == before);
    }
    IS(thing.destroyed == 0);
}

#endif

int main(void) {
    fields_begin_behind_the_header();
    boxes_hold_their_contents();
#ifdef SGK_RUNTIME_FAST
    counts_go_up_and_down();
    memory_goes_back();
    borrowed_memory_stays();
    static_objects_are_not_counted();
#endif
    return wrong ? 1 : 0;
}
