/** @file
 * Operators on signals of signals.
 */
#ifndef SIGNALKIT_OPERATORS_INNER_H
#define SIGNALKIT_OPERATORS_INNER_H

#include "operators-mapping.h"

SGK_BEGIN

/** Of a signal of signals, runs one inner signal after another; of those that arrive while one runs only the latest is kept. A value that is no
 * signal ends it with that value as the error. Serial. */
SGK_API sgk_signal *sgk_signal_throttled(sgk_signal *signal);

SGK_END

#endif
