import { faultyAgent } from '@parley/conformance';
import { expect, test } from 'vitest';
import { parley, stopOf, temporaryFolder, toLines } from './command.ts';

/** A fault of an agent, the status of a run with it, and what its stop line says. */
type Row = readonly [fault: string, status: number, stop: object, flags?: readonly string[]];

const done = { stopReason: 'end_turn' };
const failed = (code: string): object => ({ error: { code } });

const rows: readonly Row[] = [
  ['noise-without-end', 0, done],
  ['prompt-of-a-shell', 0, done],
  ['invalid-utf8', 0, done],
  ['long-line', 0, done],
  ['byte-by-byte', 0, done],
  ['deep-nesting', 0, done],
  ['lone-surrogates', 0, done],
  ['stderr-flood', 0, done],
  ['unknown-update', 0, done],
  ['flood-of-updates', 0, done],
  ['flood-before-new', 0, done],
  ['nulls-for-what-is-absent', 0, done],
  ['ignores-term', 0, done],
  ['no-last-newline', 0, done],
  ['permission-of-equal-kinds', 3, done],
  ['permission-of-equal-ids', 3, done],
  ['permission-of-unknown-kinds', 3, done],
  ['flood-of-permissions', 3, done],
  ['version-7', 1, failed('unsupported-version')],
  ['exit-at-start', 1, failed('start-failed')],
  ['exit-0-in-initialize', 1, failed('start-failed')],
  ['exit-0-in-new', 1, failed('agent-exited')],
  ['exit-0-in-prompt', 1, failed('agent-exited')],
  ['crash', 1, failed('agent-exited')],
  ['half-a-line', 1, failed('agent-exited')],
  ['child-holds-pipes', 1, failed('agent-exited')],
  ['unknown-stop-reason', 1, { stopReason: 'bored' }],
  ['prompt-null', 1, failed('invalid-answer')],
  ['error-with-much-data', 1, { error: { code: -32603, data: [{ reason: 'full' }, null] } }],
  ['auth-at-new', 7, failed('auth-required')],
  ['auth-at-prompt', 7, failed('auth-required')],
  ['silent-prompt', 124, failed('timeout'), ['--timeout', '10']],
  ['busy-loop', 124, failed('timeout'), ['--timeout', '10']],
];

const cases = rows.map(([fault, status, stop, flags = []]): [string, number, object, readonly string[]] => {
  return [fault, status, stop, flags];
});

test.skipIf(process.platform === 'win32').concurrent.each(cases)(
  'a run with an agent that has the fault %s ends with status %i',
  { timeout: 300_000 },
  async (fault, exitCode, stop, flags) => {
    await using folder = await temporaryFolder();
    const words = ['run', '--format', 'json', ...flags, 'go', '--', ...faultyAgent(fault)];

    const { status, stdout } = await parley(words, { cwd: folder.path });

    expect(status).toBe(exitCode);
    expect(stopOf(toLines(stdout))).toMatchObject({ ...stop, exitCode });
  },
);
