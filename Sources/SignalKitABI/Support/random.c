/* Seeds Swift's hashing. (glibc has one since 2.36, musl has none.) Where the system has nothing to give, all runs hash
 * alike. */
#ifdef __linux__
#include <string.h>
#include <unistd.h>

void arc4random_buf(void *bytes, size_t count) {
    if (getentropy(bytes, count) != 0) memset(bytes, 0, count);
}
#endif
