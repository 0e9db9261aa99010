/* Defines the functions of each kind of handle that SGK_HANDLE declares: `_retain` and `_release`. */
#include "signalkit.h"

/* Handle.swift has them, for all kinds. */
void *sgk_support_retain(void *handle, sgk_live kind, const char *function);
void sgk_support_release(void *handle, sgk_live kind, const char *function);

#define COUNTED(type, kind)                                                                        \
    type *type##_retain(type *handle) { return sgk_support_retain(handle, kind, #type "_retain"); } \
    void type##_release(type *handle) { sgk_support_release(handle, kind, #type "_release"); }

COUNTED(sgk_signal, SGK_LIVE_SIGNAL)
COUNTED(sgk_subscriber, SGK_LIVE_SUBSCRIBER)
COUNTED(sgk_disposable, SGK_LIVE_DISPOSABLE)
COUNTED(sgk_queue, SGK_LIVE_QUEUE)
COUNTED(sgk_timer, SGK_LIVE_TIMER)
COUNTED(sgk_pipe, SGK_LIVE_PIPE)
COUNTED(sgk_promise, SGK_LIVE_PROMISE)
COUNTED(sgk_value_promise, SGK_LIVE_VALUE_PROMISE)
COUNTED(sgk_multicast, SGK_LIVE_MULTICAST)
COUNTED(sgk_multicast_signal_manager, SGK_LIVE_MULTICAST_SIGNAL_MANAGER)
COUNTED(sgk_sequencer, SGK_LIVE_SEQUENCER)
COUNTED(sgk_thread_pool, SGK_LIVE_THREAD_POOL)
COUNTED(sgk_queue_local, SGK_LIVE_QUEUE_LOCAL)
COUNTED(sgk_signature, SGK_LIVE_SIGNATURE)
COUNTED(sgk_callback, SGK_LIVE_NATIVE)
COUNTED(sgk_event_link, SGK_LIVE_EVENT_LINK)
COUNTED(sgk_link_bag, SGK_LIVE_LINK_BAG)
COUNTED(sgk_overflow_counter, SGK_LIVE_OVERFLOW_COUNTER)
COUNTED(sgk_reader, SGK_LIVE_READER)
