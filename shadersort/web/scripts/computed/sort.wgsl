// Sorts codes by the steps of a network. In step (half, mask) comparator i joins the wires `low` and
// low ^ mask, and leaves the smaller code on `low`. Which steps there are comes from Python.

const TILE = 2048u;  // codes that a workgroup keeps in its memory
const THREADS = 256u;

struct Part { first: u32, last: u32, count: u32 }  // steps of a dispatch, and codes in all

@group(0) @binding(0) var<uniform> part: Part;
@group(0) @binding(1) var<storage, read> steps: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> codes: array<u32>;

var<workgroup> tile: array<u32, TILE>;

fn lower_wire(i: u32, half: u32) -> u32 {
  return ((i & ~(half - 1u)) << 1u) | (i & (half - 1u));  // the bit of `half` is 0
}

// Runs steps whose blocks fit into a tile: codes are read once and written once.
@compute @workgroup_size(THREADS)
fn sort_tiles(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let base = (group.y * groups.x + group.x) * TILE;
  let size = min(TILE, part.count);
  for (var i = thread; i < size; i += THREADS) { tile[i] = codes[base + i]; }
  workgroupBarrier();
  for (var step = part.first; step < part.last; step++) {
    let half = steps[step].x;
    let mask = steps[step].y;
    for (var i = thread; i < size / 2u; i += THREADS) {
      let low = lower_wire(i, half);
      let a = tile[low];
      let b = tile[low ^ mask];
      tile[low] = min(a, b);
      tile[low ^ mask] = max(a, b);
    }
    workgroupBarrier();
  }
  for (var i = thread; i < size; i += THREADS) { codes[base + i] = tile[i]; }
}

// Runs one step with larger blocks, or two that halve them: a thread for four wires, which no other thread has.
@compute @workgroup_size(THREADS)
fn sort_fours(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let i = (group.y * groups.x + group.x) * THREADS + thread;
  if (i >= part.count / 4u) { return; }
  let one = steps[part.first];
  let two = select(vec2(one.x / 2u), steps[part.last - 1u], part.last > part.first + 1u);
  let low = lower_wire(lower_wire(i, two.x), one.x);
  let wires = vec4(low, low ^ one.y, low ^ two.y, low ^ one.y ^ two.y);
  var four = vec4(codes[wires.x], codes[wires.y], codes[wires.z], codes[wires.w]);
  four = vec4(min(four.xz, four.yw), max(four.xz, four.yw)).xzyw;
  if (part.last > part.first + 1u) {
    let a = min(four.xy, four.zw);
    let b = max(four.xy, four.zw);
    four = select(vec4(a, b), vec4(a.x, b.y, b.x, a.y), (one.y & two.x) != 0u);  // whether wires.y is the upper one
  }
  codes[wires.x] = four.x;
  codes[wires.y] = four.y;
  codes[wires.z] = four.z;
  codes[wires.w] = four.w;
}
