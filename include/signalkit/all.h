/** @file
 * All functions of the library: signalkit.h and the headers that it leaves out.
 *
 * Most programs need only signalkit.h. They include the other headers by name: typed functions (typed.h),
 * callbacks of C libraries as signals (callback.h), event links (event_link.h), queues on another event loop
 * (queue_custom.h), objects of a queue (queue_local.h) and shared subscriptions under keys (multicast.h).
 * @since 1.0
 */
#ifndef SIGNALKIT_ALL_H
#define SIGNALKIT_ALL_H

#include "../signalkit.h"

#include "callback.h"
#include "event_link.h"
#include "multicast.h"
#include "queue_custom.h"
#include "queue_local.h"
#include "typed.h"

#endif
