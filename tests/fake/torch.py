"""A stand-in for torch, made of numpy, so that study/peers and study/fill can be tested without torch.

FAKE_TORCH=wrong makes one distance of cdist wrong, FAKE_TORCH=full leaves no memory for the cdist of 50 points.
FAKE_TORCH=cuda simulates a GPU with the host's clock for events, FAKE_TORCH=steady one that has graphs and takes 2 ms
for everything.
"""

import contextlib
import os
import time
import types

import numpy

__version__ = "0.0.fake"
uint8, float32 = numpy.uint8, numpy.float32
_kind = os.environ.get("FAKE_TORCH", "")
calls = {"events": 0, "flushes": 0}


class Tensor:
    def __init__(self, array, device="cpu"):
        self.array, self.device = array, device

    def to(self, device):
        return Tensor(self.array, device)

    def cpu(self):
        return Tensor(self.array)

    def numpy(self):
        if self.device != "cpu":
            raise TypeError("can't convert a cuda tensor to numpy")
        return self.array

    def __getitem__(self, part):
        return self

    def view(self, dtype):
        return self

    def fill_(self, value):
        calls["flushes"] += 1
        self.array[:1] = value


def from_numpy(array):
    return Tensor(array)


def empty(size, dtype, device):
    return Tensor(numpy.zeros(1, dtype), device)


def set_num_threads(count):
    pass


def _square(points):
    difference = points.array[:, None, :] - points.array[None, :, :]
    return numpy.sqrt((difference * difference).sum(axis=2, dtype=numpy.float32))


def cdist(a, b, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    if _kind == "full" and len(a.array) >= 50:
        raise RuntimeError("out of memory. Tried to allocate 2 GiB.\nAdvice follows")
    square = _square(a)
    if _kind == "wrong":
        square[-1, 0] += 1
    return Tensor(square, a.device)


def _pdist(points):
    square = _square(points)
    return Tensor(square[numpy.triu_indices(len(square), 1)], points.device)


nn = types.SimpleNamespace(functional=types.SimpleNamespace(pdist=_pdist))


class Event:
    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        self.at = time.perf_counter()

    def synchronize(self):
        calls["events"] += 1

    def elapsed_time(self, end):
        return 2.0 if _kind == "steady" else (end.at - self.at) * 1e3


class Graph:
    def replay(self):
        pass


def graph(graph):
    if _kind != "steady":
        raise RuntimeError("there are no graphs")
    return contextlib.nullcontext()


cuda = types.SimpleNamespace(
    is_available=lambda: _kind in ("cuda", "steady"),
    Event=Event,
    CUDAGraph=Graph,
    graph=graph,
    current_device=lambda: 0,
    current_stream=lambda: None,
    set_stream=lambda stream: None,
    synchronize=lambda: None,
    get_device_properties=lambda device: types.SimpleNamespace(
        name="a fake", major=9, minor=0, multi_processor_count=1, total_memory=1
    ),
)
version = types.SimpleNamespace(cuda="13.0")
