// The verdict on a kernel, for an exercise as `shadersort/lessons/exercises/kernels/export.py` writes it. The twin
// of this script is `kernel_runner.py`; the sentences are those of Python, and come with the exercise.

// A sentence of Python's with its fields: {} and {0} are the first one, {0.line} is a part of it.
function fillFields(sentence, ...fields) {
  let next = 0;
  return sentence.replace(/\{(\d*)(?:\.(\w+))?\}/g, (_, number, part) => {
    const field = fields[number === "" ? next++ : Number(number)];
    return part ? field[part] : field;
  });
}

// Returns { state, about, kernel, number, run, mistake }. State is "right", "wrong", "refused" or "not yet"; if it is
// "wrong", the rest tells of the first case that fails: its number, from 1, what the kernel did, and which known
// mistake gives the same. A case without an expected result takes any.
function checkKernel(text, exercise) {
  if (/^\s*\.\.\./m.test(text)) return { state: "not yet", about: "" };
  let kernel;
  try {
    kernel = readKernel(text, exercise);
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    return { state: "refused", about: explainKernel(error, linesOf(text).split("\n"), exercise.words) };
  }
  const broken = exercise.rules.find(([pattern]) => new RegExp(pattern).test(codeOf(text)));
  if (broken) return { state: "refused", about: broken[1] };
  const { cases } = exercise;
  for (const [i, each] of cases.entries()) {
    const run = simulateKernel(kernel, each), results = run.results.map((result) => inOrder(result, each, exercise));
    const right = !each.expected || sameNumbers(results[0], each.expected), told = tellRun(run, results, each, exercise) || (right && tellCosts(kernel, each, exercise));
    if (right && !told) continue;
    const about = [`in case ${i + 1} of ${cases.length}`, right && each.expected ? `the result is right, but ${told}` : told].filter(Boolean).join(": ");
    return { state: "wrong", about, kernel, number: i + 1, run, mistake: right ? null : findMistake(kernel, exercise) };
  }
  return { state: "right", about: `in all ${cases.length} cases`, kernel };
}

// The known mistake that gives a kernel's result in every case, or undefined. Results are known by checksums.
function findMistake(kernel, exercise) {
  if (!exercise.mistakes?.length) return undefined;
  const sums = exercise.cases.map((each) => checksum(inOrder(simulateKernel(kernel, each, 1).results[0], each, exercise)));
  return exercise.mistakes.find((mistake) => sameNumbers(mistake.sums, sums));
}

// CRC-32 of whole numbers.
function checksum(numbers) {
  let sum = -1;
  for (const byte of new Uint8Array(Int32Array.from(numbers).buffer)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

// Which limit a right kernel exceeds, in the order in which its threads are numbered; "" if none. The line that
// costs most is named.
function tellCosts(kernel, launch, { threads, words }) {
  const limits = Object.entries(launch.limits ?? {}), lines = limits.length ? [...costsByLine(warpInstructions(traceKernel(kernel, launch, 0, Infinity).steps, threads))] : [];
  for (const [name, most] of limits) {
    const counted = lines.reduce((sum, [, costs]) => sum + costs[name], 0), [line] = lines.reduce((a, b) => (b[1][name] - a[1][name] || a[0] - b[0]) > 0 ? b : a);
    if (counted > most) return fillFields(words.costs[name], counted, most, line);
  }
  return "";
}

const sameNumbers = (one, other) => one.length === other.length && one.every((each, i) => each === other[i]);

// What is wrong with a text, with its line; a habit of those who know another language explains it best.
function explainKernel({ line: number, message }, lines, { habits, new_name: newName }) {
  if (!number) return message;
  lines.pop();  // the end of the text
  const at = Math.min(number, lines.length), line = lines[at - 1], code = codeOf(line);
  const name = /^\s*(?:for\s*\(\s*)?(\w+)\s*=[^=]/.exec(code)?.[1];
  const habit = name && message.includes(`“${name}” is not declared`) ? fillFields(newName, name) : habits.find(([pattern]) => new RegExp(pattern).test(code))?.[1];
  return `it does not compile: line ${number}, \`${line.trim()}\`: ${habit ?? message}`;
}

// What is wrong with a run besides its result; "" if nothing is.
function tellRun({ faults, turns }, results, launch, { threads, turns: least, words }) {
  const plenty = least + words.turns_a_key * Math.ceil(launch.keys.length / (launch.blocks * threads));
  const idle = launch.result.every((each) => each === words.unwritten) && sameNumbers(results[0], launch.result);
  let told = "";
  if (faults.length) told = describeFault(faults.find(({ kind }) => !words.consequences.includes(kind)) ?? faults[0], words);
  else if (turns > plenty) told = fillFields(words.busy, turns, plenty);
  else if (idle) told = words.nothing;
  if (results.every((each) => sameNumbers(each, results[0]))) return told;
  return told ? `${told}. So ${words.race}` : words.race;
}

function describeFault(fault, words) {
  const place = fault.place ? `place ${fault.place} of \`${fault.array}\`` : `\`${fault.array}\``, line = fault.line ? `line ${fault.line}, ` : "";
  return `${line}thread ${fault.thread} of block ${fault.block}: ${fillFields(words.faults[fault.kind], fault, place)}`;
}

// A result with what may stand in any order in order.
function inOrder(result, { keys }, { unordered, threads }) {
  if (!unordered) return result;
  const { first, count_at: countAt, by_block: byBlock } = unordered, end = first + Math.min(Math.max(result[countAt], 0), keys.length);
  const blockOf = new Map(keys.map((key, place) => [key, Math.floor(place / threads)])), rank = (key) => (byBlock ? blockOf.get(key) ?? -1 : key);
  return [...result.slice(0, first), ...result.slice(first, end).sort((a, b) => rank(a) - rank(b)), ...result.slice(end)];
}
