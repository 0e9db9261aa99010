/* The changes at a path, and perhaps in all folders below it. inotify watches single folders.
 *
 * Events arrive later than they happen, so a path may already lead to another folder. Each watch therefore has its
 * parent and its name, which only events change. A folder is accepted below its parent only while the path of the
 * parent still leads to the parent. Otherwise a later event tells where the parent is, and its folders are searched
 * again. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_PATH */
#endif

#include "shims/descriptors.h"

#ifndef SGK_SYSTEM_IS_POSIX
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { NONE = -1 }; /* no watch: the parent of the top */

/* The most watches that end at once. Each end is an event, for which the system has limited room. */
enum { ENDS = 1000 };

/* A watched folder (or the file at the path). */
typedef struct folder {
    int32_t watch, parent;
    bool is_gone; /* it has left the top, and its watch is to end */
    char name[];  /* in the parent */
} folder;

/* A file or a folder in a folder. */
typedef struct entry {
    struct entry *next;
    int32_t parent;
    bool is_folder, is_reported;
    char name[];
} entry;

struct sgk_shim_changes {
    int32_t fd;
    uint32_t mask;    /* the requested one */
    folder **folders; /* in the order of their watches */
    size_t count, room;
    entry *found, *last_found; /* names are paths below the top */
    entry *moved;              /* a folder that has left its name, or NULL. The next event may say where it is */
    uint32_t moved_cookie;
    size_t top;          /* the length of the path at which it begins */
    char path[PATH_MAX]; /* that path, and behind it one below it */
    char name[PATH_MAX]; /* of the last change */
};

static bool is_below(const sgk_shim_changes *changes) { return (changes->mask & SGK_SHIM_BELOW) != 0; }

/* ---- The table of folders ---- */

/* The index of the watch, or the one where it belongs. */
static size_t place_of(const sgk_shim_changes *changes, int32_t watch) {
    size_t low = 0, high = changes->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (changes->folders[middle]->watch < watch) low = middle + 1;
        else high = middle;
    }
    return low;
}
static folder *entry_at(const sgk_shim_changes *changes, int32_t watch) {
    size_t place = place_of(changes, watch);
    return place < changes->count && changes->folders[place]->watch == watch ? changes->folders[place] : NULL;
}
static folder *folder_of(const sgk_shim_changes *changes, int32_t watch) {
    folder *found = entry_at(changes, watch);
    return found && !found->is_gone ? found : NULL;
}

static void remove_at(sgk_shim_changes *changes, size_t place) {
    free(changes->folders[place]);
    changes->count--;
    memmove(changes->folders + place, changes->folders + place + 1, (changes->count - place) * sizeof(folder *));
}

static bool is_at(const folder *folder, int32_t parent, const char *name) {
    return folder->parent == parent && strcmp(folder->name, name) == 0;
}

/* Puts a folder into the table, or in another place of the tree. False: no memory. */
static bool put(sgk_shim_changes *changes, int32_t watch, int32_t parent, const char *name) {
    if (changes->count == changes->room) {
        size_t room = 2 * changes->room + 8;
        folder **folders = realloc(changes->folders, room * sizeof *folders);
        if (!folders) return false;
        changes->folders = folders;
        changes->room = room;
    }
    size_t size = strlen(name) + 1;
    folder *new = malloc(sizeof *new + size);
    if (!new) return false;
    *new = (folder){watch, parent, false};
    memcpy(new->name, name, size);
    if (entry_at(changes, watch)) remove_at(changes, place_of(changes, watch));
    size_t place = place_of(changes, watch);
    memmove(changes->folders + place + 1, changes->folders + place, (changes->count - place) * sizeof new);
    changes->folders[place] = new;
    changes->count++;
    return true;
}

/* Ends watches of folders that have left. The event of each end will end another one. */
static void end_watches(sgk_shim_changes *changes, int32_t most) {
    for (size_t i = changes->count; i-- > 0 && most > 0;) {
        if (!changes->folders[i]->is_gone) continue;
        (void)inotify_rm_watch(changes->fd, changes->folders[i]->watch);
        remove_at(changes, i);
        most--;
    }
}

/* Watches a folder no more, nor the folders in it. */
static void forget(sgk_shim_changes *changes, folder *left) {
    bool has_more = true;
    left->is_gone = true;
    while (has_more) {
        has_more = false;
        for (size_t i = 0; i < changes->count; i++) {
            folder *inner = changes->folders[i], *parent = entry_at(changes, inner->parent);
            if (!inner->is_gone && parent && parent->is_gone) inner->is_gone = has_more = true;
        }
    }
    end_watches(changes, ENDS);
}

/* ---- Paths ---- */

/* Writes the path of a name in a folder behind the top's. NULL: it is too long, or the folder has no known place. */
static const char *path_of(sgk_shim_changes *changes, int32_t parent, const char *name) {
    char *end = changes->path + sizeof changes->path, *from = end, *top = changes->path + changes->top;
    *--from = 0;
    for (;;) {
        size_t length = strlen(name);
        if ((size_t)(from - top) < length + 1) return NULL;
        if (length > 0) {
            from -= length;
            memcpy(from, name, length);
            *--from = '/';
        }
        if (parent == NONE) break;
        const folder *above = folder_of(changes, parent);
        if (!above) return NULL;
        name = above->name;
        parent = above->parent;
    }
    memmove(top, from, (size_t)(end - from));
    return changes->path;
}

/* The name of a change: the path below the top. */
static const char *name_of(sgk_shim_changes *changes, int32_t parent, const char *name) {
    const char *path = path_of(changes, parent, name);
    return path ? path + changes->top + (path[changes->top] == '/') : NULL;
}

/* ---- Folders in folders ---- */

/* IN_MASK_ADD: without it, Linux would drop events of a watched folder while it replaces the mask by an equal one. */
static int32_t watch(sgk_shim_changes *changes, const char *path) {
    uint32_t mask = changes->mask;
    if (is_below(changes)) {
        mask = (mask & ~(uint32_t)SGK_SHIM_BELOW) | IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_MASK_ADD;
        if (path[changes->top])
            mask = (mask & ~(uint32_t)(IN_DELETE_SELF | IN_MOVE_SELF)) | IN_ONLYDIR | IN_DONT_FOLLOW;
    }
    return inotify_add_watch(changes->fd, path, mask);
}

static entry *entry_of(int32_t parent, const char *name, bool is_folder) {
    size_t size = strlen(name) + 1;
    entry *new = malloc(sizeof *new + size);
    if (!new) return NULL;
    *new = (entry){NULL, parent, is_folder, false};
    memcpy(new->name, name, size);
    return new;
}

static bool is_folder(sgk_shim_changes *changes, int32_t folder, const struct dirent *file) {
    if (file->d_type != DT_UNKNOWN) return file->d_type == DT_DIR;
    const char *path = path_of(changes, folder, file->d_name);
    int fd = path ? open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (fd >= 0) (void)close(fd);
    return fd >= 0;
}

/* Reads a watched folder. Puts its folders on the list, and all files into `found` if they are to be reported. */
static int32_t look_into(sgk_shim_changes *changes, int32_t folder, const char *path, bool reports, entry **list) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (path[changes->top] ? O_NOFOLLOW : 0));
    DIR *stream = fd < 0 ? NULL : fdopendir(fd);
    int32_t error = stream ? 0 : errno;
    if (!stream && fd >= 0) (void)close(fd);
    for (const struct dirent *file; !error && (errno = 0, file = readdir(stream));) {
        if (strcmp(file->d_name, ".") == 0 || strcmp(file->d_name, "..") == 0) continue;
        bool is_one = is_folder(changes, folder, file);
        const char *name = reports ? name_of(changes, folder, file->d_name) : NULL;
        entry *inner = is_one ? entry_of(folder, file->d_name, true) : NULL;
        entry *found = name ? entry_of(NONE, name, is_one) : NULL;
        if (inner) inner->is_reported = reports, inner->next = *list, *list = inner;
        if (found)
            *(changes->found ? &changes->last_found->next : &changes->found) = found, changes->last_found = found;
        if ((is_one && !inner) || (name && !found)) error = ENOMEM;
    }
    if (!error) error = errno;
    if (stream) (void)closedir(stream);
    return error;
}

/* Whether a folder can be left out: another process has removed it, or this one may not read it. */
static bool is_no_matter(int32_t error) {
    return error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP;
}

/* Whether the path of a folder still leads to it. */
static bool is_there(sgk_shim_changes *changes, int32_t folder) {
    if (folder == NONE) return true;
    const char *path = path_of(changes, folder, "");
    int32_t number = path ? watch(changes, path) : -1;
    if (number >= 0 && !folder_of(changes, number)) (void)inotify_rm_watch(changes->fd, number);
    return number == folder;
}

/* Watches one folder. Puts its folders on the list. With `reports`, its contents are to be reported if it is new in
 * this place, or in a folder that is, because no event tells of them. Returns 0 or an error. */
static int32_t watch_one(sgk_shim_changes *changes, const entry *it, bool reports, entry **list) {
    const char *path = path_of(changes, it->parent, it->name);
    if (!path) return 0;
    int32_t number = watch(changes, path);
    if (number < 0) return errno;
    const folder *known = folder_of(changes, number);
    if (known && known->parent == NONE) return 0; /* the top itself, which is mounted below */
    if (!is_there(changes, it->parent)) {
        if (!known) (void)inotify_rm_watch(changes->fd, number);
        return 0;
    }
    reports = reports && (it->is_reported || !known || !is_at(known, it->parent, it->name));
    if (!put(changes, number, it->parent, it->name)) return ENOMEM;
    path = path_of(changes, it->parent, it->name);
    return is_below(changes) && path ? look_into(changes, number, path, reports, list) : 0;
}

/* Watches a folder and all folders in it. */
static int32_t watch_all(sgk_shim_changes *changes, int32_t parent, const char *name, bool reports) {
    entry *list = entry_of(parent, name, true);
    int32_t error = list ? 0 : ENOMEM;
    for (entry *next; (next = list); free(next)) {
        list = next->next;
        if (!error) error = watch_one(changes, next, reports, &list);
        if (changes->count > 0 && is_no_matter(error)) error = 0;
    }
    return error;
}

/* ---- The functions ---- */

int32_t sgk_shim_changes_open(const char *path, uint32_t mask, sgk_shim_changes **result) {
    sgk_shim_changes *changes = calloc(1, sizeof *changes);
    if (!changes) return -ENOMEM;
    int32_t length = sgk_shim_absolute_path(path, changes->path);
    changes->mask = mask;
    changes->top = (size_t)length;
    changes->fd = length < 0 ? -1 : inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    int32_t error = length < 0 ? -length : changes->fd < 0 ? errno : watch_all(changes, NONE, "", false);
    if (!error) return *result = changes, changes->fd;
    if (changes->fd >= 0) (void)close(changes->fd);
    sgk_shim_changes_free(changes);
    return -error;
}

void sgk_shim_changes_free(sgk_shim_changes *changes) {
    if (!changes) return;
    while (changes->count > 0) free(changes->folders[--changes->count]);
    for (sgk_shim_change change; sgk_shim_changes_found(changes, &change);) {}
    free(changes->folders);
    free(changes->moved);
    free(changes);
}

static folder *moved_folder(sgk_shim_changes *changes) {
    for (size_t i = 0; i < changes->count; i++) {
        folder *one = changes->folders[i];
        if (!one->is_gone && is_at(one, changes->moved->parent, changes->moved->name)) return one;
    }
    return NULL;
}
static void end_move(sgk_shim_changes *changes) {
    free(changes->moved);
    changes->moved = NULL;
}

/* A folder was created, or moved to this name from `changes->moved` or from elsewhere. */
static int32_t folder_arrived(sgk_shim_changes *changes, const struct inotify_event *event) {
    bool reports = (changes->mask & IN_CREATE) && ((event->mask & IN_CREATE) || changes->moved);
    const folder *moved = changes->moved ? moved_folder(changes) : NULL;
    bool is_put = !moved || put(changes, moved->watch, event->wd, event->name);
    end_move(changes);
    return is_put ? watch_all(changes, event->wd, event->name, reports) : ENOMEM;
}

static int32_t folder_left(sgk_shim_changes *changes, const struct inotify_event *event) {
    changes->moved_cookie = event->cookie;
    changes->moved = entry_of(event->wd, event->name, true);
    return changes->moved ? 0 : ENOMEM;
}

static void set_name(sgk_shim_changes *changes, sgk_shim_change *change, const char *name) {
    change->name = changes->name;
    change->length = strlen(name);
    memcpy(changes->name, name, change->length + 1);
}

sgk_shim_change sgk_shim_changes_at(sgk_shim_changes *changes, const void *bytes) {
    const struct inotify_event *event = bytes;
    sgk_shim_change change = {.cookie = event->cookie, .name = "", .size = sizeof *event + event->len};
    if (event->mask & IN_Q_OVERFLOW) return change.error = ENOBUFS, change;
    bool is_named = event->len > 0, is_folder = is_below(changes) && is_named && (event->mask & IN_ISDIR);
    if (changes->moved && !(is_folder && (event->mask & IN_MOVED_TO) && event->cookie == changes->moved_cookie)) {
        folder *left = moved_folder(changes);
        if (left) forget(changes, left);
        end_move(changes);
    }
    const folder *folder = folder_of(changes, event->wd);
    if (!folder && (event->mask & IN_IGNORED)) end_watches(changes, 1);
    if (!folder) return change;
    bool is_top = folder->parent == NONE;
    if (event->mask & IN_IGNORED) {
        change.is_last = is_top;
        if (!is_top) remove_at(changes, place_of(changes, event->wd));
        return change;
    }
    uint32_t wanted = changes->mask & ~(uint32_t)SGK_SHIM_BELOW;
    if (is_below(changes) && (event->mask & IN_ISDIR)) wanted &= ~(uint32_t)IN_ACCESS; /* it reads folders itself */
    const char *name = is_named ? name_of(changes, event->wd, event->name) : "";
    if ((event->mask & wanted) && name && (is_named || is_top)) {
        change.mask = event->mask & (wanted | IN_ISDIR);
        set_name(changes, &change, name);
    }
    if (is_folder && (event->mask & (IN_CREATE | IN_MOVED_TO))) change.error = folder_arrived(changes, event);
    if (is_folder && (event->mask & IN_MOVED_FROM)) change.error = folder_left(changes, event);
    return change;
}

bool sgk_shim_changes_found(sgk_shim_changes *changes, sgk_shim_change *change) {
    entry *entry = changes->found;
    if (!entry) return false;
    changes->found = entry->next;
    *change = (sgk_shim_change){.mask = IN_CREATE | (entry->is_folder ? IN_ISDIR : 0)};
    set_name(changes, change, entry->name);
    free(entry);
    return true;
}
#endif
