/** @file
 * Operators: signals made of signals. None of them runs anything until it is started; all of them pass NULL through.
 *
 * "Serial" means: one event at a time, whatever the number of emitting threads; an event that comes while another is
 * being delivered, from inside a callback too, is delivered after it, by whoever is at it.
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
