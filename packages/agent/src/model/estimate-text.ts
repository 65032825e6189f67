import { estimateTokenCount } from 'tokenx';

/** Estimated tokens of a text. */
export function estimateTextTokens(text: string): number {
  return estimateAscii(text) ?? estimateTokenCount(text);
}

/** What `estimateTokenCount` returns for a text of ASCII characters, in one pass; undefined for any other one. */
function estimateAscii(text: string): number | undefined {
  let tokens = 0;
  let before: number = kinds.other;
  for (let at = 0; at < text.length;) {
    const kind = kindAt(text, at);
    if (kind === undefined) return undefined;
    const start = at;
    let isUniform = true;
    for (at += 1; at < text.length; at += 1) {
      const next = kindAt(text, at);
      if (next === kind) continue;
      if (next === undefined) return undefined;
      if (isSeparator(kind) || isSeparator(next)) break;
      isUniform = false;
    }
    tokens += tokensOf(text, start, at, isUniform ? kind : kinds.other, before);
    before = kind;
  }
  return tokens;
}

/** The characters that `tokenx` distinguishes. */
const kinds = { other: 0, space: 1, punctuation: 2, digit: 3, lowercase: 4 } as const;

const kindOf: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/u.test(character)) return kinds.space;
  if (/[.,!?;(){}[\]<>:/\\|@#$%^&*+=`~_"-]/u.test(character)) return kinds.punctuation;
  if (/\d/u.test(character)) return kinds.digit;
  return /[a-z]/u.test(character) ? kinds.lowercase : kinds.other;
});

function kindAt(text: string, at: number): number | undefined {
  return kindOf[text.charCodeAt(at)];
}

function isSeparator(kind: number): boolean {
  return kind === kinds.space || kind === kinds.punctuation;
}

function tokensOf(text: string, start: number, end: number, kind: number, before: number): number {
  const length = end - start;
  if (kind === kinds.space) {
    const line = text.indexOf('\n', start);
    if (line === -1 || line >= end) return 0;
    return line === end - 1 && before === kinds.punctuation ? 0 : 1;
  }
  if (kind === kinds.digit) return Math.ceil(length / 3);
  if (length <= (kind === kinds.lowercase ? 8 : 3)) return 1;
  return Math.ceil(length / (kind === kinds.punctuation ? 6 : 7));
}
