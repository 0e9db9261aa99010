/* Seeds Swift's hashing. glibc has this function since 2.36, and musl does not have it. If the system supplies no
 * random bytes, all processes hash alike. */
#ifdef __linux__
#include <string.h>
#include <unistd.h>

void arc4random_buf(void *bytes, size_t count) {
    if (getentropy(bytes, count) != 0) memset(bytes, 0, count);
}
#endif
