/* collision_test.c - touching spheres: the kernel and the check, which are independent, must agree. The oracle has the
 * generated spheres and their pairs. */
#include "test.h"

#include <math.h>

#include "files.h"
#include "workloads/workloads.h"

static float fraction(uint64_t *seed)
{
    return (float)dice(seed, 1 << 24) / 16777216.0f;
}

/* Two spheres at a distance within a few units in the last place of the sum of their radii, at this scale. */
static void pair_that_just_touches(uint64_t *seed, float scale, td_sphere *a, td_sphere *b)
{
    const td_sphere first = {scale * fraction(seed), scale * fraction(seed), scale * fraction(seed),
                             scale * fraction(seed)};
    *a = first;
    b->x = scale * fraction(seed);
    b->y = scale * fraction(seed);
    b->z = scale * fraction(seed);
    const float x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
    b->r = sqrtf(x * x + y * y + z * z) - a->r;
    for (uint32_t steps = dice(seed, 5); steps > 0; steps--) {
        b->r = nextafterf(b->r, dice(seed, 2) == 0 ? -1.0f : scale);
    }
}

TEST(check_agrees_with_float32_on_every_pair)
{
    static const float scales[] = {1.0f, 1e-15f, 1e-19f, 1e-22f, 1e-30f, 1e-40f, 1e18f};
    uint64_t seed = 1;
    size_t touching = 0, wrong = 0;
    for (size_t i = 0; i < COUNT(scales) * 100000; i++) {
        td_sphere a, b;
        pair_that_just_touches(&seed, scales[i % COUNT(scales)], &a, &b);
        touching += td_spheres_touch(&a, &b);
        wrong += td_spheres_touch(&a, &b) != td_spheres_meet(a, b);
        wrong += td_spheres_touch(&b, &a) != td_spheres_meet(b, a);
    }
    assert_int_equal(wrong, 0);
    assert_in_range(touching, 100000, 600000); /* some touch, some do not */
}

/* r = (6 / (pi (n - 1)))^(1/3) / 2, by hand. */
TEST(radius_leaves_a_sphere_about_eight_others)
{
    assert_true(td_collision_radius(1) == 512.0f / 1024.0f); /* the largest radius */
    assert_true(td_collision_radius(9) == 318.0f / 1024.0f);
    assert_true(td_collision_radius(1048576) == 6.0f / 1024.0f);
}
