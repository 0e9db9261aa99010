/* The places where threads sleep. */
#ifndef SIGNALKIT_SHIMS_PARKING_H
#define SIGNALKIT_SHIMS_PARKING_H

/* The places are created at first use, and again in the child of each fork. Call this function before you register a
 * fork handler. Handlers run in the order of their registration, and later ones may use the places. */
void sgk_parking_begin(void);

#endif
