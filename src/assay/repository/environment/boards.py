"""Files for a microcontroller: what they import is in its firmware, or copied onto it, and on no index."""

from __future__ import annotations

from collections.abc import Sequence

from assay.code import Source
from assay.repository.environment.distributions import table

_FIRMWARE = frozenset(
    {
        "esp", "esp32", "machine", "micropython", "network", "neopixel", "rp2", "uasyncio", "ubinascii", "uhashlib",
        "ujson", "umqtt", "uos", "urandom", "ure", "urequests", "usocket", "ustruct", "utime",
    }
)  # fmt: skip
"""Modules of MicroPython."""
_TELLING = _FIRMWARE - {"esp", "machine", "network", "neopixel"}
"""Those that nobody calls a module of their own."""
_PARTS = frozenset(
    {"ADC", "DAC", "I2C", "I2S", "PWM", "Pin", "RTC", "SPI", "SoftI2C", "SoftSPI", "Timer", "UART", "WDT"}
)
"""What a file takes from `machine`, if that is the board."""


def is_on_board(module: str, providers: Sequence[str], source: Source) -> bool:
    """Whether a module is the firmware's, or a driver that nobody installs, in a file for a microcontroller."""
    known = any(map(table().is_downloaded, providers))
    return (module in _FIRMWARE or not known) and source.once(_is_for_board)


def _is_for_board(source: Source) -> bool:
    return any(
        imported.top in _TELLING or (imported.module == "machine" and not _PARTS.isdisjoint(imported.names))
        for imported in source.imports
        if not imported.guarded
    )
