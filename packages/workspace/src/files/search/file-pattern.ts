import { WorkspaceError } from '../../error.ts';
import { matchesSequence, type Wanted } from '../../pattern/match-sequence.ts';

/** Checks whether a path below the searched directory, with `/` between its segments, matches. */
export type FilePattern = (path: string) => boolean;

/** Characters of a pattern. */
const mostPatternCharacters = 1024;
/** Alternatives that the braces of a pattern expand to. */
const mostAlternatives = 256;

/**
 * Reads a pattern of file names: `*`, `?` and `[a-z]` within a name, `**` for any folders, `{a,b}` for either. One
 * without a slash matches names at any depth; one that ends in a slash, all that is below. Matching takes time in
 * proportion to the length of pattern and path.
 */
export function parseFilePattern(pattern: string): FilePattern {
  if (pattern.trim() === '' || pattern.includes('\0')) throw invalid('empty, or with a NUL byte');
  if (pattern.length > mostPatternCharacters) throw invalid('too long');
  const alternatives = alternativesOf(pattern).map(toSegments);
  return (path) => {
    const segments = path.split('/');
    return alternatives.some((wanted) => matchesSequence(segments, wanted));
  };
}

function toSegments(pattern: string): readonly Wanted<string>[] {
  const below = pattern.endsWith('/') ? `${pattern}**` : pattern;
  const segments = below.replace(/^\//u, '').split('/');
  if (segments.includes('..')) throw invalid('".." leads out of the searched directory');
  const whole = below.includes('/') ? segments : ['**', ...segments];
  return whole.filter((segment) => segment !== '.' && segment !== '').map(toSegment);
}

function toSegment(segment: string): Wanted<string> {
  if (segment === '**') return 'any';
  const wanted = toCharacters(segment);
  return (name) => matchesSequence([...name], wanted);
}

function toCharacters(segment: string): readonly Wanted<string>[] {
  const pieces = segment.match(/\\.|\[(?:[!^]?\]?[^\]]*)\]|./gsu) ?? [];
  return pieces.map((piece) => {
    if (piece === '*') return 'any';
    if (piece === '?') return () => true;
    if (piece.startsWith('[') && piece.length > 2) return toClass(piece.slice(1, -1));
    const literal = piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece;
    return (character) => character === literal;
  });
}

function toClass(body: string): (character: string) => boolean {
  const isNegated = /^[!^]/u.test(body);
  const members = (isNegated ? body.slice(1) : body).match(/.-.|./gsu) ?? [];
  const ranges = members.map((member) => {
    const [first = '', , last = first] = member;
    return { first, last };
  });
  return (character) =>
    ranges.some(({ first, last }) => first <= character && character <= last) !== isNegated;
}

/** Expands braces, innermost first. */
function alternativesOf(pattern: string): readonly string[] {
  let open = [pattern];
  for (;;) {
    const next = open.flatMap(withoutOneBrace);
    if (next.length > mostAlternatives) throw invalid('its braces expand to too many patterns');
    if (next.length === open.length && next.every((one, index) => one === open[index])) return next;
    open = next;
  }
}

function withoutOneBrace(pattern: string): readonly string[] {
  const [braces, body = ''] = /\{([^{}]*)\}/u.exec(pattern) ?? [];
  if (braces === undefined) return [pattern];
  const at = pattern.indexOf(braces);
  const choices = body.split(',');
  if (choices.length > mostAlternatives) throw invalid('its braces expand to too many patterns');
  return choices.map((one) => pattern.slice(0, at) + one + pattern.slice(at + braces.length));
}

function invalid(reason: string): WorkspaceError {
  return new WorkspaceError('invalid-pattern', `find files: the pattern is not usable: ${reason}`);
}
