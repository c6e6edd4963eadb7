// The key of one wire after several steps. It depends on two keys before the last step, its own and
// its partner's; each of these depends on two keys one step earlier, and so on: 2, 4 or 8 texels,
// a cone. All of them are fetched, and compared in registers.

#include "steps.glsl"

#define AFTER_STEP(after, before, step)                                   \
    TEXEL after(int wire) {                                               \
        int partner = partner_of(wire, rules[step]);                      \
        TEXEL own = before(wire), other = before(partner);                \
        return wire < partner ? smaller(own, other) : larger(own, other); \
    }

TEXEL after_0_steps(int wire) {
    return key_of(wire);
}

AFTER_STEP(after_1_step, after_0_steps, 0)
#if STEPS == 1
#define after_steps after_1_step
#endif

#if STEPS >= 2
AFTER_STEP(after_2_steps, after_1_step, 1)
#endif
#if STEPS == 2
#define after_steps after_2_steps
#endif

#if STEPS == 3
AFTER_STEP(after_3_steps, after_2_steps, 2)
#define after_steps after_3_steps
#endif
