//! Objects of Rust's inside of values.

use crate::border::quietly;
use crate::value::{AnyValue, Value};
use signalkit_sys as sys;
use std::any::TypeId;
use std::os::raw::{c_char, c_void};

/// A type of the program that signals can carry unchanged. It is cloned for each closure that receives it. Therefore
/// wrap a large object in an `Arc`.
///
/// ```
/// #[derive(Clone)]
/// struct Reading { celsius: f64 }
/// impl signalkit::Object for Reading {}
///
/// let reading = signalkit::Signal::of([Reading { celsius: 21.5 }]).get(None)?.unwrap();
/// assert_eq!(reading.celsius, 21.5);
/// # Ok::<(), signalkit::Error>(())
/// ```
pub trait Object: Clone + Send + Sync + 'static {
    /// Whether two count as the same, for `distinct` and the like. By default none do.
    fn equals(&self, other: &Self) -> bool {
        let _ = other;
        false
    }
    /// Returns the same number for equal objects.
    fn hash_code(&self) -> u64 {
        0
    }
    /// For messages.
    fn describe(&self) -> String {
        std::any::type_name::<Self>().into()
    }
}

impl<T: Object> Value for T {
    fn into_value(self) -> AnyValue {
        boxed(self)
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        unboxed(value)
    }
}

/// The object at the library's address, which `Boxed` begins with. Only objects of `TYPE` have it.
#[repr(C)]
struct Head {
    type_id: TypeId,
    functions: &'static Functions,
}

/// The functions of objects of one type.
struct Functions {
    release: unsafe fn(*mut c_void),
    equal: unsafe fn(*mut c_void, *mut c_void) -> bool,
    hash: unsafe fn(*mut c_void) -> u64,
    describe: unsafe fn(*mut c_void) -> String,
}

#[repr(C)]
struct Boxed<T> {
    head: Head,
    object: T,
}

impl<T: Object> Boxed<T> {
    const FUNCTIONS: &'static Functions =
        &Functions { release: Self::release, equal: Self::equal, hash: Self::hash, describe: Self::describe };

    unsafe fn release(pointer: *mut c_void) {
        drop(Box::from_raw(pointer as *mut Self))
    }
    unsafe fn equal(a: *mut c_void, b: *mut c_void) -> bool {
        a == b || matches!((object::<T>(a), object::<T>(b)), (Some(a), Some(b)) if a.equals(b))
    }
    unsafe fn hash(pointer: *mut c_void) -> u64 {
        object::<T>(pointer).map_or(0, T::hash_code)
    }
    unsafe fn describe(pointer: *mut c_void) -> String {
        object::<T>(pointer).map_or("?".into(), T::describe)
    }
}

/// A type of objects that all threads can read.
struct Type(sys::sgk_object_type);
unsafe impl Sync for Type {}

/// The type of all objects of this crate.
static TYPE: Type = Type(sys::sgk_object_type {
    size: std::mem::size_of::<sys::sgk_object_type>(),
    name: b"Rust\0".as_ptr() as *const c_char,
    retain: None,
    release: Some(release),
    equal: Some(equal),
    hash: Some(hash),
    describe: Some(describe),
});

pub(crate) fn boxed<T: Object>(object: T) -> AnyValue {
    let head = Head { type_id: TypeId::of::<T>(), functions: Boxed::<T>::FUNCTIONS };
    let boxed = Box::into_raw(Box::new(Boxed { head, object }));
    unsafe { AnyValue::from_raw(sys::sgk_object(boxed as *mut c_void, &TYPE.0)) }
}

pub(crate) fn unboxed<T: Object>(value: &AnyValue) -> Option<T> {
    if value.as_raw().kind != sys::SGK_OBJECT {
        return None;
    }
    let pointer = unsafe { sys::sgk_to_object(value.as_raw(), &TYPE.0) };
    unsafe { object::<T>(pointer) }.cloned()
}

unsafe fn object<'a, T: Object>(pointer: *mut c_void) -> Option<&'a T> {
    let is_it = !pointer.is_null() && (*(pointer as *const Head)).type_id == TypeId::of::<T>();
    is_it.then(|| &(*(pointer as *const Boxed<T>)).object)
}

unsafe fn functions(pointer: *mut c_void) -> &'static Functions {
    (*(pointer as *const Head)).functions
}

unsafe extern "C" fn release(pointer: *mut c_void) {
    quietly("the release of an object", (), || (functions(pointer).release)(pointer))
}

unsafe extern "C" fn equal(a: *mut c_void, b: *mut c_void) -> bool {
    quietly("Object::equals", false, || (functions(a).equal)(a, b))
}

unsafe extern "C" fn hash(pointer: *mut c_void) -> u64 {
    quietly("Object::hash_code", 0, || (functions(pointer).hash)(pointer))
}

unsafe extern "C" fn describe(pointer: *mut c_void, text: *mut c_char, size: usize) -> usize {
    let described = quietly("Object::describe", String::new(), || (functions(pointer).describe)(pointer));
    if size > 0 {
        let length = described.len().min(size - 1);
        std::ptr::copy_nonoverlapping(described.as_ptr() as *const c_char, text, length);
        *text.add(length) = 0;
    }
    described.len()
}
