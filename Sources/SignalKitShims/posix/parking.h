/* Where threads sleep. */
#ifndef SIGNALKIT_SHIMS_PARKING_H
#define SIGNALKIT_SHIMS_PARKING_H

/* The places are made when they are used first, and anew in the child of each fork. To be called by whoever asks for
 * forks, too: what is asked for first is done first in the child, and the rest may use the places. */
void sgk_parking_begin(void);

#endif
