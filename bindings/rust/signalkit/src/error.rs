//! The errors of subscriptions and of failed calls.

use crate::object::{boxed, unboxed, Object};
use crate::value::{AnyValue, Row, Value};
use signalkit_sys as sys;
use std::any::Any;
use std::ffi::{c_char, CStr};
use std::fmt;
use std::sync::{Arc, Mutex};

/// Any error of a program: an error of another type, or a text.
pub type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// The error of a subscription or a call. A program's error arrives unchanged: see [`Error::downcast_ref`].
///
/// ```
/// use signalkit::{Error, Signal};
///
/// let refused = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
/// let error: Error = Signal::<i64>::fail(refused).get(None).unwrap_err();
/// let same: &std::io::Error = error.downcast_ref().unwrap();
/// assert_eq!(same.kind(), std::io::ErrorKind::ConnectionRefused);
/// ```
#[derive(Clone)]
pub struct Error(Arc<Kind>);

enum Kind {
    Custom(AnyError),
    Panic(String, Mutex<Option<Box<dyn Any + Send>>>),
    Use(sys::sgk_status, String),
    Overflow(&'static str),
    Value(AnyValue),
    Failure(Failure),
}

/// An error of the library, or of another language.
struct Failure {
    value: AnyValue,
    code: i32,
    text: String,
    cause: Option<Error>,
}

impl Error {
    /// An error of the program's, or a text. An `Error` stays the same one.
    pub fn new(error: impl Into<AnyError>) -> Self {
        match error.into().downcast::<Error>() {
            Ok(same) => *same,
            Err(other) => Error(Arc::new(Kind::Custom(other))),
        }
    }

    /// Returns the program's error that this was created from, if it is of this type.
    pub fn downcast_ref<E: std::error::Error + 'static>(&self) -> Option<&E> {
        match &*self.0 {
            Kind::Custom(error) => error.downcast_ref(),
            _ => None,
        }
    }

    /// Returns the payload of a closure's panic, for `std::panic::resume_unwind`. Only the first call returns it.
    pub fn take_panic(&self) -> Option<Box<dyn Any + Send>> {
        match &*self.0 {
            Kind::Panic(_, payload) => payload.lock().ok()?.take(),
            _ => None,
        }
    }

    /// Returns whether a closure has panicked.
    pub fn is_panic(&self) -> bool {
        matches!(&*self.0, Kind::Panic(..))
    }

    /// Returns whether a limit was exceeded ([`Bound`](crate::Bound)) for which no error was specified.
    pub fn is_overflow(&self) -> bool {
        matches!(&*self.0, Kind::Overflow(_))
    }

    /// Returns whether the call or the signal timed out.
    pub fn is_timeout(&self) -> bool {
        self.code() == sys::SGK_ERROR_TIMEOUT
    }

    /// Returns the status of a refused call, or the code of an error of the library or of another language: one of
    /// `signalkit_sys::SGK_ERROR_…`, or a positive number, such as an errno. For other errors it is `SGK_ERROR_FAILED`.
    pub fn code(&self) -> i32 {
        match &*self.0 {
            Kind::Use(status, _) => *status,
            Kind::Failure(failure) => failure.code,
            Kind::Overflow(_) => sys::SGK_ERROR_OVERFLOW,
            _ => sys::SGK_ERROR_FAILED,
        }
    }

    /// The status of a call that the library has refused, one of `signalkit_sys::SGK_ERROR_…`.
    pub fn status(&self) -> Option<i32> {
        match &*self.0 {
            Kind::Use(status, _) => Some(*status),
            _ => None,
        }
    }

    /// Returns the value with which the subscription failed, if it is not from Rust.
    pub fn value(&self) -> Option<&AnyValue> {
        match &*self.0 {
            Kind::Value(value) | Kind::Failure(Failure { value, .. }) => Some(value),
            _ => None,
        }
    }

    /// Reads an error of the library, or of another language.
    fn failure(value: &AnyValue) -> Self {
        let raw = value.as_raw();
        let text = unsafe { text_of(sys::sgk_error_text(raw)) };
        let cause = unsafe { AnyValue::lent(sys::sgk_error_cause(raw)) };
        let cause = if *cause == AnyValue::NULL { None } else { Error::from_value(&cause) };
        let code = unsafe { sys::sgk_error_code(raw) };
        Error(Arc::new(Kind::Failure(Failure { value: value.clone(), code, text, cause })))
    }

    /// Returns the reason why the last call on this thread failed.
    pub(crate) fn last() -> Self {
        let text = unsafe { text_of(sys::sgk_last_error()) };
        Error(Arc::new(Kind::Use(unsafe { sys::sgk_last_status() }, text)))
    }

    /// A mistake that is found out before the library is called.
    pub(crate) fn misuse(text: String) -> Self {
        Error(Arc::new(Kind::Use(sys::SGK_ERROR_ARGUMENT, text)))
    }

    pub(crate) fn answer(status: sys::sgk_status) -> Self {
        let text = unsafe { CStr::from_ptr(sys::sgk_status_text(status)) }.to_string_lossy().into_owned();
        Error(Arc::new(Kind::Use(status, text)))
    }

    pub(crate) fn overflow(operator: &'static str) -> Self {
        Error(Arc::new(Kind::Overflow(operator)))
    }

    pub(crate) fn panicked(payload: Box<dyn Any + Send>) -> Self {
        let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".into());
        Error(Arc::new(Kind::Panic(text, Mutex::new(Some(payload)))))
    }

    pub(crate) fn wrong_row<R: Row>(operator: &str, items: &[AnyValue]) -> Self {
        let text = format!("{operator}: the values are no {}: {items:?}", R::type_name());
        Error(Arc::new(Kind::Use(sys::SGK_ERROR_KIND, text)))
    }

    /// A value that is of another type than the operator was made for.
    pub(crate) fn wrong_type<T: Value>(operator: &str, value: &AnyValue) -> Self {
        let text = format!("{operator}: a value is no {}: {value:?}", T::type_name());
        Error(Arc::new(Kind::Use(sys::SGK_ERROR_KIND, text)))
    }
}

/// An error inside of a value.
#[derive(Clone)]
struct Carried(Error);

impl Object for Carried {
    fn equals(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0 .0, &other.0 .0)
    }
    fn hash_code(&self) -> u64 {
        Arc::as_ptr(&self.0 .0) as u64
    }
    fn describe(&self) -> String {
        self.0.to_string()
    }
}

/// Returns a text of the library with the name of the function alone: `take: count: must be 0 or more`.
unsafe fn text_of(text: *const c_char) -> String {
    let text = CStr::from_ptr(text).to_string_lossy();
    let prefixes = ["signal_", "disposable_", "queue_create_", "queue_", "to_object: ", ""];
    let rest = text.strip_prefix("sgk_").and_then(|rest| prefixes.iter().find_map(|prefix| rest.strip_prefix(prefix)));
    rest.unwrap_or(&text).to_owned()
}

/// An error as the library carries it. Of one that is no error of Rust's, an error with that value is made.
impl Value for Error {
    fn into_value(self) -> AnyValue {
        match &*self.0 {
            Kind::Value(value) | Kind::Failure(Failure { value, .. }) => value.clone(),
            _ => boxed(Carried(self)),
        }
    }
    fn from_value(value: &AnyValue) -> Option<Self> {
        if value.as_raw().kind == sys::SGK_FAILURE {
            return Some(Error::failure(value));
        }
        let carried = unboxed::<Carried>(value).map(|carried| carried.0);
        Some(carried.unwrap_or_else(|| Error(Arc::new(Kind::Value(value.clone())))))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &*self.0 {
            Kind::Custom(error) => error.fmt(f),
            Kind::Panic(text, _) | Kind::Use(_, text) => f.write_str(text),
            Kind::Overflow(operator) => write!(f, "{operator}: overflow"),
            Kind::Value(value) => value.fmt(f),
            Kind::Failure(failure) => f.write_str(&failure.text),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &*self.0 {
            Kind::Custom(error) => error.fmt(f),
            Kind::Panic(text, _) => write!(f, "Panic({text:?})"),
            Kind::Use(status, text) => write!(f, "Use({status}, {text:?})"),
            Kind::Overflow(operator) => write!(f, "Overflow({operator:?})"),
            Kind::Value(value) => write!(f, "Value({value:?})"),
            Kind::Failure(failure) => write!(f, "Failure({}, {:?})", failure.code, failure.text),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.0 {
            Kind::Custom(error) => error.source(),
            Kind::Failure(failure) => failure.cause.as_ref().map(|cause| cause as _),
            _ => None,
        }
    }
}
