// The words of a kernel; `docs/kernel-language.md` has the grammar. The twin of this script and of the
// next two is `shadersort/lessons/exercises/kernels`: parser.py, expressions.py and translate.py.

const VALUE_TYPES = ["bool", "int", "float"];  // where two of these meet, the later one counts
const OWN_WORDS = new Set([...VALUE_TYPES, ..."void const shared if else for while do break continue return true false barrier abs min max".split(" ")]);
const TOKEN = new RegExp([
  "(?<space>\\s+)|(?<name>[A-Za-z_][\\p{L}\\p{N}_]*)",
  "(?<number>0[xX][0-9a-fA-F]+|(?:\\d+\\.\\d*|\\.\\d+|\\d+(?=[eE]))(?:[eE][\\-+]?\\d+)?[fF]?|\\d+)",
  "(?<sign><<=|>>=|[\\-+*\\/%&\\|\\^=!<>]=|&&|\\|\\||\\+\\+|--|<<|>>|[\\-+*\\/%&\\|\\^!~<>=?:;,\\(\\)\\{\\}\\[\\]])|(?<wrong>.)",
].join("|"), "gu");
const REMARK = /\/\/[^\n]*|\/\*[^]*?\*\//g;
const KERNEL = /\bvoid\s+kernel\s*\(\s*\)\s*\{/;

// A text that is no kernel; given are the line, from 1, or 0, and what is wrong, in words.
class NotUnderstood extends Error {
  constructor(line, said) {
    super(said);
    this.line = line;
  }
}

// A text without its comments; each line keeps its number.
const codeOf = (text) => text.replace(REMARK, (found) => "\n".repeat(found.split("\n").length - 1));

// A text without the empty line at its beginning.
const linesOf = (text) => `${text.replace(/^\n/, "").trimEnd()}\n`;

// The tokens of a text, { kind, text, line, column, first }, and one of kind "end"; `first` is whether
// a token begins its line.
function tokensOf(text) {
  const code = codeOf(text), tokens = [];
  let line = 1, before = 0;
  for (const found of code.matchAll(TOKEN)) {
    const kind = Object.keys(found.groups).find((each) => found.groups[each] !== undefined), word = found[0];
    if (kind === "wrong") throw new NotUnderstood(line, `The sign “${word}” has no meaning here.`);
    if (kind !== "space") {
      const start = found.index && code.lastIndexOf("\n", found.index - 1) + 1;
      tokens.push({ kind, text: word, line, column: found.index - start, first: line > before });
      before = line;
    }
    line += word.split("\n").length - 1;
  }
  return [...tokens, { kind: "end", text: "", line, column: 0, first: true }];
}

// Reads tokens one by one.
class KernelParser {
  constructor(text) {
    this.tokens = tokensOf(text);
    this.at = 0;
  }

  get token() {
    return this.tokens[this.at];
  }

  // The line of the last token that was read.
  get line() {
    return this.tokens.at(this.at - 1).line;
  }

  fail(said) {
    throw new NotUnderstood(this.line, said);
  }

  // Says that the next token cannot stand here.
  refuse() {
    const { text, line } = this.token;
    throw new NotUnderstood(line, text ? `The text cannot be read from “${text}” on. Perhaps a semicolon or a bracket is missing.`
      : "The text ends too early. Perhaps a bracket is not closed.");
  }

  // Reads the next token if it is one of some texts; returns it, or "" for another one.
  take(...texts) {
    return texts.includes(this.token.text) ? this.tokens[this.at++].text : "";
  }

  // Reads tokens that must stand here.
  need(...texts) {
    for (const text of texts) {
      if (this.take(text)) continue;
      if (text === ";" && this.token.first && this.token.text) this.fail("Perhaps a semicolon is missing at the end of this line.");
      this.refuse();
    }
  }

  // Reads a name that is none of the language's own words.
  name() {
    const { kind, text } = this.token;
    if (kind !== "name" || OWN_WORDS.has(text)) this.refuse();
    return this.take(text);
  }
}
