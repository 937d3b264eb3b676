"""Converts the interface's JSON to the types of this package."""

from __future__ import annotations

import types
import typing
from dataclasses import fields, is_dataclass
from datetime import datetime, timezone
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def decode(kind: type[T], value: Any) -> T:
    """Returns the value as the type, ignoring unknown fields."""
    return typing.cast(T, _decode(kind, value))


def to_time(text: str) -> datetime:
    """Parses `YYYY-MM-DD HH:MM:SS`, UTC."""
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc)


def _decode(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        inner = next(item for item in typing.get_args(kind) if item is not type(None))
        return _decode(inner, value)
    if origin is tuple:
        return tuple(_decode(typing.get_args(kind)[0], item) for item in value)
    if kind is datetime:
        return to_time(value)
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**{name: _decode(hint, value[name]) for name, hint in _hints(kind).items() if name in value})
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}
