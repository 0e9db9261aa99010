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

/// The object at the library's address. Its type can be requested before it is known.
#[repr(C)]
struct Boxed<T> {
    type_id: TypeId,
    object: T,
}

pub(crate) fn boxed<T: Object>(object: T) -> AnyValue {
    let table = sys::sgk_object_table {
        size: std::mem::size_of::<sys::sgk_object_table>(),
        retain: None,
        release: Some(release::<T>),
        equal: Some(equal::<T>),
        hash: Some(hash::<T>),
        describe: Some(describe::<T>),
    };
    let boxed = Box::into_raw(Box::new(Boxed { type_id: TypeId::of::<T>(), object }));
    unsafe { AnyValue::from_raw(sys::sgk_object(boxed as *mut c_void, &table)) }
}

pub(crate) fn unboxed<T: Object>(value: &AnyValue) -> Option<T> {
    if value.as_raw().kind != sys::SGK_OBJECT {
        return None;
    }
    let pointer = unsafe { sys::sgk_to_object(value.as_raw()) };
    unsafe { object::<T>(pointer) }.cloned()
}

unsafe fn object<'a, T: Object>(pointer: *mut c_void) -> Option<&'a T> {
    let is_it = !pointer.is_null() && *(pointer as *const TypeId) == TypeId::of::<T>();
    is_it.then(|| &(*(pointer as *const Boxed<T>)).object)
}

unsafe extern "C" fn release<T>(pointer: *mut c_void) {
    quietly("the release of an object", (), || drop(Box::from_raw(pointer as *mut Boxed<T>)))
}

unsafe extern "C" fn equal<T: Object>(a: *mut c_void, b: *mut c_void) -> bool {
    let equals = || a == b || matches!((object::<T>(a), object::<T>(b)), (Some(a), Some(b)) if a.equals(b));
    quietly("Object::equals", false, equals)
}

unsafe extern "C" fn hash<T: Object>(pointer: *mut c_void) -> u64 {
    quietly("Object::hash_code", 0, || object::<T>(pointer).map_or(0, T::hash_code))
}

unsafe extern "C" fn describe<T: Object>(pointer: *mut c_void, text: *mut c_char, size: usize) -> usize {
    let described = quietly("Object::describe", String::new(), || object::<T>(pointer).map_or("?".into(), T::describe));
    if size > 0 {
        let length = described.len().min(size - 1);
        std::ptr::copy_nonoverlapping(described.as_ptr() as *const c_char, text, length);
        *text.add(length) = 0;
    }
    described.len()
}
