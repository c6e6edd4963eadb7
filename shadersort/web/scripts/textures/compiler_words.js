// What a compiler of shaders says, in plain words, at the lines of the reader's text.

// Messages of compilers, and what they mean. `it` is the word that is named.
const MEANINGS = [
  [/undeclared identifier/, ({ it }) => `“${it}” is not declared. Is it spelled right? Capitals matter.`],
  [/reserved word/, ({ it }) => `“${it}” is a reserved word. Choose another name.`],
  [/syntax error/, ({ it }) => it ? `The text cannot be read from “${it}” on. Perhaps a semicolon or a bracket is missing, here or on the line before.`
    : "The text ends too early. Perhaps a bracket is not closed."],
  [/no matching overloaded function/, ({ it }) => `No function “${it}” takes these arguments. Types are not converted: 1 is an int, 1.0 a float.`],
  [/cannot convert from '([^']*)' to '([^']*)'/, ({ found }) => `A value of type ${typeName(found[1])} stands where ${typeName(found[2])} is needed.${hint(found)}`],
  [/left-hand operand of type '([^']*)' and a right operand of type '([^']*)'/, ({ it, found }) => `“${it}” cannot join ${typeName(found[1])} and ${typeName(found[2])}.${hint(found)}`],
  [/can't modify an input "?(\w*)/, ({ found }) => `“${found[1]}” is an input: it can be read, but not changed.`],
  [/l-value required/, () => "This cannot be changed: only variables and the output can."],
  [/redefinition/, ({ it }) => `“${it}” is declared twice.`],
  [/Missing main/, () => "There is no function main. It begins with: void main() {"],
  [/boolean expression expected/, () => "A condition must be true or false: for example i != 0 instead of i."],
  [/field|vector component/, ({ it }) => `“.${it.replace(/^\./, "")}” names no part of this value. A vec4 has the parts x y z w, or r g b a; one name takes them from one row.`],
  [/invalid directive name/, ({ it }) => `“#${it}” is not a directive that a shader may have.`],
  [/does not return a value/, ({ it }) => `The function “${it}” must return a value.`],
  [/must use 'flat'/, () => "An integer that comes from the quad is declared with “flat in”."],
  [/multiple fragment outputs/, () => "There is more than one output. This frame takes one colour: keep one “out”."],
  [/varying (\w+) does not match/, ({ found }) => `The quad gives no input “${found[1]}”. It gives origin, direction and channel.`],
];

const QUALIFIERS = /\b(const|flat|smooth|in|out|uniform|highp|mediump|lowp)\b/g;
const VECTORS = { float: "vec", int: "ivec", "unsigned int": "uvec", bool: "bvec" };

// The type as a shader writes it: “highp 4-component vector of float” is vec4.
function typeName(words) {
  const plain = words.replace(QUALIFIERS, "").trim().replace(/\s+/g, " ");
  const vector = /^(\d)-component vector of (.*)$/.exec(plain);
  if (vector && VECTORS[vector[2]]) return VECTORS[vector[2]] + vector[1];
  return plain.replace("unsigned int", "uint");
}

// What helps when whole numbers and floats meet.
function hint([, one, other]) {
  const types = [one, other].map(typeName), whole = types.some((type) => type === "int");
  return whole && types.some((type) => /^(float|vec\d)$/.test(type)) ? " Write the number with a point: 2.0 instead of 2." : "";
}

// The errors of a compiler's log in plain words, { source, line, words }, one a line: what follows from an error on the
// same line is left out. `source` counts texts, 0 is the reader's.
function explainErrors(log) {
  const first = new Map();
  for (const said of log.replaceAll("\0", "").split("\n").filter((line) => line.trim() && !/^\s*WARNING/.test(line))) {
    const [, source, line, , text] = /^(?:ERROR:\s*)?(-?\d+):(-?\d+)(\(\d+\))?:\s*(.*)$/.exec(said.trim()) ?? [null, -1, -1, "", said.trim()];
    const key = `${source} ${line}`, known = first.get(key);
    if (!known || /dimension mismatch/.test(known.text)) first.set(key, { source: Number(source), line: Number(line), text });
  }
  return Array.from(first.values(), ({ text, ...error }) => ({ ...error, words: meaningOf(text) }));
}

function meaningOf(text) {
  const it = /^'([^']*)'/.exec(text)?.[1].trim() ?? "";
  for (const [pattern, words] of MEANINGS) {
    const found = pattern.exec(text);
    if (found) return words({ it, found });
  }
  return it ? `The compiler does not accept “${it}”.` : "The compiler does not accept this.";
}
