/** @file
 * Operators: functions that return a signal derived from other signals.
 *
 * An operator starts nothing until its result is started. A NULL signal gives NULL (rule 7).
 *
 * "Order: serial" in a comment means that the operator delivers one event at a time, although several threads emit. An
 * event that arrives during a delivery, also from inside a callback, is queued. The delivering thread delivers it next.
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_H
#define SIGNALKIT_OPERATORS_H

#include "operators-mapping.h"
#include "operators-taking.h"
#include "operators-effects.h"
#include "operators-inner.h"
#include "operators-sequence.h"
#include "operators-combining.h"
#include "operators-timing.h"

#endif
