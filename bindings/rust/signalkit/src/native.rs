//! Callbacks of C libraries as signals.

use crate::border::{self, Callback};
use crate::handle::Handle;
use crate::signal::text;
use crate::value::{AnyValue, Row};
use crate::{Disposable, Error, Signal, Value};
use signalkit_sys as sys;
use std::marker::PhantomData;
use std::os::raw::c_void;

/// A function pointer without a context, made at run time, for a C library: its calls become events. `T` is what a call
/// gives: `()`, the type of its parameter, or a tuple of several.
///
/// ```
/// use signalkit::NativeCallback;
///
/// let callback = NativeCallback::<(i64, f64)>::new("(i64, f64) -> bool", true)?;
/// let run = callback.signal().start(|(n, x)| println!("{n} {x}"))?;
/// // What a C library would do with the pointer:
/// let function: extern "C" fn(i64, f64) -> bool = unsafe { std::mem::transmute(callback.function()) };
/// assert!(function(1, 0.5));
/// # Ok::<(), signalkit::Error>(())
/// ```
pub struct NativeCallback<T> {
    handle: Handle<sys::sgk_callback>,
    carries: PhantomData<fn() -> T>,
}

impl<T: Value> NativeCallback<T> {
    /// Creates a function with this signature, as `"(i64, cstr, ctx) -> bool"`, that always returns `result`. `()`
    /// means zero, NULL or nothing.
    pub fn new(signature: &str, result: impl Value) -> Result<Self, Error> {
        Self::made(signature, &result.into_value(), || (None, (std::ptr::null_mut(), None)))
    }

    /// Creates a function that returns the result of `handler` for the arguments, after the event was delivered. It
    /// returns `result` after a panic, which is logged, and after disposal.
    pub fn answering<A, R, F>(signature: &str, result: R, handler: F) -> Result<Self, Error>
    where
        A: Row,
        R: Value,
        F: Fn(A) -> R + Send + Sync + 'static,
    {
        let context = move || {
            let entry = border::map_array::<A, R, F>;
            (Some(entry as _), Callback::context("NativeCallback", handler))
        };
        Self::made(signature, &result.into_value(), context)
    }

    fn made(
        signature: &str,
        result: &AnyValue,
        handler: impl FnOnce() -> (sys::sgk_map_array_fn, border::Context),
    ) -> Result<Self, Error> {
        let signature = text("NativeCallback", "signature", signature)?;
        let signature = Handle::made(unsafe { sys::sgk_signature_create(signature.as_ptr()) })?;
        let (handler, (context, destroy)) = handler();
        let (signature, result) = (signature.as_ptr(), result.as_raw());
        let callback = unsafe { sys::sgk_callback_create(signature, result, handler, context, destroy) };
        Ok(NativeCallback { handle: Handle::made(callback)?, carries: PhantomData })
    }

    /// The function, which may be called, from any thread, until this is dropped.
    pub fn function(&self) -> *const c_void {
        let function = unsafe { sys::sgk_callback_function(self.handle.as_ptr()) };
        function.map_or(std::ptr::null(), |function| function as *const c_void)
    }

    /// The calls as events, on the calling thread.
    pub fn signal(&self) -> Signal<T> {
        Signal::making(|| Ok(unsafe { sys::sgk_callback_signal(self.handle.as_ptr()) }))
    }

    /// Returns a disposable that ends the signal. Later calls only return the fixed result.
    pub fn disposable(&self) -> Result<Disposable, Error> {
        Ok(Disposable(Handle::made(unsafe { sys::sgk_callback_disposable(self.handle.as_ptr()) })?))
    }
}

crate::handle::debugged!(NativeCallback<T>.handle);
