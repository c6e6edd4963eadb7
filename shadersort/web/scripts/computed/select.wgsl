// Selects the code of a rank: counts the digits of the codes that begin with the prefix found so far,
// narrows to the digit that holds the rank, and begins anew with the next digit.

const THREADS = 256u;  // a thread for each value of a digit of 8 bits
const LOADS = 16u;     // vectors of four codes that a thread reads

struct Part { shift: u32, known: u32, count: u32, rank: u32 }  // where the digit is, known bits, vectors in all
struct Round { digit: u32, below: u32, among: u32 }  // codes below the digit, and codes with it
struct Found { rank: u32, prefix: u32, rounds: array<Round, 4> }

@group(0) @binding(0) var<uniform> part: Part;
@group(0) @binding(1) var<storage, read> codes: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>, 256>;
@group(0) @binding(3) var<storage, read_write> found: Found;
@group(0) @binding(4) var<storage, read_write> target_codes: array<vec4<u32>>;

var<workgroup> counts: array<atomic<u32>, 256>;

@compute @workgroup_size(THREADS)
fn count_digits(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let first = (group.y * groups.x + group.x) * THREADS * LOADS + thread;
  let prefix = found.prefix & part.known;
  atomicStore(&counts[thread], 0u);
  workgroupBarrier();
  for (var i = 0u; i < LOADS; i++) {
    let at = first + i * THREADS;
    if (at < part.count) {
      let four = codes[at];
      for (var each = 0u; each < 4u; each++) {
        if ((four[each] & part.known) == prefix) { atomicAdd(&counts[(four[each] >> part.shift) & 255u], 1u); }
      }
    }
  }
  workgroupBarrier();
  let own = atomicLoad(&counts[thread]);
  if (own > 0u) { atomicAdd(&bins[thread], own); }
}

// One workgroup: sums the counts below each digit; the thread whose digit holds the rank says so.
@compute @workgroup_size(THREADS)
fn narrow(@builtin(local_invocation_index) thread: u32) {
  let rank = select(found.rank, part.rank, part.known == 0u);
  let own = atomicLoad(&bins[thread]);
  atomicStore(&counts[thread], own);
  workgroupBarrier();
  storageBarrier();  // all threads have read the rank, which one of them changes
  var below = own;  // and those of so many digits before
  for (var step = 1u; step < THREADS; step *= 2u) {
    if (thread >= step) { below += atomicLoad(&counts[thread - step]); }
    workgroupBarrier();
    atomicStore(&counts[thread], below);
    workgroupBarrier();
  }
  below -= own;
  atomicStore(&bins[thread], 0u);
  if (below <= rank && rank < below + own) {
    found.rank = rank - below;
    found.prefix = (found.prefix & part.known) | (thread << part.shift);
    found.rounds[countOneBits(part.known) / 8u] = Round(thread, below, own);
  }
}

// Copies codes: the most that memory can do.
@compute @workgroup_size(THREADS)
fn copy_codes(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let at = (group.y * groups.x + group.x) * THREADS + thread;
  if (at < part.count) { target_codes[at] = codes[at]; }
}
