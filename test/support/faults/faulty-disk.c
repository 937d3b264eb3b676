/* A disk that fails on command, for one process: preloaded into the service under test (faulty-disk.ts).
 *
 * Power cuts: a shadow of each store file holds exactly what the file's last fsync made durable. Unsynced writes never
 * reach the shadow, which is the worst result of a power cut.
 * Errors: calls on store files fail with the errno in the plan, if it has one. The plan is shared memory. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FDS 65536
#define FILES 64

struct change { struct change *next; off_t offset; size_t length; int is_truncation; char bytes[]; };
struct file { char name[256]; int shadow; struct change *first, **last; };
struct plan { int32_t sync_error, write_error, open_error; };

static struct file files[FILES];
static struct file *opened[FDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct plan nothing, *plan = &nothing;
static const char *folder, *shadow_folder;

#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name); real; })

__attribute__((constructor)) static void begin(void) {
    folder = getenv("FAULTY_DISK_FOLDER");
    shadow_folder = getenv("FAULTY_DISK_SHADOW");
    const char *name = getenv("FAULTY_DISK_PLAN");
    int fd = name ? REAL(open64)(name, O_RDWR) : -1;
    if (fd < 0) return;
    void *at = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at != MAP_FAILED) plan = at;
    REAL(close)(fd);
}

/* Returns the name of a store file relative to the folder; NULL for other files. */
static const char *store_name(const char *path) {
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    if (!folder || strncmp(base, "mayfly.db", 9) != 0 || strstr(base, "-shm") || strstr(base, ".copy")) return NULL;
    return base;
}

static void note_open(int fd, const char *path) {
    const char *name = store_name(path);
    if (fd < 0 || fd >= FDS || !name || !shadow_folder) return;
    pthread_mutex_lock(&lock);
    for (int at = 0; at < FILES; at++) {
        struct file *file = &files[at];
        if (file->name[0] && strcmp(file->name, name) != 0) continue;
        if (!file->name[0]) {
            char shadow[4096];
            snprintf(shadow, sizeof shadow, "%s/%s", shadow_folder, name);
            strncpy(file->name, name, sizeof file->name - 1);
            file->shadow = REAL(open64)(shadow, O_RDWR | O_CREAT, 0600);
            file->last = &file->first;
        }
        opened[fd] = file;
        break;
    }
    pthread_mutex_unlock(&lock);
}

static void note_change(int fd, const void *bytes, size_t length, off_t offset, int is_truncation) {
    if (fd < 0 || fd >= FDS || !opened[fd]) return;
    struct change *change = malloc(sizeof *change + (bytes ? length : 0));
    if (!change) abort();
    *change = (struct change){ .offset = offset, .length = length, .is_truncation = is_truncation };
    if (bytes) memcpy(change->bytes, bytes, length);
    pthread_mutex_lock(&lock);
    *opened[fd]->last = change;
    opened[fd]->last = &change->next;
    pthread_mutex_unlock(&lock);
}

static void make_durable(int fd) {
    if (fd < 0 || fd >= FDS || !opened[fd]) return;
    pthread_mutex_lock(&lock);
    struct file *file = opened[fd];
    for (struct change *change = file->first, *next; change; change = next) {
        next = change->next;
        if (change->is_truncation) { if (REAL(ftruncate64)(file->shadow, change->offset)) abort(); }
        else if (REAL(pwrite64)(file->shadow, change->bytes, change->length, change->offset) < 0) abort();
        free(change);
    }
    file->first = NULL;
    file->last = &file->first;
    pthread_mutex_unlock(&lock);
}

static int is_of_store(int fd) {
    return fd >= 0 && fd < FDS && opened[fd] != NULL;
}

#define FAIL_IF(condition, error) do { int32_t wanted = (error); if (wanted && (condition)) { errno = wanted; return -1; } } while (0)

#define OPEN(function)                                                        \
    int function(const char *path, int flags, ...) {                          \
        va_list rest; va_start(rest, flags);                                  \
        int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, int) : 0;   \
        va_end(rest);                                                         \
        FAIL_IF(folder && strncmp(path, folder, strlen(folder)) == 0, plan->open_error); \
        int fd = REAL(function)(path, flags, mode);                           \
        note_open(fd, path);                                                  \
        return fd;                                                            \
    }
OPEN(open)
OPEN(open64)

#define PWRITE(function, type)                                                \
    ssize_t function(int fd, const void *bytes, size_t length, type offset) { \
        FAIL_IF(is_of_store(fd), plan->write_error);                          \
        ssize_t written = REAL(function)(fd, bytes, length, offset);          \
        if (written > 0) note_change(fd, bytes, written, offset, 0);          \
        return written;                                                       \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(function, type)                                              \
    int function(int fd, type length) {                                       \
        int result = REAL(function)(fd, length);                              \
        if (result == 0) note_change(fd, NULL, 0, length, 1);                 \
        return result;                                                        \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(function)                                                        \
    int function(int fd) {                                                    \
        FAIL_IF(is_of_store(fd), plan->sync_error);                           \
        make_durable(fd);                                                     \
        return REAL(function)(fd);                                            \
    }
SYNC(fsync)
SYNC(fdatasync)

int close(int fd) {
    if (fd >= 0 && fd < FDS) opened[fd] = NULL;
    return REAL(close)(fd);
}

int unlink(const char *path) {
    const char *name = store_name(path);
    if (name && shadow_folder) {
        char shadow[4096];
        snprintf(shadow, sizeof shadow, "%s/%s", shadow_folder, name);
        pthread_mutex_lock(&lock);
        for (int at = 0; at < FILES; at++) {
            if (strcmp(files[at].name, name) != 0) continue;
            REAL(close)(files[at].shadow);
            files[at].name[0] = '\0';
        }
        pthread_mutex_unlock(&lock);
        REAL(unlink)(shadow);
    }
    return REAL(unlink)(path);
}
