/* Where threads sleep. */
#ifndef SIGNALKIT_SHIMS_PARKING_H
#define SIGNALKIT_SHIMS_PARKING_H

/* The places are made when they are used first, and anew in the child of each fork. Code that registers a handler of
 * forks calls this before: handlers run in the order of their registration, and later ones may use the places. */
void sgk_parking_begin(void);

#endif
