/* Callbacks that end with a result, also if a signal handler of Python (Ctrl-C) raises an exception before their first
 * line; and threads of the library that stay attached to Python.
 *
 * ctypes returns an undefined value to the library if a callback raises. A `try` cannot prevent this, because Python calls
 * handlers on entry to a function, too. The part of the stable ABI that is needed is declared here: the file compiles
 * without Python's headers, for any machine, and the result works with each Python from 3.10 on. */

#include <stddef.h>

typedef struct _object PyObject;
typedef struct {
    const char *name;
    PyObject *(*function)(PyObject *self, PyObject *const *arguments, ptrdiff_t count);
    int flags;
    const char *documentation;
} PyMethodDef;
enum { METH_FASTCALL = 0x80 };

extern PyObject *PyCFunction_NewEx(PyMethodDef *method, PyObject *self, PyObject *module);
extern PyObject *PyObject_CallFunctionObjArgs(PyObject *function, ... /* NULL */);
extern PyObject *PyLong_FromLong(long value);
extern PyObject *PyTuple_Pack(ptrdiff_t count, ...);
extern PyObject *PyTuple_GetItem(PyObject *tuple, ptrdiff_t index);
extern PyObject *PySequence_GetItem(PyObject *sequence, ptrdiff_t index);
extern PyObject *PyList_New(ptrdiff_t count);
extern ptrdiff_t PyList_Size(PyObject *list);
extern int PyList_Append(PyObject *list, PyObject *item);
extern int PySequence_DelItem(PyObject *sequence, ptrdiff_t index);
extern PyObject *PyObject_Type(PyObject *object);
extern void PyErr_Fetch(PyObject **type, PyObject **value, PyObject **trace);
extern void PyErr_NormalizeException(PyObject **type, PyObject **value, PyObject **trace);
extern void PyErr_SetObject(PyObject *type, PyObject *value);
extern void PyErr_WriteUnraisable(PyObject *object);
extern int PyException_SetTraceback(PyObject *error, PyObject *trace);
extern int PyErr_GivenExceptionMatches(PyObject *error, PyObject *kind);
extern PyObject *PyExc_RecursionError;
extern int Py_GetRecursionLimit(void);
extern void Py_SetRecursionLimit(int limit);
extern int Py_AddPendingCall(int (*function)(void *), void *context);
extern void Py_IncRef(PyObject *object);
extern void Py_DecRef(PyObject *object);

typedef struct _ts PyThreadState;
extern int PyGILState_Ensure(void);
extern void PyGILState_Release(int was_unlocked);
extern PyThreadState *PyGILState_GetThisThreadState(void);
extern PyThreadState *PyEval_SaveThread(void);
extern void PyEval_RestoreThread(PyThreadState *state);

enum { MOST_ATTEMPTS = 100, MOST_ARGUMENTS = 6, MORE_DEPTH = 50 };

static PyObject *postponed;                                               /* exceptions, the oldest first */
static __thread __attribute__((tls_model("initial-exec"))) int depth;     /* guarded calls on this thread */
static __thread __attribute__((tls_model("initial-exec"))) int postpones; /* since the outermost of them began */

/* Python's main thread calls it between two instructions. */
static int raise_one(void *context) {
    (void)context;
    PyObject *error = PyList_Size(postponed) > 0 ? PySequence_GetItem(postponed, 0) : NULL;
    if (!error) return 0;
    PySequence_DelItem(postponed, 0);
    if (PyList_Size(postponed) > 0) Py_AddPendingCall(raise_one, NULL);
    PyObject *type = PyObject_Type(error);
    PyErr_SetObject(type, error);
    Py_DecRef(type);
    Py_DecRef(error);
    return -1;
}

static void schedule(void) {
    if (depth == 0 && postpones) {
        postpones = 0;
        Py_AddPendingCall(raise_one, NULL);
    }
}

/* Raises the exception in the main thread when no guarded call is active on this one. */
void postpone(PyObject *error) {
    postpones = 1;
    PyList_Append(postponed, error);
    schedule();
}

/* Takes the current exception. */
static PyObject *caught(void) {
    PyObject *type, *error, *trace;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    if (trace) PyException_SetTraceback(error, trace);
    Py_DecRef(type);
    Py_DecRef(trace);
    return error;
}

/* Returns function(*arguments), or failed(exception, *arguments) after an exception, until one returns.
 *
 * After a RecursionError `failed` may use some more frames, because it would fail for the same reason. The limit belongs
 * to all threads, so it is changed by a difference. */
static PyObject *call(PyObject *functions, PyObject *const *arguments, ptrdiff_t count) {
    PyObject *all[MOST_ARGUMENTS] = {NULL}; /* the first NULL ends them */
    for (ptrdiff_t i = 0; i < count && i < MOST_ARGUMENTS; i++) all[i] = arguments[i];
    depth++;
    PyObject *result = PyObject_CallFunctionObjArgs(
        PyTuple_GetItem(functions, 0), all[0], all[1], all[2], all[3], all[4], all[5], NULL);
    for (int attempts = 0; !result && attempts < MOST_ATTEMPTS; attempts++) {
        PyObject *error = caught();
        int more = PyErr_GivenExceptionMatches(error, PyExc_RecursionError) ? MORE_DEPTH : 0;
        if (more) Py_SetRecursionLimit(Py_GetRecursionLimit() + more);
        result = PyObject_CallFunctionObjArgs(
            PyTuple_GetItem(functions, 1), error, all[0], all[1], all[2], all[3], all[4], all[5], NULL);
        if (more) Py_SetRecursionLimit(Py_GetRecursionLimit() - more);
        Py_DecRef(error);
    }
    if (!result) {
        PyErr_WriteUnraisable(PyTuple_GetItem(functions, 0));
        result = PyLong_FromLong(0);
    }
    depth--;
    schedule();
    return result;
}

static PyMethodDef method = {"guarded", call, METH_FASTCALL, NULL};

/* Returns a function that calls `function`, and `failed` if that raises. */
PyObject *guarded(PyObject *function, PyObject *failed) {
    if (!postponed) postponed = PyList_New(0);
    PyObject *functions = PyTuple_Pack(2, function, failed);
    PyObject *made = functions ? PyCFunction_NewEx(&method, functions, NULL) : NULL;
    Py_DecRef(functions);
    return made;
}

/* Hooks of the library's threads. Without them each callback creates a thread state and deletes it. */

static int detaches = 1; /* 0 when the interpreter is about to end, and deletes the states itself */

void thread_begins(void *context, const char *name) {
    (void)context, (void)name;
    (void)PyGILState_Ensure();
    (void)PyEval_SaveThread();
}

void thread_ends(void *context, const char *name) {
    (void)context, (void)name;
    if (!__atomic_load_n(&detaches, __ATOMIC_ACQUIRE)) return;
    PyEval_RestoreThread(PyGILState_GetThisThreadState());
    PyGILState_Release(1);
}

void keep_threads(void) { __atomic_store_n(&detaches, 0, __ATOMIC_RELEASE); }
