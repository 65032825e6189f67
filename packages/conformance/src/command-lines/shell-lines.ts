import type { CommandLineCase } from './command-line-case.ts';

/** The expected result of splitting a command line: the programs it starts, or that it cannot be parsed. */
export type ShellExpectation = 'split' | 'not understood';

/** A shell line, and the programs that it starts if it can be split. */
export interface ShellLineCase extends CommandLineCase<ShellExpectation> {
  readonly programs: readonly string[];
}

/** Shell lines. */
export const shellLines: readonly ShellLineCase[] = [
  ...takenApart([
    ['', [], 'nothing'],
    ['a', ['a'], 'one command'],
    ['a b c', ['a'], 'further words are no commands'],
    ['a; b', ['a', 'b'], 'a list'],
    ['a && b || c', ['a', 'b', 'c'], 'conditions'],
    ['a | b', ['a', 'b'], 'a pipeline'],
    ['a & b', ['a', 'b'], 'in the background'],
    ['a\nb', ['a', 'b'], 'two lines'],
    ['(a; b)', ['a', 'b'], 'a subshell'],
    ['{ a; b; }', ['a', 'b'], 'a group'],
    ['! a', ['a'], 'negated'],
    ['X=1 a', ['a'], 'a variable is no command'],
    ['X=1', [], 'only a variable'],
    ['> f', [], 'only a file'],
    ['a > f < g 2>&1', ['a'], 'files are no commands'],
    ['a $(b)', ['b', 'a'], 'a substitution'],
    ['a `b`', ['b', 'a'], 'a substitution'],
    ['a "$(b; c)"', ['b', 'c', 'a'], 'a substitution within quotes'],
    ['a $(b $(c))', ['c', 'b', 'a'], 'a substitution in a substitution'],
    ['a <(b) >(c)', ['b', 'c', 'a'], 'substitutions for files'],
    ['X=$(a) b', ['a', 'b'], 'a substitution in a variable'],
    ['a > $(b)', ['b', 'a'], 'a substitution for a file'],
    ["a 'b; c'", ['a'], 'quoted operators are text'],
    ['a "b | c"', ['a'], 'quoted operators are text'],
    ['a \\; b', ['a'], 'an escaped operator is text'],
    ["a '$(b)'", ['a'], 'a quoted substitution is text'],
    ['a # b; c', ['a'], 'a comment'],
    ['a#b; c', ['a#b', 'c'], 'no comment within a word'],
    ["g''it a", ['git'], 'empty quotes'],
    ['\\git a', ['git'], 'an escaped letter'],
    ['a \\\n b', ['a'], 'a continued line'],
    ["'if' a", ['if'], 'a quoted word is no word of the grammar'],
    ['[ -f a ] && b', ['[', 'b'], 'a test is a command'],
    ['a ${X} "$Y" $1', ['a'], 'simple parameters'],
    ['a {b,c}', ['a'], 'braces become words, not commands'],
  ]),
  ...notUnderstood([
    ['$X a', 'the command is a variable'],
    ['"$X"', 'the command is a variable'],
    ['$(a) b', 'the command is what is printed'],
    ['a* b', 'the command is a pattern'],
    ['{a,b}', 'the command is one of the words'],
    ['=a b', 'the path of a command, to some shells'],
    ['eval a', 'code'],
    ["trap 'a' EXIT", 'code for later'],
    ["alias a='b'", 'later words mean something else'],
    ['if a; then b; fi', 'the grammar is not read that far'],
    ['for i in a; do b; done', 'the grammar is not read that far'],
    ['while a; do b; done', 'the grammar is not read that far'],
    ['until a; do b; done', 'the grammar is not read that far'],
    ['case a in b) c;; esac', 'the grammar is not read that far'],
    ['select a in b; do c; done', 'the grammar is not read that far'],
    ['a() { b; }', 'a function'],
    ['function a { b; }', 'a function'],
    ['coproc a', 'beside the line'],
    ['[[ -n a ]]', 'the grammar is not read that far'],
    ['((a))', 'arithmetic can run commands'],
    ['a $((b))', 'arithmetic can run commands'],
    ['a ${b:-$(c)}', 'an expansion with operators'],
    ['a ${!b}', 'a name that is not known'],
    ['a ${b@P}', 'a value that is expanded again'],
    ['a[$(b)]=1', 'a subscript is run'],
    ["printf -v 'a[$(b)]' x", 'a subscript is run'],
    ['a <<b\nc\nb', 'a here-document'],
    ['a <<< b', 'a here-string'],
    ['a &> b', 'not the same in each shell'],
    ['a |& b', 'not the same in each shell'],
    ["a $'b'", 'not the same in each shell'],
    ['a $"b"', 'not the same in each shell'],
    ["a 'b", 'not closed'],
    ['a "b', 'not closed'],
    ['a $(b', 'not closed'],
    ['(a', 'not closed'],
    ['a )', 'too much is closed'],
    ['a &&', 'a command is missing'],
    ['a ;; b', 'no operator here'],
    ['a\rb', 'a control character'],
    ['a\u0000b', 'a control character'],
    ['a\u001bb', 'a control character'],
    ['local a=b', 'takes a name'],
    ['read a', 'takes a name'],
    ['unset a[$(b)]', 'takes a name'],
    ['a !(b)', 'a pattern with alternatives'],
  ]),
];

function takenApart(
  lines: readonly (readonly [line: string, programs: readonly string[], why: string])[],
): readonly ShellLineCase[] {
  return lines.map(([line, programs, why]) => ({ line, programs, expected: 'split', why }));
}

function notUnderstood(lines: readonly (readonly [line: string, why: string])[]): readonly ShellLineCase[] {
  return lines.map(([line, why]) => ({ line, programs: [], expected: 'not understood', why }));
}
