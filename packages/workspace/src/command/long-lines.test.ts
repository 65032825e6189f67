import { expect, test } from 'vitest';
import { commandFiles } from './command-files.ts';
import { decideCommand, matchesCommand } from './decide-command.ts';
import { irreversibleReason } from './irreversible/irreversible.ts';
import { splitCommand } from './split-command.ts';

const length = 64 * 1024;

/** A text again and again, as long as a line may be. */
function repeated(text: string, before = '', after = ''): string {
  return before + text.repeat(Math.floor((length - before.length - after.length) / text.length)) + after;
}

/** Two texts, each half of the line. */
function halves(first: string, second: string): string {
  const half = length / 2 - 100;
  return first.repeat(half / first.length) + second.repeat(half / second.length);
}

/** Shapes for which each part, start or level once cost as much as the whole line, or twice as much as the one before. */
const shapes: Readonly<Record<string, string>> = {
  'one word': repeated('x'),
  'one word of a line that is guessed at': repeated('x', 'for '),
  'tildes in a word': repeated('~/'),
  'wrappers in wrappers': repeated('sudo ', '', 'ls'),
  'lines of watch in each other': repeated('watch ', '', 'ls'),
  'eval in eval': repeated('eval watch ', '', 'ls'),
  'ssh in ssh': repeated('ssh a watch ', '', 'ls'),
  'echo and a shell, in turn': repeated('echo a; sh; '),
  'echo and xargs, in turn': repeated('echo a | xargs ls; '),
  'a place for each word that xargs reads': `echo ${halves('a ', '{} ').replace('{}', '| xargs -I{} ls {}')}`,
  'places in a word of xargs': `echo ${halves('a ', '{}').replace('{}', '| xargs -I{} ls {}')}`,
  'find with many commands': repeated('-exec ls {} \\; ', 'find / '),
  'find with many places and commands': `find ${halves('/ ', '-exec ls {} \\; ')}`,
  'find with many places for a command': `find ${halves('/ ', '{} ').replace('{}', '-exec ls {}')} \\;`,
  'arguments of a line for a shell': `sh -c '${halves('$@ ', 'a ').replace('a', "' a")}`,
  'values that double': repeated('A=$A$A;', 'A=aaaaaaaa;', 'echo $A'),
  'a long value, often': `A=${halves('x', '$A ').replace('$A', '; echo $A')}`,
  'loops over values of each other': repeated('$b $a ', 'for a in $b $b; do for b in $a $a; do '),
  'folders below each other': repeated('cd a;', '', 'rm -rf ..'),
  'words in a long folder': `cd ${halves('a/', 'a ').replace('/a ', '/; rm ')}`,
  'substitutions that are not closed': repeated('$(echo ', 'echo '),
  'substitutions in quotes': repeated('$(', 'echo "'),
  'substitutions in quotes in quotes': repeated(String.raw`$(a \"`, 'for "'),
  'blanks in a substitution': repeated(' ', 'for $(echo'),
  'blanks in a call': repeated(' ', "python -c 'rm", "'"),
  'functions in functions': repeated('f(){ '),
  'functions and calls': repeated('f(){ a; }; f x; '),
  'variables that are read': repeated('echo a | read b; '),
  'arrays that are not closed': repeated(' a=('),
  'loops that are not closed': repeated('for a in '),
  'defaults that are not closed': repeated('${HOME:-'),
  'here-documents without an end': repeated('cat <<E\n'),
  'here-documents in a line': repeated('<<E ', '', '\nx'),
  'a here-string': repeated('aaaa ', 'for ', '<<<'),
  'braces that expand to much': repeated('/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b} ', 'rm '),
  'braces that are not closed': repeated('{a,a,a', 'rm /'),
  'quotes of another language': repeated('"a` ', "python -c '", "'"),
};

const rules = ['git push', 'rm -rf', 'docker rm --force'].map((commandPrefix) => ({
  commandPrefix,
  decision: 'deny' as const,
}));

test.each(Object.entries(shapes))('a line of 64 KiB is judged: %s', (_name, line) => {
  expect(line.length).toBeGreaterThan(length * 0.9);
  expect(line.length).toBeLessThanOrEqual(length);
  const words = line.split(' ');
  for (const command of [line, words, ['/bin/sh', '-c', line]]) {
    expect([undefined, 'deny', 'unclear']).toContain(decideCommand(rules, command));
    expect(matchesCommand({ commandPrefix: 'ls' }, command)).toBe(false);
    expect(['undefined', 'object']).toContain(typeof commandFiles(command, '/work'));
  }
  expect(['undefined', 'string']).toContain(typeof irreversibleReason(line));
});

test('a line of many commands, or of many words, is not taken apart', () => {
  expect(splitCommand('ls;'.repeat(1000))).toHaveLength(1000);
  expect(splitCommand('ls;'.repeat(1001))).toBeUndefined();
  expect(splitCommand(`echo \`${'ls;'.repeat(1001)}\``)).toBeUndefined();
  expect(splitCommand(`ls${' a'.repeat(4095)}`)).toHaveLength(1);
  expect(splitCommand(`ls${' a'.repeat(4096)}`)).toBeUndefined();
  expect(splitCommand(`ls ${'a'.repeat(length)}`)).toBeUndefined();
});

test('what is too long to be judged is unclear where something is denied, and allowed by no prefix', () => {
  const allow = { commandPrefix: 'ls', decision: 'allow' } as const;
  const many = ['ls', ...Array.from({ length: 4096 }, () => 'a')];
  for (const command of [many, many.join(' '), ['ls', 'a'.repeat(length)], `ls ${'a'.repeat(length)}`]) {
    expect(decideCommand([...rules, allow], command)).toBe('unclear');
    expect(decideCommand([allow], command)).toBeUndefined();
    expect(commandFiles(command, '/work')).toBeUndefined();
  }
});

test('a line that is too long to be judged must not run', () => {
  expect(irreversibleReason(`echo ${'a'.repeat(length)}`)).toContain('too long');
  expect(irreversibleReason(`echo ${'a'.repeat(1024 * 1024)}`)).toContain('too long');
  expect(irreversibleReason(shapes['find with many places and commands'] ?? '')).toContain('too long');
});

test('a long text in a here-document is judged as any other line', () => {
  const text = 'a line of a file, with "quotes", $(and) {braces}\n'.repeat(1200);
  expect(irreversibleReason(`cat > file <<'END'\n${text}END\n`)).toBeUndefined();
  expect(irreversibleReason(`cat > file <<'END'\n${text}END\nrm -rf /\n`)).toContain('It removes the system');
  expect(irreversibleReason(`bash <<'END'\n${text}rm -rf /\nEND\n`)).toContain('It removes the system');
});

test('the same long line is taken apart once, and the same each time', () => {
  const line = `ls${' a'.repeat(1000)}`;
  expect(splitCommand(line)).toBe(splitCommand(line));
  expect(splitCommand(`${line} "`)).toBeUndefined();
  expect(splitCommand(`${line} "`)).toBeUndefined();
});
