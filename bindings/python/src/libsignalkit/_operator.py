"""The type of operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar, overload

if TYPE_CHECKING:
    from .signal import Signal

T = TypeVar("T")
U = TypeVar("U")
W = TypeVar("W")
A_contra = TypeVar("A_contra", contravariant=True)
B_co = TypeVar("B_co", covariant=True)


class Operator(Generic[A_contra, B_co]):
    """A function that creates a signal from a signal, for `signal | operator`. Operators compose: `map(str) | take(2)` is an operator."""

    __slots__ = ("_apply",)

    def __init__(self, apply: Callable[[Signal[A_contra]], Signal[B_co]]) -> None:
        self._apply = apply

    def __call__(self, signal: Signal[A_contra]) -> Signal[B_co]:
        return self._apply(signal)

    @overload
    def __or__(self, other: Passing) -> Operator[A_contra, B_co]: ...
    @overload
    def __or__(self, other: Callable[[Signal[B_co]], Signal[W]]) -> Operator[A_contra, W]: ...
    def __or__(self, other: Any) -> Any:
        if not callable(other):
            return NotImplemented
        return Operator(lambda signal: other(self(signal)))


if TYPE_CHECKING:

    class Passing:
        """An operator that keeps the type of the values."""

        def __init__(self, apply: Callable[[Any], Any]) -> None: ...
        def __call__(self, signal: Signal[T]) -> Signal[T]: ...
        @overload
        def __or__(self, other: Passing) -> Passing: ...  # type: ignore[overload-overlap]
        @overload
        def __or__(self, other: Callable[[Signal[U]], Signal[W]]) -> Operator[U, W]: ...
        def __or__(self, other: Any) -> Any: ...
else:
    Passing = Operator
