//! The values of signals: values of the library, and the Rust types that convert to them.

use crate::border::given;
use crate::object::{boxed, unboxed, Object};
use crate::queue::seconds;
use crate::{Error, Signal};
use signalkit_sys as sys;
use std::collections::{BTreeMap, HashMap};
use std::ffi::CStr;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::sync::{Arc, RwLock};
use std::time::Duration;

/// A value as the library has it, of any kind: owned, and shared when it is cloned. Nothing in it can be changed.
#[repr(transparent)]
pub struct AnyValue(sys::sgk_value);

unsafe impl Send for AnyValue {}
unsafe impl Sync for AnyValue {}

impl AnyValue {
    /// The value that says that there is none.
    pub const NULL: AnyValue = AnyValue(plain(sys::SGK_NULL, 0));

    /// Takes over a reference.
    ///
    /// # Safety
    /// The value is valid, and the reference the caller's.
    pub unsafe fn from_raw(raw: sys::sgk_value) -> Self {
        AnyValue(raw)
    }

    /// Returns the value, borrowed for the life of this object.
    pub fn as_raw(&self) -> sys::sgk_value {
        self.0
    }

    /// Gives the reference away.
    pub fn into_raw(self) -> sys::sgk_value {
        ManuallyDrop::new(self).0
    }

    /// One that is borrowed from somebody else.
    pub(crate) unsafe fn lent(raw: sys::sgk_value) -> ManuallyDrop<Self> {
        ManuallyDrop::new(AnyValue(raw))
    }

    /// As a value of a type, if it is one.
    pub fn get<T: Value>(&self) -> Option<T> {
        T::from_value(self)
    }

    /// The elements of an array.
    pub fn items(&self) -> Option<&[AnyValue]> {
        if self.0.kind != sys::SGK_ARRAY {
            return None;
        }
        let mut count = 0;
        let items = unsafe { sys::sgk_array_items(self.0, &mut count) };
        Some(unsafe { slice(items, count) })
    }

    fn data(&self, kind: u32) -> Option<&[u8]> {
        if self.0.kind != kind {
            return None;
        }
        let mut length = 0;
        let data = unsafe { sys::sgk_value_data(self.0, &mut length) };
        Some(if length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(data as *const u8, length) } })
    }

    fn array(items: &[AnyValue]) -> Self {
        AnyValue(unsafe { sys::sgk_array(items.as_ptr() as *const sys::sgk_value, items.len()) })
    }
}

/// Borrowed values; an `AnyValue` is nothing but one of them.
pub(crate) unsafe fn slice<'a>(items: *const sys::sgk_value, count: usize) -> &'a [AnyValue] {
    if count == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(items as *const AnyValue, count)
    }
}

const fn plain(kind: u32, bits: u64) -> sys::sgk_value {
    sys::sgk_value { kind, reserved: 0, bits }
}

impl Clone for AnyValue {
    fn clone(&self) -> Self {
        AnyValue(unsafe { sys::sgk_value_retain(self.0) })
    }
}

impl Drop for AnyValue {
    fn drop(&mut self) {
        unsafe { sys::sgk_value_release(self.0) }
    }
}

impl PartialEq for AnyValue {
    fn eq(&self, other: &Self) -> bool {
        unsafe { sys::sgk_value_equal(self.0, other.0) }
    }
}
impl Eq for AnyValue {}

impl Hash for AnyValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(unsafe { sys::sgk_value_hash(self.0) })
    }
}

impl fmt::Display for AnyValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let length = unsafe { sys::sgk_value_describe(self.0, std::ptr::null_mut(), 0) };
        let mut text = vec![0u8; length + 1];
        unsafe { sys::sgk_value_describe(self.0, text.as_mut_ptr() as *mut _, text.len()) };
        text.truncate(length);
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

impl fmt::Debug for AnyValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kind = unsafe { CStr::from_ptr(sys::sgk_kind_text(self.0.kind)) }.to_string_lossy();
        write!(f, "{kind} {self}")
    }
}

// ---- Types ----

/// A type that signals can carry.
///
/// - Numbers, flags, `String`, `&'static str` and `char` are values of the library.
/// - `Vec`, arrays, tuples, maps and `Result` are arrays of the library.
/// - `Option` is null or its value, and a signal is a signal.
/// - `Duration`, `Arc` and each type that is an [`Object`](crate::Object) are objects, which the library only passes on.
///
/// A number that does not fit into the type of the receiver, such as `300` in a `u8` or `1e300` in an `f32`, is not a
/// value of that type. A floating-point type rounds.
pub trait Value: Clone + Send + Sync + Sized + 'static {
    /// Makes a value of it.
    fn into_value(self) -> AnyValue;
    /// Makes one of a value; `None` if that is of another kind.
    fn from_value(value: &AnyValue) -> Option<Self>;
    /// For messages.
    fn type_name() -> &'static str {
        std::any::type_name::<Self>()
    }
}

/// A value of the library's as an argument of the program's.
#[inline]
pub(crate) fn decoded<T: Value>(operator: &str, value: &AnyValue) -> Result<T, Error> {
    T::from_value(value).ok_or_else(|| Error::wrong_type::<T>(operator, value))
}

impl Value for AnyValue {
    fn into_value(self) -> AnyValue {
        self
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        Some(value.clone())
    }
}

impl Value for () {
    fn into_value(self) -> AnyValue {
        AnyValue::NULL
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        (value.0.kind == sys::SGK_NULL).then_some(())
    }
}

impl Value for bool {
    fn into_value(self) -> AnyValue {
        AnyValue(plain(sys::SGK_BOOL, self as u64))
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        (value.0.kind == sys::SGK_BOOL).then_some(value.0.bits != 0)
    }
}

macro_rules! integers {
    ($($type:ty)*) => {
        $(impl Value for $type {
            #[inline]
            fn into_value(self) -> AnyValue {
                i64::try_from(self).map_or_else(
                    |_| boxed(Large(self as u64)),
                    |number| AnyValue(plain(sys::SGK_INT, number as u64)),
                )
            }
            #[inline]
            fn from_value(value: &AnyValue) -> Option<Self> {
                if value.0.kind == sys::SGK_INT {
                    return Self::try_from(value.0.bits as i64).ok();
                }
                Self::try_from(unboxed::<Large>(value)?.0).ok()
            }
        })*
    };
}
integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

/// A number above `i64::MAX`, of which the library has no kind.
#[derive(Clone)]
struct Large(u64);

impl Object for Large {
    fn equals(&self, other: &Self) -> bool {
        self.0 == other.0
    }
    fn hash_code(&self) -> u64 {
        self.0
    }
    fn describe(&self) -> String {
        self.0.to_string()
    }
}

macro_rules! floats {
    ($($type:ty)*) => {
        $(impl Value for $type {
            #[inline]
            fn into_value(self) -> AnyValue {
                AnyValue(plain(sys::SGK_DOUBLE, f64::from(self).to_bits()))
            }
            #[inline]
            fn from_value(value: &AnyValue) -> Option<Self> {
                match value.0.kind {
                    sys::SGK_DOUBLE => {
                        let (wide, number) = (f64::from_bits(value.0.bits), f64::from_bits(value.0.bits) as $type);
                        (number.is_finite() || !wide.is_finite()).then_some(number)
                    }
                    sys::SGK_INT => Some(value.0.bits as i64 as $type),
                    _ => None,
                }
            }
        })*
    };
}
floats!(f32 f64);

impl Value for String {
    fn into_value(self) -> AnyValue {
        AnyValue(unsafe { sys::sgk_string_n(self.as_ptr() as *const _, self.len()) })
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        let data = value.data(sys::SGK_STRING)?;
        Some(std::str::from_utf8(data).map_or_else(|_| String::from_utf8_lossy(data).into_owned(), str::to_owned))
    }
}

impl Value for &'static str {
    fn into_value(self) -> AnyValue {
        let is_known = STATIC.read().unwrap_or_else(|poisoned| poisoned.into_inner()).binary_search(&self).is_ok();
        if !is_known {
            let mut texts = STATIC.write().unwrap_or_else(|poisoned| poisoned.into_inner());
            if let Err(place) = texts.binary_search(&self) {
                texts.insert(place, self);
            }
        }
        AnyValue(unsafe { sys::sgk_string_n(self.as_ptr() as *const _, self.len()) })
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        let text = std::str::from_utf8(value.data(sys::SGK_STRING)?).ok()?;
        let texts = STATIC.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        texts.binary_search(&text).ok().map(|place| texts[place])
    }
}

/// The static texts that were converted to values, sorted. Only these can be returned as `&'static str`.
static STATIC: RwLock<Vec<&str>> = RwLock::new(Vec::new());

impl Value for char {
    fn into_value(self) -> AnyValue {
        self.to_string().into_value()
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        let mut chars = std::str::from_utf8(value.data(sys::SGK_STRING)?).ok()?.chars();
        chars.next().filter(|_| chars.next().is_none())
    }
}

/// Travels as it is. A number is a time in seconds.
impl Value for Duration {
    fn into_value(self) -> AnyValue {
        boxed(Time(self))
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        let time = unboxed::<Time>(value).map(|time| time.0);
        time.or_else(|| f64::from_value(value).filter(|time| (0.0..u64::MAX as f64).contains(time)).map(seconds))
    }
}

#[derive(Clone)]
struct Time(Duration);

impl Object for Time {
    fn equals(&self, other: &Self) -> bool {
        self.0 == other.0
    }
    fn hash_code(&self) -> u64 {
        self.0.as_nanos() as u64
    }
    fn describe(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// Bytes, as one value: a `Vec<u8>` is an array of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Bytes(pub Vec<u8>);

impl Value for Bytes {
    fn into_value(self) -> AnyValue {
        AnyValue(unsafe { sys::sgk_bytes(self.0.as_ptr() as *const _, self.0.len()) })
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        value.data(sys::SGK_BYTES).map(|data| Bytes(data.to_vec()))
    }
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// An address that the library only carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pointer(pub usize);

impl Value for Pointer {
    fn into_value(self) -> AnyValue {
        AnyValue(plain(sys::SGK_POINTER, self.0 as u64))
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        (value.0.kind == sys::SGK_POINTER).then_some(Pointer(value.0.bits as usize))
    }
}

impl<T: Value> Value for Option<T> {
    fn into_value(self) -> AnyValue {
        match self.map(T::into_value) {
            None => AnyValue::NULL,
            Some(value) if value.0.kind == sys::SGK_NULL || unboxed::<Null>(&value).is_some() => boxed(Null(value)),
            Some(value) => value,
        }
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        if value.0.kind == sys::SGK_NULL {
            return Some(None);
        }
        let inner = unboxed::<Null>(value).map(|null| null.0);
        T::from_value(inner.as_ref().unwrap_or(value)).map(Some)
    }
}

/// `Some` of a value that is null, such as `Some(None)`. Otherwise it would be the same value as `None`.
#[derive(Clone)]
struct Null(AnyValue);

impl Object for Null {
    fn equals(&self, other: &Self) -> bool {
        self.0 == other.0
    }
    fn hash_code(&self) -> u64 {
        1
    }
    fn describe(&self) -> String {
        format!("Some({})", self.0)
    }
}

/// An array of whether it is `Ok`, and of the value or the error.
impl<T: Value, E: Value> Value for Result<T, E> {
    fn into_value(self) -> AnyValue {
        match self {
            Ok(value) => (true, value.into_value()).into_value(),
            Err(error) => (false, error.into_value()).into_value(),
        }
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        let (is_ok, value): (bool, AnyValue) = value.get()?;
        if is_ok {
            value.get().map(Ok)
        } else {
            value.get().map(Err)
        }
    }
}

impl<T: Value> Value for Signal<T> {
    fn into_value(self) -> AnyValue {
        let signal = Signal::<T>::making(|| Ok(given(self))); // a mistake becomes a signal that fails
        signal.pointer().map_or(AnyValue::NULL, |signal| AnyValue(unsafe { sys::sgk_signal_value(signal) }))
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        let is_signal = value.0.kind == sys::SGK_SIGNAL;
        is_signal.then(|| Signal::making(|| Ok(unsafe { sys::sgk_to_signal(value.0) })))
    }
}

impl<T: Send + Sync + 'static> Value for Arc<T> {
    fn into_value(self) -> AnyValue {
        boxed(Shared(self))
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        unboxed::<Shared<T>>(value).map(|shared| shared.0)
    }
}

struct Shared<T>(Arc<T>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(self.0.clone())
    }
}

impl<T: Send + Sync + 'static> Object for Shared<T> {
    fn equals(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
    fn hash_code(&self) -> u64 {
        Arc::as_ptr(&self.0) as *const () as u64
    }
}

// ---- Rows ----

/// A type that an array becomes: a `Vec`, an array or a tuple.
pub trait Row: Value {
    /// Of the elements of the array.
    fn from_items(items: &[AnyValue]) -> Option<Self>;
}

impl<T: Value> Row for Vec<T> {
    fn from_items(items: &[AnyValue]) -> Option<Self> {
        items.iter().map(T::from_value).collect()
    }
}

impl<T: Value> Value for Vec<T> {
    fn into_value(self) -> AnyValue {
        AnyValue::array(&self.into_iter().map(T::into_value).collect::<Vec<_>>())
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        Row::from_items(value.items()?)
    }
}

impl<T: Value, const N: usize> Row for [T; N] {
    fn from_items(items: &[AnyValue]) -> Option<Self> {
        Vec::from_items(items)?.try_into().ok()
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn into_value(self) -> AnyValue {
        AnyValue::array(&self.map(T::into_value))
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        Row::from_items(value.items()?)
    }
}

/// An array of pairs. Equal maps have the same order.
macro_rules! maps {
    ($($map:ident: $($bound:ident)*;)*) => {
        $(impl<K: Value $(+ $bound)*, V: Value> Value for $map<K, V> {
            fn into_value(self) -> AnyValue {
                let mut pairs: Vec<_> = self.into_iter().map(|(k, v)| (k.into_value(), v.into_value())).collect();
                pairs.sort_by_cached_key(|(key, _)| unsafe { sys::sgk_value_hash(key.0) });
                pairs.into_value()
            }
            fn from_value(value: &AnyValue) -> Option<Self> {
                Some(value.get::<Vec<(K, V)>>()?.into_iter().collect())
            }
        })*
    };
}
maps! {
    BTreeMap: Ord;
    HashMap: Eq Hash;
}

macro_rules! tuples {
    ($($count:literal: $($name:ident $index:tt),*;)*) => {
        $(impl<$($name: Value),*> Row for ($($name,)*) {
            fn from_items(items: &[AnyValue]) -> Option<Self> {
                if items.len() != $count {
                    return None;
                }
                Some(($($name::from_value(&items[$index])?,)*))
            }
        }
        impl<$($name: Value),*> Value for ($($name,)*) {
            fn into_value(self) -> AnyValue {
                AnyValue::array(&[$(self.$index.into_value()),*])
            }
            fn from_value(value: &AnyValue) -> Option<Self> {
                Row::from_items(value.items()?)
            }
        }
        impl<$($name: Value),*> Signals for ($(Signal<$name>,)*) {
            type Row = ($($name,)*);
            fn untyped(&self) -> Vec<Signal<AnyValue>> {
                vec![$(self.$index.as_any()),*]
            }
        })*
    };
}
tuples! {
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
}

/// Several signals whose values are combined into rows: a tuple of signals of two to six types, or a slice, array or
/// `Vec` of signals of one.
pub trait Signals {
    /// A value of each.
    type Row: Row;
    #[doc(hidden)]
    fn untyped(&self) -> Vec<Signal<AnyValue>>;
}

impl<T: Value> Signals for [Signal<T>] {
    type Row = Vec<T>;
    fn untyped(&self) -> Vec<Signal<AnyValue>> {
        self.iter().map(Signal::as_any).collect()
    }
}

impl<T: Value> Signals for Vec<Signal<T>> {
    type Row = Vec<T>;
    fn untyped(&self) -> Vec<Signal<AnyValue>> {
        self[..].untyped()
    }
}

impl<T: Value, const N: usize> Signals for [Signal<T>; N] {
    type Row = Vec<T>;
    fn untyped(&self) -> Vec<Signal<AnyValue>> {
        self[..].untyped()
    }
}

// ---- Values of operators ----

/// An event as a value: see [`Signal::to_events`].
#[derive(Clone, Debug)]
pub enum Event<T> {
    /// A value.
    Next(T),
    /// The end, by an error.
    Error(Error),
    /// The end.
    Completed,
}

impl<T: Value> Value for Event<T> {
    fn into_value(self) -> AnyValue {
        let (kind, value) = match self {
            Event::Next(value) => (sys::SGK_EVENT_NEXT, value.into_value()),
            Event::Error(error) => (sys::SGK_EVENT_ERROR, error.into_value()),
            Event::Completed => (sys::SGK_EVENT_COMPLETED, AnyValue::NULL),
        };
        AnyValue::array(&[i64::from(kind).into_value(), value])
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        let (kind, value): (u32, AnyValue) = value.get()?;
        match kind {
            sys::SGK_EVENT_NEXT => value.get().map(Event::Next),
            sys::SGK_EVENT_ERROR => value.get().map(Event::Error),
            sys::SGK_EVENT_COMPLETED => Some(Event::Completed),
            _ => None,
        }
    }
}

/// A value of the signals of [`Signal::reduce_generator`].
#[derive(Clone, Debug, PartialEq)]
pub struct Step<U> {
    /// The accumulated value.
    pub accumulated: U,
    /// The value to emit immediately.
    pub emitted: Option<U>,
}

impl<U: Value> Value for Step<U> {
    fn into_value(self) -> AnyValue {
        let accumulated = self.accumulated.into_value();
        match self.emitted {
            Some(emitted) => AnyValue::array(&[accumulated, emitted.into_value()]),
            None => AnyValue::array(&[accumulated]),
        }
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        let items = value.items()?;
        let emitted = items.get(1).map(|item| item.get().ok_or(())).transpose().ok()?;
        Some(Step { accumulated: items.first()?.get()?, emitted })
    }
}
