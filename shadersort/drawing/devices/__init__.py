"""Devices: what executes a program of passes, one file each, and how to open the best one here."""

from shadersort.drawing.devices.base import Device
from shadersort.drawing.devices.opening import (
    KINDS,
    DeviceReport,
    borrowed,
    default_device,
    devices,
    open_device,
)
from shadersort.drawing.devices.texture import Texture

__all__ = [
    "KINDS",
    "Device",
    "DeviceReport",
    "Texture",
    "borrowed",
    "default_device",
    "devices",
    "open_device",
]
