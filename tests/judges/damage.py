"""How to damage a file: bytes, words, headers and arrays. Always the same way for the same random numbers."""

import contextlib
import random
import re
from typing import Any

import numpy as np

NASTY = [
    "-1", "0", "1", "2", "1e999", "-1e999", "1e400000000", "1/0", "9" * 40, "-" + "9" * 40, "nan", "inf", "0.5", "null",
    "true", "[]", "{}", '""', '"x"', "\x1b[31m", "\x00", "\u202e", "ÿ", "{", "}", '"', "\n", " ", "4294967296",
    "9223372036854775807", "-9223372036854775808", "1e-400", "F64", "C64", "I64", "BOOL",
]  # fmt: skip


def damaged(data: bytes, draw: random.Random) -> bytes:
    """Some bytes changed, taken out, put in, doubled, moved or cut off."""
    raw = bytearray(data)
    for _ in range(draw.choice([1, 1, 1, 2, 5])):
        at = draw.randrange(len(raw) + 1)
        length = min(draw.choice([1, 2, 8, 64]), len(raw) - at)
        way = draw.randrange(7)
        if way == 0 and at < len(raw):
            raw[at] ^= 1 << draw.randrange(8)
        elif way == 1 and at < len(raw):
            raw[at] = draw.randrange(256)
        elif way == 2:
            del raw[at : at + length]
        elif way == 3:
            raw[at:at] = draw.randbytes(draw.choice([1, 8, 40]))
        elif way == 4:
            raw[at:at] = raw[at : at + length]
        elif way == 5:
            other = draw.randrange(len(raw) + 1)
            raw[at : at + length] = raw[other : other + length]
        elif way == 6 and draw.random() < 0.5:
            del raw[at:]
    return bytes(raw)


def reworded(data: bytes, draw: random.Random) -> bytes:
    """A number, word or text replaced by one that nobody expects there."""
    text = data.decode("utf-8", "surrogateescape")
    tokens = list(re.finditer(r'"[^"\n]*"|[\w.+-]+|[{}\[\]:,=]', text))
    for token in sorted(draw.sample(tokens, min(len(tokens), draw.choice([1, 1, 2]))), key=lambda m: -m.start()):
        text = text[: token.start()] + draw.choice(NASTY) + text[token.end() :]
    return text.encode("utf-8", "surrogateescape")


def reheaded(data: bytes, draw: random.Random) -> bytes:
    """A safetensors file whose header says something else, and is as long as the file says."""
    length = int.from_bytes(data[:8], "little")
    header = reworded(data[8 : 8 + length], draw)
    return len(header).to_bytes(8, "little") + header + data[8 + length :]


def text_mutant(data: bytes, draw: random.Random) -> bytes:
    return (damaged if draw.random() < 0.4 else reworded)(data, draw)


def tensor_mutant(data: bytes, draw: random.Random) -> bytes:
    return (damaged if draw.random() < 0.6 else reheaded)(data, draw)


def nonsense(array: Any, draw: random.Random) -> Any:
    """Arrays of the wrong numbers, type or shape."""
    array = np.array(array)
    flat = array.reshape(-1)
    at = draw.randrange(max(len(flat), 1))
    way = draw.randrange(9)
    if way == 0 and len(flat):
        with np.errstate(invalid="ignore"), contextlib.suppress(OverflowError):
            flat[at] = draw.choice([-1, 0, 2, 1 << 20, 1 << 40, (1 << 63) - 1])
    elif way == 1 and array.dtype.kind == "f" and len(flat):
        flat[at] = draw.choice([np.nan, np.inf, -np.inf, -0.5, 1e300, 1.5])
    elif way == 2:
        return np.zeros_like(array)
    elif way == 3:
        return array[:-1]
    elif way == 4:
        return np.concatenate([flat, flat])
    elif way == 5:
        return flat[::-1].copy()
    elif way == 6:
        return array.astype(draw.choice([np.float32, np.int8, np.complex64, np.int64, np.uint8]))
    elif way == 7:
        return array.reshape(-1, 1)
    elif way == 8:
        return array[:0]
    return array
