"""What `rounds` measures with: the time of calls, on a GPU through torch or on the host, and the device's state."""

from __future__ import annotations

import ctypes
import platform
import time
from collections.abc import Callable
from typing import Any

Call = Callable[[], object]
FLUSH_BYTES = 256 << 20  # more than any cache


def _loop(call: Call, count: int) -> Call:
    def calls() -> None:
        for _ in range(count):
            call()

    return calls


class Clock:
    """The host's, for calls that have done their work when they return; others have the same methods."""

    engine = "cpu"

    def repeated(self, call: Call, count: int) -> tuple[Call, bool]:
        """A call that makes `count` of them, and whether the device does so by itself, as one graph."""
        return _loop(call, count), False

    def ms(self, call: Call) -> float:
        """The time of the work that a call starts, when it has ended [ms]."""
        begun = time.perf_counter()
        call()
        return (time.perf_counter() - begun) * 1e3

    def flush(self) -> None:
        """Overwrites the caches."""
        self._other: Any = bytearray(b"\1") * FLUSH_BYTES

    def state(self) -> dict[str, Any]:
        """Of the record's `device_state`: sm_mhz, temperature_c, power_w, throttled; empty where unknown."""
        return {}

    def environment(self) -> dict[str, Any]:
        """Of the record's `environment`: device, gpu."""
        return {"device": platform.processor() or platform.machine(), "gpu": None}


class Nvml:
    """NVIDIA's management library, for one device."""

    SM, MEMORY = 1, 2  # of nvmlClockType_t
    # of nvmlClocksThrottleReasons: slowdowns by hardware, heat, a power brake and the cap of power
    SLOWED = 0x04 | 0x08 | 0x20 | 0x40 | 0x80

    def __init__(self, uuid: str) -> None:
        """Errors: OSError, the library or the device is not there"""
        self._library, self._device = ctypes.CDLL("libnvidia-ml.so.1"), ctypes.c_void_p()
        found = self._library.nvmlInit_v2() or self._library.nvmlDeviceGetHandleByUUID(
            uuid.encode(), ctypes.byref(self._device)
        )
        if found != 0:
            raise OSError(f"NVML: error {found}")

    def _read(self, name: str, kind: Any, *how: int) -> int | None:
        value = kind()
        failed = getattr(self._library, name)(self._device, *how, ctypes.byref(value))
        return None if failed else int(value.value)

    def driver(self) -> str:
        text = ctypes.create_string_buffer(96)
        self._library.nvmlSystemGetDriverVersion(text, len(text))
        return text.value.decode()

    def state(self) -> dict[str, Any]:
        power_mw = self._read("nvmlDeviceGetPowerUsage", ctypes.c_uint)
        reasons = self._read("nvmlDeviceGetCurrentClocksThrottleReasons", ctypes.c_ulonglong)
        return {
            "sm_mhz": self._read("nvmlDeviceGetClockInfo", ctypes.c_uint, self.SM),
            "memory_mhz": self._read("nvmlDeviceGetClockInfo", ctypes.c_uint, self.MEMORY),
            "temperature_c": self._read("nvmlDeviceGetTemperature", ctypes.c_uint, 0),
            "power_w": None if power_mw is None else power_mw / 1e3,
            "throttled": None if reasons is None else bool(reasons & self.SLOWED),
        }


class TorchClock(Clock):
    """Work on the current stream of torch's current GPU, between two events."""

    engine = "cuda"

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self._about = torch.cuda.get_device_properties(torch.cuda.current_device())
        self._other: Any = None
        try:
            self._nvml: Nvml | None = Nvml(f"GPU-{self._about.uuid}")
        except (OSError, AttributeError):  # an older torch does not tell the UUID
            self._nvml = None

    def repeated(self, call: Call, count: int) -> tuple[Call, bool]:
        graph, stream = self._torch.cuda.CUDAGraph(), self._torch.cuda.current_stream()
        try:
            with self._torch.cuda.graph(graph):
                _loop(call, count)()
        except RuntimeError:  # the call waits for the device, or does what no graph can
            self._torch.cuda.set_stream(stream)  # a capture that fails leaves its own behind
            self._torch.cuda.synchronize()
            return _loop(call, count), False
        return graph.replay, True

    def ms(self, call: Call) -> float:
        start, end = (self._torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        call()
        end.record()
        end.synchronize()
        return float(start.elapsed_time(end))

    def flush(self) -> None:
        if self._other is None:
            self._other = self._torch.empty(FLUSH_BYTES, dtype=self._torch.uint8, device="cuda")
        self._other.fill_(1)  # not waited for: later work of the stream is queued meanwhile

    def state(self) -> dict[str, Any]:
        return self._nvml.state() if self._nvml else {}

    def environment(self) -> dict[str, Any]:
        about = self._about
        gpu = {"name": about.name, "uuid": None, "pci_id": None, "compute_capability": f"{about.major}.{about.minor}",
               "sms": about.multi_processor_count, "memory_bytes": about.total_memory,
               "l2_bytes": getattr(about, "L2_cache_size", None), "ecc": None,
               "driver": self._nvml.driver() if self._nvml else None, "runtime": self._torch.version.cuda}  # fmt: skip
        return {"device": about.name, "gpu": gpu}


def usual_clock() -> Clock:
    """That of a GPU if torch is there and sees one, else the host's."""
    try:
        import torch  # type: ignore[import-not-found]
    except ModuleNotFoundError:
        return Clock()
    return TorchClock(torch) if torch.cuda.is_available() else Clock()
