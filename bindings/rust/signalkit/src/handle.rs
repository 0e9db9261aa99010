//! Owners of the library's objects.

use crate::Error;
use signalkit_sys as sys;
use std::fmt;
use std::os::raw::c_void;
use std::ptr::NonNull;

/// One reference to a handle. Every kind of handle may be used from any thread.
pub(crate) struct Handle<H>(NonNull<H>);

unsafe impl<H> Send for Handle<H> {}
unsafe impl<H> Sync for Handle<H> {}

impl<H> Handle<H> {
    /// Takes the result of a call: an owned reference, or NULL after a failure, which the library explains.
    pub fn made(pointer: *mut H) -> Result<Self, Error> {
        NonNull::new(pointer).map(Handle).ok_or_else(Error::last)
    }

    /// The same of a call that fails only if there is no memory.
    pub fn created(pointer: *mut H) -> Self {
        Self::made(pointer).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn as_ptr(&self) -> *mut H {
        self.0.as_ptr()
    }

    /// Gives the reference away.
    pub fn into_ptr(self) -> *mut H {
        std::mem::ManuallyDrop::new(self).as_ptr()
    }
}

impl<H> Drop for Handle<H> {
    fn drop(&mut self) {
        unsafe { sys::sgk_release(self.as_ptr() as *mut c_void) }
    }
}

impl<H> fmt::Debug for Handle<H> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:p}", self.0)
    }
}

/// Implements `Debug` for each type: its name and the address of its handle.
macro_rules! debugged {
    ($($name:ident $(<$type:ident>)? . $field:tt),* $(,)?) => {
        $(impl $(<$type>)? std::fmt::Debug for $name $(<$type>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.$field).finish()
            }
        })*
    };
}
pub(crate) use debugged;

/// Types that `new` makes of nothing.
macro_rules! defaults {
    ($($name:ident $(<$type:ident>)?),*) => {
        $(impl $(<$type: crate::Value>)? Default for $name $(<$type>)? {
            fn default() -> Self {
                Self::new()
            }
        })*
    };
}
pub(crate) use defaults;

impl<H> Handle<H> {
    /// Retains a borrowed handle.
    pub unsafe fn retained(pointer: *mut H) -> Result<Self, Error> {
        Self::made(sys::sgk_retain(pointer.cast()).cast())
    }
}

impl<H> Clone for Handle<H> {
    fn clone(&self) -> Self {
        let pointer = unsafe { sys::sgk_retain(self.as_ptr().cast()).cast() };
        Handle(NonNull::new(pointer).expect("a handle that is alive can be retained"))
    }
}

/// The answer of a call that has no other than success.
pub(crate) fn done(status: sys::sgk_status) -> Result<(), Error> {
    if status < 0 {
        Err(Error::last())
    } else {
        Ok(())
    }
}
