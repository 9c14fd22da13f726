"""The right output of each workload, from docs/workloads.md and numpy alone, independent of the C code."""

import math
from itertools import pairwise

import numpy
from numpy.lib.stride_tricks import sliding_window_view

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(x):
    x ^= x >> 30
    x = x * 0xBF58476D1CE4E5B9 & MASK
    x ^= x >> 27
    x = x * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def bits_at(seed, stream, index):
    start = mix(seed + GOLDEN * (stream + 1) & MASK)
    return mix(start + GOLDEN * (index + 1) & MASK)


def number_at(seed, stream, index):
    """The top ten bits of one number of a stream: a multiple of 1/1024."""
    return bits_at(seed, stream, index) >> 54


def numbers(seed, stream, count):
    return numpy.array([number_at(seed, stream, i) for i in range(count)], dtype=numpy.int64)


def generated_points(seed, n, columns):
    return numpy.stack([numbers(seed, k, n) for k in range(columns)], axis=1) / 1024.0


def generated_rows(seed, n, batch):
    """Of each triangle n rows of 64 numbers in [-1, 1)."""
    columns = [[bits_at(seed, c, i) >> 40 for i in range(n)] for c in range(64 * batch)]
    return (numpy.array(columns) / 2**23 - 1).reshape(batch, 64, n).transpose(0, 2, 1)


def log_sums(rows):
    """log of the sum over j <= i of exp(x_i . x_j / 8), for each row i of each triangle."""
    return numpy.log(numpy.tril(numpy.exp(rows @ rows.transpose(0, 2, 1) / 8)).sum(axis=2))


def generated_heads(seed, count, n, columns):
    """Heads of n rows: sums of four numbers of 16 bits with a variance of 1, in bf16."""
    bits = [bits_at(seed, 0, i) for i in range(count * n * columns)]
    sums = numpy.array([sum(b >> s & 0xFFFF for s in (0, 16, 32, 48)) for b in bits])
    return bf16(((sums - 131070) * 3**0.5 / 2**16).astype(numpy.float32)).reshape(count, n, columns)


def bf16(numbers):
    """The nearest bf16 of each float32, of two the even one, in double."""
    bits = numbers.view(numpy.uint32).astype(numpy.uint64)
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16
    return bits.astype(numpy.uint32).view(numpy.float32).astype(float)


def attention(queries, keys, values, window):
    """Rows of heads and the logarithms of their sums; each row counts `window` keys, the last of them its own."""
    rows = numpy.arange(queries.shape[1])
    counts = (rows[:, None] >= rows) & (rows[:, None] < rows + window)
    weights = numpy.exp(queries @ keys.transpose(0, 2, 1) / queries.shape[2] ** 0.5) * counts
    total = weights.sum(axis=2, keepdims=True)
    return weights @ values / total, numpy.log(total[:, :, 0])


# ---- domains and layouts


def triangle(n):
    """Rows and columns of the packed triangle, in the order of i (i + 1) / 2 + j."""
    return numpy.tril_indices(n)


def tetrahedron(n):
    """x, y and z in the order of Te(z) + y (2 z + 3 - y) / 2 + x."""
    cells = [(x, y, z) for z in range(n) for y in range(z + 1) for x in range(z + 1 - y)]
    return tuple(numpy.array(cells).T)


def laid_out(values, places, shape, layout, poison):
    """The output with one element per cell: packed, or full with poison outside the cells."""
    if layout == "packed":
        return values
    full = numpy.frombuffer(bytes([poison]) * values.itemsize * math.prod(shape), dtype=values.dtype).copy()
    full = full.reshape(shape)
    full[places] = values
    return full


def constant(n, dimension, layout, dtype, poison, value=1):
    places = triangle(n) if dimension == 2 else tetrahedron(n)[::-1]
    return laid_out(numpy.full(len(places[0]), value, dtype), places, (n,) * dimension, layout, poison)


# ---- pairs


def distances(points, layout):
    """Distances in float32, from the sum in double."""
    i, j = triangle(len(points))
    found = numpy.sqrt(((points[i] - points[j]) ** 2).sum(axis=1)).astype(numpy.float32)
    return laid_out(found, (i, j), (len(points),) * 2, layout, 0xA5)


def generated_spheres(seed, n):
    expected = math.cbrt(8 / max(n - 1, 1) * 3 / (4 * math.pi)) / 2
    radius = min(max(math.floor(expected * 1024 + 0.5), 1), 512) / 1024
    return numpy.hstack([generated_points(seed, n, 3), numpy.full((n, 1), radius)])


def touching(spheres):
    """The pairs below the diagonal that touch, computed in float32, step by step."""
    i, j = numpy.tril_indices(len(spheres), -1)
    s = spheres.astype(numpy.float32)
    square = (s[i] - s[j]) ** 2
    reach = s[i, 3] + s[j, 3]
    return ((square[:, 0] + square[:, 1]) + square[:, 2] <= reach * reach).astype(numpy.uint8)


# ---- triples


def generated_particles(seed, n):
    side = 1
    while side**3 < n + 2:
        side += 1
    i = numpy.arange(n + 2)
    lattice = numpy.stack([i % side, i // side % side, i // side**2], axis=1)
    return lattice + 0.5 * generated_points(seed, n + 2, 3)


def energy(particles):
    """The energy of Axilrod and Teller, from the angles themselves, and the sum of the absolute terms."""
    x, y, z = tetrahedron(len(particles) - 2)
    at = particles.astype(numpy.float32).astype(float)
    corners = at[x], at[x + y + 1], at[z + 2]
    cosines, product = numpy.ones(len(x)), numpy.ones(len(x))
    for k in range(3):
        one, two = corners[k - 1] - corners[k - 2], corners[k] - corners[k - 2]
        lengths = numpy.linalg.norm(one, axis=1) * numpy.linalg.norm(two, axis=1)
        cosines *= numpy.cos(numpy.arccos(numpy.clip((one * two).sum(axis=1) / lengths, -1, 1)))
        product *= numpy.linalg.norm(one, axis=1)
    terms = (1 + 3 * cosines) / product**3
    return math.fsum(terms), float(((1 + 3 * abs(cosines)) / product**3).sum())


# ---- automata


def lives(alive, neighbours, rule):
    """The rule by its four digits."""
    low, high, least, most = (int(digit) for digit in rule)
    survives = (low <= neighbours) & (neighbours <= high)
    is_born = (least <= neighbours) & (neighbours <= most)
    return numpy.where(alive, survives, is_born)


def starts_alive(seed, stream, count, density):
    return numbers(seed, stream, count) < density * 1024


def cells_of(n, domain):
    every = numpy.ones((n, n), bool)
    return every if domain == "square" else numpy.tril(every)


def saved(values, inside, domain):
    """The square as it is, or the cells of the triangle."""
    return values if domain == "square" else values[inside]


def life(seed, n, steps, rule, density, domain):
    inside = cells_of(n, domain)
    alive = numpy.zeros((n, n), bool)
    alive[inside] = starts_alive(seed, 0, int(inside.sum()), density)
    for _ in range(steps):
        windows = sliding_window_view(numpy.pad(alive.astype(int), 1), (3, 3))
        alive = lives(alive, windows.sum(axis=(2, 3)) - alive, rule) & inside
    return saved(alive.astype(numpy.uint8), inside, domain)


def start_3d(seed, n, density):
    return starts_alive(seed, 0, n * (n + 1) * (n + 2) // 6, density)


def life_3d(start, n, steps, rule):
    x, y, z = tetrahedron(n)
    alive = numpy.zeros((n, n, n), bool)
    alive[z, y, x] = start
    inside = numpy.zeros((n, n, n), bool)
    inside[z, y, x] = True
    for _ in range(steps):
        windows = sliding_window_view(numpy.pad(alive.astype(int), 1), (3, 3, 3))
        alive = lives(alive, windows.sum(axis=(3, 4, 5)) - alive, rule) & inside
    return alive[z, y, x].astype(numpy.uint8)


def tiles(n):
    """Every triangular tile with its three lattice points: U of all cells, then D of the cells below the diagonal."""
    corner = [(r, c) for r, c in zip(*triangle(n), strict=True)]
    up = [((r, c), (r + 1, c), (r + 1, c + 1)) for r, c in corner]
    down = [((r, c), (r, c + 1), (r + 1, c + 1)) for r, c in corner if c < r]
    return up + down


def shares_vertex(n):
    """The neighbours of each tile, which are the tiles with a common lattice point; -1 for none."""
    every = tiles(n)
    around = {}
    for tile, corners in enumerate(every):
        for point in corners:
            around.setdefault(point, set()).add(tile)
    table = numpy.full((len(every), 12), -1)
    for tile, corners in enumerate(every):
        others = set().union(*(around[point] for point in corners)) - {tile}
        table[tile, : len(others)] = sorted(others)
    return table


def gol(seed, n, steps, rule, density):
    rows, columns = triangle(n)
    cells = len(rows)
    has_down = columns < rows
    down = starts_alive(seed, 1, cells, density)[has_down]
    alive = numpy.concatenate([starts_alive(seed, 0, cells, density), down, [False]])  # the last: outside
    neighbours = shares_vertex(n)
    for _ in range(steps):
        alive[:-1] = lives(alive[:-1], alive[neighbours].sum(axis=1), rule)
    state = alive[:cells].astype(numpy.uint8)
    state[has_down] += 2 * alive[cells:-1].astype(numpy.uint8)
    return state


# ---- automata on floats: float32, operation by operation in the order of the docs


def generated_planes(seed, n, count, domain):
    """A number for each cell and plane, 0 outside the cells."""
    inside = cells_of(n, domain)
    planes = numpy.zeros((count, n, n), numpy.float32)
    for p in range(count):
        planes[p][inside] = numbers(seed, p, int(inside.sum())) / 1024
    return planes


def blurred(values, steps, domain):
    inside = cells_of(len(values), domain)
    now = numpy.where(inside, values, 0).astype(numpy.float32)
    for _ in range(steps):
        x = numpy.pad(now, 1)
        s = (x[:, :-2] + 2 * x[:, 1:-1]) + x[:, 2:]
        now = numpy.where(inside, ((s[:-2] + 2 * s[1:-1]) + s[2:]) / 16, 0).astype(numpy.float32)
    return now


def smoothed(image, times, domain):
    """Whole numbers after `times` blurs at once, multiplied by 16^times, so that they are exact."""
    row = numpy.array([math.comb(2 * times, i) for i in range(2 * times + 1)])
    x = numpy.pad(numpy.where(cells_of(len(image), domain), image, 0).astype(numpy.int64), times)
    return (sliding_window_view(x, (len(row), len(row))) * numpy.outer(row, row)).sum(axis=(2, 3))


def scale_space(image, domain):
    levels = [smoothed(image, k, domain) / 16.0**k for k in (1, 2, 4, 8)]
    return numpy.stack([a - b for a, b in pairwise(levels)]).astype(numpy.float32)


def extrema(planes, domain):
    inside = cells_of(planes.shape[1], domain)
    cubes = sliding_window_view(numpy.pad(planes, ((0, 0), (1, 1), (1, 1))), (3, 3, 3))[0]
    others = numpy.delete(cubes.reshape(*cubes.shape[:2], 27), 13, axis=2)
    has_all = sliding_window_view(numpy.pad(inside, 1), (3, 3)).all(axis=(2, 3))
    middle = planes[1]
    kind = numpy.where(middle > others.max(axis=2), 1, numpy.where(middle < others.min(axis=2), 2, 0))
    return numpy.where(has_all, kind, 0).astype(numpy.uint8)


def land(seed, n):
    """Smooth hills between lattice points; each lattice's hills are half as high as those of the next wider one."""
    f = numpy.float32
    total = numpy.zeros((n, n), f)
    at = numpy.arange(n)
    for spacing in [256, 128, 64, 32, 16, 8]:
        points = range(n // spacing + 2)
        heights = numpy.array([[number_at(seed, spacing, y << 32 | x) for x in points] for y in points]) / f(1024)
        heights, whole = heights.astype(f), at // spacing
        share = (at % spacing).astype(f) / f(spacing)
        way = share * share * (f(3) - f(2) * share)
        y, x = whole[:, None], whole[None, :]
        above, below = (heights[r, x] + (heights[r, x + 1] - heights[r, x]) * way for r in (y, y + 1))
        total += (above + (below - above) * way[:, None]) * f(spacing) / f(8)
    return total


def water(elevation, steps, rain, infiltration, domain):
    """Neighbours in row order; a missing neighbour gives nothing and takes nothing."""
    f = numpy.float32
    n = len(elevation)
    inside = cells_of(n, domain)
    exists, high = numpy.pad(inside, 1), numpy.pad(elevation.astype(f), 1)
    around = [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    depth = numpy.zeros((n, n), f)
    for _ in range(steps):
        d = numpy.maximum((depth + f(rain)) - f(infiltration), f(0))
        level = high + numpy.pad(d, 1)
        here = level[1:-1, 1:-1]
        falls = numpy.zeros((n, n), f)
        for r, c in around:
            below = numpy.maximum(here - level[r : r + n, c : c + n], f(0))
            falls += numpy.where(inside & exists[r : r + n, c : c + n], below, f(0))
        lost = numpy.minimum(d, falls / f(8))
        rate = numpy.pad(numpy.divide(lost, falls, out=numpy.zeros((n, n), f), where=falls > 0), 1)
        gain = numpy.zeros((n, n), f)
        for r, c in around:
            above = numpy.maximum(level[r : r + n, c : c + n] - here, f(0))
            gain += numpy.where(exists[r : r + n, c : c + n], rate[r : r + n, c : c + n] * above, f(0))
        depth = numpy.where(inside, (d - lost) + gain, f(0))
    return depth
