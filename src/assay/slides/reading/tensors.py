"""Files that `torch.save` wrote, as plain arrays. They hold pickles, and these are read as data: nothing is unpickled.

A pickle is a program for a small stack machine. The few instructions that `torch.save` writes for tensors are followed
here; a name such as ``torch._utils._rebuild_tensor_v2`` stays a name, looked up in a table of three. Anything else is
refused. torch is not needed.
"""

from __future__ import annotations

import io
import math
import pickletools
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.files import read_bytes
from assay.records import dataclass

Array = NDArray[Any]
Tensors = Array | dict[str, Array]

_MAX_BYTES = 2 * 1024**3
_MAX_PICKLE = 64 * 1024**2
_LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
_NO_TENSORS = (
    *(zipfile.BadZipFile, struct.error, RuntimeError, EOFError, ArithmeticError),
    *(LookupError, AttributeError, TypeError, ValueError, MemoryError),
)
"""What a damaged or hostile file raises while it is followed."""
_KINDS = {
    "torch DoubleStorage": "<f8",
    "torch FloatStorage": "<f4",
    "torch HalfStorage": "<f2",
    "torch BFloat16Storage": "<u2",
    "torch LongStorage": "<i8",
    "torch IntStorage": "<i4",
    "torch ShortStorage": "<i2",
    "torch CharStorage": "i1",
    "torch ByteStorage": "u1",
    "torch BoolStorage": "?",
}
"""numpy has no bfloat16: its bits are the upper half of a float."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A function or class that the pickle names, as `module name`. It is never looked up in Python."""

    text: str


@dataclass(frozen=True, slots=True)
class _Storage:
    """Numbers in a row, somewhere in the file."""

    kind: str
    key: str
    count: int


@dataclass(frozen=True, slots=True)
class _Tensor:
    """A view of a storage."""

    storage: _Storage
    offset: int
    size: tuple[int, ...]
    stride: tuple[int, ...]


def load_tensors(path: Path, fix: str) -> Tensors:
    """The tensor, or the dictionary of tensors, of a .pt or .pth file; `fix` says what it should hold."""
    try:
        found = _zipped(path) if zipfile.is_zipfile(path) else _legacy(path)
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path), fix="Check the path.") from None
    except _NO_TENSORS:
        raise InputError("holds no plain tensors", where=str(path), fix=fix) from None
    return found


def _zipped(path: Path) -> Tensors:
    """The format of torch 1.6 and newer: an archive with one pickle and a member for each storage."""
    with zipfile.ZipFile(path) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > _MAX_BYTES:
            raise _too_large(path)
        [told] = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        folder = told.removesuffix("/data.pkl")
        if archive.getinfo(told).file_size > _MAX_PICKLE:
            raise _too_large(path)
        return _built(_followed(io.BytesIO(archive.read(told))), lambda one: archive.read(f"{folder}/data/{one.key}"))


def _legacy(path: Path) -> Tensors:
    """The format before: five pickles in a row, then each storage after its length."""
    stream = io.BytesIO(read_bytes(path, _MAX_BYTES))
    magic, _, _ = (_followed(stream) for _ in range(3))
    if magic != _LEGACY_MAGIC:
        raise ValueError
    told, keys = _followed(stream), _followed(stream)
    kinds = {one.storage.key: one.storage for one in _tensors(told).values()}
    raw: dict[str, bytes] = {}
    for key in keys:
        [count] = struct.unpack("<q", stream.read(8))
        raw[key] = stream.read(count * np.dtype(_KINDS[kinds[key].kind]).itemsize)
    return _built(told, lambda one: raw[one.key])


def _too_large(path: Path) -> InputError:
    return InputError("holds more than 2 GiB", where=str(path), fix="Store fewer numbers in one file.")


def _built(told: Any, read: Callable[[_Storage], bytes]) -> Tensors:
    """The arrays that the tensors of a pickle stand for."""
    tensors = _tensors(told)
    total = sum(math.prod(map(abs, one.size)) * 8 for one in tensors.values())
    if not tensors or total > 2 * _MAX_BYTES:
        raise ValueError
    arrays = {name: _array(one, read(one.storage)) for name, one in tensors.items()}
    return arrays[""] if isinstance(told, _Tensor) else arrays


def _tensors(told: Any) -> dict[str, _Tensor]:
    """By name; a tensor alone has none."""
    if isinstance(told, _Tensor):
        return {"": told}
    return {str(name): value for name, value in told.items() if isinstance(value, _Tensor)}


def _array(tensor: _Tensor, raw: bytes) -> Array:
    numbers = np.frombuffer(raw, _KINDS[tensor.storage.kind], tensor.storage.count)
    if tensor.storage.kind == "torch BFloat16Storage":
        numbers = (numbers.astype(np.uint32) << 16).view(np.float32)
    last = tensor.offset + sum((n - 1) * step for n, step in zip(tensor.size, tensor.stride, strict=True))
    if min(tensor.offset, *tensor.size, *tensor.stride, 0) < 0 or (0 not in tensor.size and last >= len(numbers)):
        raise ValueError
    strides = [step * numbers.itemsize for step in tensor.stride]
    return np.lib.stride_tricks.as_strided(numbers[tensor.offset :], tensor.size, strides).copy()


# --- the stack machine -----------------------------------------------------------------------------

_MARK = object()
_WORDS = frozenset({"BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"})
_VALUES = frozenset({"BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", *_WORDS})
_CONSTANTS: Mapping[str, Callable[[], Any]] = {
    "NONE": lambda: None,
    "NEWTRUE": lambda: True,
    "NEWFALSE": lambda: False,
    "EMPTY_DICT": dict,
    "EMPTY_LIST": list,
    "EMPTY_TUPLE": tuple,
    "MARK": lambda: _MARK,
}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_PUTS = frozenset({"BINPUT", "LONG_BINPUT"})
_GETS = frozenset({"BINGET", "LONG_BINGET"})
_IGNORED = frozenset({"PROTO", "FRAME"})


def _rebuilt_tensor(storage: _Storage, offset: int, size: Sequence[int], stride: Sequence[int], *_: Any) -> _Tensor:
    return _Tensor(storage, int(offset), tuple(map(int, size)), tuple(map(int, stride)))


_CALLS: Mapping[str, Callable[..., Any]] = {
    "torch._utils _rebuild_tensor_v2": _rebuilt_tensor,
    "torch._utils _rebuild_parameter": lambda tensor, *_: tensor,
    "collections OrderedDict": dict,
}
"""All that a file of tensors may call, and what stands for it here."""


def _followed(stream: IO[bytes]) -> Any:
    """What the next pickle of the stream describes."""
    machine = _Machine()
    for opcode, argument, _ in pickletools.genops(stream):
        if opcode.name == "STOP":
            return machine.stack.pop()
        machine.step(opcode.name, argument)
    raise EOFError


class _Machine:
    """The stack, and what was put aside."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self._aside: dict[int, Any] = {}

    def step(self, name: str, argument: Any) -> None:
        """Follow one instruction; an unknown one is a `KeyError`."""
        if name in _IGNORED:
            return
        if name in _VALUES:
            self.stack.append(argument)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name]())
        elif name in _TUPLES:
            self.stack.append(tuple(self.popped(_TUPLES[name])))
        elif name in _PUTS:
            self._aside[argument] = self.stack[-1]
        elif name in _GETS:
            self.stack.append(self._aside[argument])
        else:
            _RARER[name](self, argument)

    def popped(self, count: int) -> list[Any]:
        """The topmost values, taken off."""
        taken = self.stack[-count:]
        del self.stack[-count:]
        return taken

    def since_mark(self) -> list[Any]:
        """All above the last mark, which goes too."""
        start = len(self.stack) - 1 - self.stack[::-1].index(_MARK)
        taken = self.stack[start + 1 :]
        del self.stack[start:]
        return taken

    def memoize(self, _: Any) -> None:
        """Put the top aside under the next number."""
        self._aside[len(self._aside)] = self.stack[-1]

    def fill(self, pairs: Sequence[Any]) -> None:
        """Set the items of the dictionary on top."""
        self.stack[-1].update(zip(pairs[::2], pairs[1::2], strict=True))

    def extend(self, items: Sequence[Any]) -> None:
        """Add to the list on top."""
        self.stack[-1].extend(items)

    def drop(self, _: Any) -> None:
        """Forget the metadata of a dictionary of weights."""
        self.stack.pop()

    def name(self, text: str | None) -> None:
        """A name of Python, kept as words."""
        self.stack.append(_Name(text if text is not None else " ".join(self.popped(2))))

    def storage(self, _: Any) -> None:
        """What torch keeps outside the pickle."""
        tag, kind, key, _place, count, *_rest = self.stack.pop()
        if tag != "storage" or kind.text not in _KINDS:
            raise ValueError
        self.stack.append(_Storage(kind.text, str(key), int(count)))

    def call(self, _: Any) -> None:
        """One of the three known calls."""
        callee, arguments = self.popped(2)
        self.stack.append(_CALLS[callee.text](*arguments))


_RARER: Mapping[str, Callable[[_Machine, Any], None]] = {
    "TUPLE": lambda m, _: m.stack.append(tuple(m.since_mark())),
    "SETITEMS": lambda m, _: m.fill(m.since_mark()),
    "SETITEM": lambda m, _: m.fill(m.popped(2)),
    "APPEND": lambda m, _: m.extend(m.popped(1)),
    "APPENDS": lambda m, _: m.extend(m.since_mark()),
    "GLOBAL": _Machine.name,
    "STACK_GLOBAL": _Machine.name,
    "MEMOIZE": _Machine.memoize,
    "BINPERSID": _Machine.storage,
    "REDUCE": _Machine.call,
    "BUILD": _Machine.drop,
}
