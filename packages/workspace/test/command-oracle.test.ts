import { deniedLines, irreversibleLines, prefixLines, shellLines } from '@parley/conformance';
import fc from 'fast-check';
import { type Command, forEachChild, parse, type SyntaxNode } from 'unbash';
import { describe, expect, test } from 'vitest';
import type { CommandWord } from '../src/command/command-part.ts';
import { splitCommand } from '../src/command/split-command.ts';
import { startedBy } from '../src/command/started/started-command.ts';
import { generatedLine } from './command-line.fixture.ts';

/** The programs that another parser of bash finds in a line. */
function programsOf(line: string): readonly string[] {
  const programs: string[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command' && node.name !== undefined && !isJoined(node)) programs.push(node.name.value);
    forEachChild(node, visit);
  };
  visit(parse(line));
  return programs;
}

/** Whether this parser divides the word of a redirection: to it a process substitution ends its word, as in `< <(b)a`. */
function isJoined({ name, prefix }: Command): boolean {
  return prefix.some((part) => part.type === 'Redirect' && part.target?.end === name?.pos);
}

/** The commands that are seen here; `time` is a word of the grammar to bash, and a program that starts another one here. */
function commandsSeen(line: string): readonly CommandWord[] | undefined {
  return splitCommand(line)?.flatMap(({ words }) => commandsIn(words));
}

function commandsIn(words: readonly CommandWord[]): readonly CommandWord[] {
  const [program] = words;
  if (program === undefined) return [];
  return [program, ...startedBy(words).commands.flatMap(({ words: inner }) => commandsIn(inner))];
}

function expectSeen(line: string): void {
  const seen = commandsSeen(line);
  // A word that becomes known only when it runs may be any program.
  if (seen === undefined || seen.some(({ isLiteral }) => !isLiteral)) return;
  // To bash `time` has no options: it would look for a program named `-o`.
  const found = programsOf(line).filter((program) => !program.startsWith('-'));
  const missed = found.filter((program) => !seen.some(({ text }) => text === program));
  expect({ line, missed }).toEqual({ line, missed: [] });
}

describe('each program that another parser finds is seen, or the line is not judged', () => {
  const lines = [...prefixLines, ...deniedLines, ...irreversibleLines, ...shellLines].map(({ line }) => line);

  test('in the corpus', () => {
    let compared = 0;
    for (const line of lines) {
      expectSeen(line);
      if (commandsSeen(line) !== undefined && programsOf(line).length > 0) compared += 1;
    }
    expect(compared).toBeGreaterThan(300);
  });

  test('in generated lines', () => {
    const line = generatedLine({
      words: [
        'a',
        '$X',
        "'a;b'",
        '"a|b"',
        '\\;',
        '>f',
        '2>&1',
        '#',
        '{a,b}',
        '~',
        '*',
        'X=1',
        "''",
        '<(a)',
        '`b`',
        '!',
        '=',
      ],
      commands: [
        'a',
        'b c',
        'X=y a',
        '! b',
        'time a',
        'if',
        "g''it",
        '\\a',
        '"a b"',
        '[',
        'a\\\nb',
        'Y=$(c) d',
        '=a',
        'command a',
      ],
    });
    fc.assert(fc.property(line, expectSeen), { numRuns: 5000 });
  });

  test('in any text', () => {
    const piece = fc.constantFrom(
      ...`a|b|;|&&|||&|$(|)|\`|"|'|\\|\n|(|{|}|#|$|<|>|<<|<<<|if|then|fi|for|in|do|done|case|esac|=|X=|((|))|[[|]]|!|time|coproc|function|()`.split(
        '|',
      ),
      ' ',
      ' ',
      '|',
      '||',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        expectSeen,
      ),
      { numRuns: 10_000 },
    );
  });
});
