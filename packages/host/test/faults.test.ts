import { execFileSync } from 'node:child_process';
import { faultyAgent } from '@parley/conformance';
import { expect, test } from 'vitest';
import { approve, isPosix, only, running } from './harness.ts';
import { meet, type Meeting, type Outcome } from './meet.ts';

/** A fault of `packages/conformance/src/faulty-agent`, what comes of it, and how such an agent is met. */
type Row = readonly [fault: string, expected: object, meeting?: Meeting];

const survived: Outcome = { first: 'end_turn', second: 'end_turn' };
const gone: Outcome = { first: 'agent-exited' };
const ended: Outcome = { first: 'cancelled, agent ended', diagnostics: ['agent-ended'] };

/** The agent is understood all the same, and what was odd is reported. */
const reports = (...diagnostics: readonly string[]): Outcome => ({ ...survived, diagnostics });

/** The agent's request is answered so, and the turn goes on. */
const answered = (answer: object, ...diagnostics: readonly string[]): object => ({
  ...survived,
  said: [expect.toSatisfy((text: string) => matches(JSON.parse(text), answer))],
  ...(diagnostics.length > 0 && { diagnostics }),
});

const refused = (code: number, reason?: string): object =>
  answered({ error: { code, ...(reason !== undefined && { data: { reason } }) } });
const selected = (optionId: string): object =>
  answered({ result: { outcome: { outcome: 'selected', optionId } } });
const dismissed = answered({ result: { outcome: { outcome: 'cancelled' } } });

/** No answer to the prompt that counts; the next one is tried all the same. */
const failed = (code: string | number, ...diagnostics: readonly string[]): Outcome => ({
  first: code,
  second: code,
  ...(diagnostics.length > 0 && { diagnostics }),
});

const undecided: Meeting = {
  policy: approve('ask'),
  interact: { permission: () => new Promise(() => {}) },
};
const impatient: Meeting = { openTimeoutMs: 300 };
const cancelled: Meeting = { prompt: 'wait', cancelAt: 'update', graceMs: 60_000 };

const linesRows: readonly Row[] = [
  ['none', survived],
  ['noise-on-stdout', reports('stdout-noise')],
  ['noise-without-end', reports('stdout-noise')],
  ['prompt-of-a-shell', reports('stdout-noise')],
  ['invalid-utf8', reports('invalid-utf8')],
  ['long-line', reports('oversized-line')],
  ['byte-by-byte', { ...survived, said: ['ä€😀'] }],
  ['crlf-lines', survived],
  ['byte-order-mark', survived],
  ['empty-lines', survived],
  ['no-last-newline', { first: 'end_turn' }],
  ['half-a-line', { ...gone, diagnostics: ['truncated-line'] }],
  ['two-values-in-a-line', reports('stdout-noise')],
  ['batch', reports('invalid-message')],
  ['other-json', reports('invalid-message')],
  ['jsonrpc-1.0', reports('invalid-message')],
  ['deep-nesting', survived],
  ['lone-surrogates', { ...survived, said: ['\ud800'] }],
  ['prototype-keys', survived],
  ['stderr-flood', survived],
];

const answersRows: readonly Row[] = [
  ['initialize-null', { start: 'invalid-answer' }],
  ['initialize-empty', { start: 'invalid-answer' }],
  ['initialize-refused', { start: 'start-failed' }],
  ['version-0', { start: 'unsupported-version' }],
  ['version-7', { start: 'unsupported-version' }],
  ['version-as-text', { start: 'invalid-answer' }],
  ['nulls-for-what-is-absent', survived],
  ['session-null', { session: 'invalid-answer' }],
  ['session-without-id', { session: 'invalid-answer' }],
  ['session-id-a-number', { session: 'invalid-answer' }],
  ['one-id-for-all-sessions', { ...survived, another: 'already-open' }, { opensTwo: true }],
  ['prompt-null', failed('invalid-answer')],
  ['prompt-empty', failed('invalid-answer')],
  [
    'unknown-stop-reason',
    { first: 'unknown: bored', second: 'unknown: bored', diagnostics: ['unknown-variant'] },
  ],
  ['neither-result-nor-error', failed('invalid-answer')],
  ['result-and-error', failed('invalid-answer')],
  ['error-as-text', failed('invalid-answer')],
  ['error-without-code', failed('invalid-answer')],
  ['error-code-as-text', failed('invalid-answer')],
  ['error-with-much-data', failed(-32603)],
  ['id-null', failed('invalid-answer', 'unexpected-answer')],
  ['another-id', { ...ended, diagnostics: ['unexpected-answer', 'agent-ended'] }, { cancelAt: 'diagnostic' }],
  [
    'ids-as-texts',
    { ...ended, diagnostics: ['unexpected-answer', 'agent-ended'] },
    { cancelAt: 'diagnostic' },
  ],
  ['answers-twice', reports('unexpected-answer')],
  ['answers-to-nothing', reports('unexpected-answer')],
  [
    'late-answer',
    { session: 'open-timeout', diagnostics: ['unexpected-answer'] },
    { ...impatient, waitsFor: 'diagnostic' },
  ],
  ['auth-at-initialize', { start: 'auth-required' }],
  ['auth-at-new', { session: 'auth-required' }],
  ['auth-at-load', { session: 'auth-required' }, { resumes: true }],
  ['auth-at-prompt', failed('auth-required')],
];

const endingsRows: readonly Row[] = [
  ['exit-at-start', { start: 'start-failed' }],
  ['exit-in-initialize', { start: 'start-failed' }],
  ['exit-in-new', { session: 'agent-exited' }],
  ['exit-in-load', { session: 'agent-exited' }, { resumes: true }],
  ['exit-in-prompt', gone],
  ['exit-in-close', reports('close-failed'), { closes: true }],
  ['exit-at-cancel', { first: 'cancelled, agent ended' }, cancelled],
  ['exit-0-in-initialize', { start: 'start-failed' }],
  ['exit-0-in-new', { session: 'agent-exited' }],
  ['exit-0-in-prompt', gone],
  ['exit-between-turns', { first: 'end_turn' }, { waitsFor: 'agent-end' }],
  ['exit-while-asking', gone, undecided],
  ['crash', gone],
  ['closed-stdout', gone],
  ['closed-stdin', { first: 'end_turn', second: 'agent-exited' }],
  ['stops-reading', ended, { prompt: 'x'.repeat(4_000_000), cancelAt: 'turn-start' }],
  ['silent-initialize', { start: 'start-timeout' }, { startTimeoutMs: 300 }],
  ['silent-new', { session: 'open-timeout' }, impatient],
  ['silent-load', { session: 'open-timeout' }, { ...impatient, resumes: true }],
  ['silent-prompt', ended, { cancelAt: 'turn-start' }],
  ['silent-cancel', ended, { prompt: 'wait', cancelAt: 'update' }],
  ['silent-close', reports('close-failed'), { requestTimeoutMs: 2000, closes: true }],
  ['busy-loop', ended, { cancelAt: 'update' }],
  ['error-at-cancel', { first: 'cancelled', diagnostics: ['cancel-error'] }, { ...cancelled, turns: 1 }],
  ['end-turn-at-cancel', { first: 'end_turn' }, { ...cancelled, turns: 1 }],
  ['stays-at-end', survived],
  ['ignores-term', survived],
  ['child-holds-pipes', gone],
  ['escaped-child-holds-pipes', gone],
];

const updatesRows: readonly Row[] = [
  ['update-before-new', { ...survived, said: ['early'] }],
  ['flood-before-new', { ...reports('limit-reached'), said: ['1024 texts'] }],
  ['update-after-turn', { ...reports('late-update'), said: ['late'] }, { waitsFor: 'diagnostic' }],
  ['update-of-unknown-session', reports('unknown-session')],
  ['unknown-update', reports('unknown-variant')],
  ['unknown-content', survived],
  ['update-without-content', reports('ignored-notification')],
  ['update-without-kind', reports('ignored-notification')],
  ['mode-by-another-name', reports('ignored-notification')],
  ['unknown-tool-call', survived],
  ['open-tool-call', survived],
  ['flood-of-updates', { ...survived, said: ['20000 texts'] }],
  ['unknown-notification', reports('ignored-notification')],
];

const requestsRows: readonly Row[] = [
  ['unknown-request', refused(-32601)],
  ['unknown-extension', refused(-32601)],
  ['request-before-initialize', refused(-32002)],
  ['request-of-unknown-session', refused(-32002)],
  ['request-between-turns', selected('no')],
  ['params-as-list', refused(-32602)],
  ['request-without-params', refused(-32602)],
  ['same-id-twice', answered({ error: { code: -32600 } }, 'invalid-message'), undecided],
  ['cancels-its-request', dismissed, undecided],
  ['reads-outside', refused(-32602, 'outside')],
  ['reads-missing', refused(-32002, 'not-found')],
  ['reads-relative', refused(-32602)],
  ['reads-huge', refused(-32602, 'too-large')],
  ['reads-pipe', refused(-32602, 'not-a-file')],
  ['writes-outside', refused(-32602, 'outside'), { policy: approve('all') }],
  ['writes-relative', refused(-32602), { policy: approve('all') }],
  ['terminal-outside', refused(-32602, 'outside'), { policy: approve('all') }],
  ['terminals-not-released', { ...survived, said: ['3 started'] }, { policy: approve('all') }],
  ['terminals-without-end', { ...survived, said: ['64 started'] }, { policy: approve('all') }],
  ['unknown-terminal', refused(-32002)],
  ['permission-without-options', dismissed],
  ['permission-of-equal-kinds', selected('no')],
  ['permission-of-equal-ids', dismissed],
  ['permission-of-unknown-kinds', { ...dismissed, diagnostics: ['unknown-variant'] }],
  [
    'permission-of-unknown-kinds',
    { ...selected('yes'), diagnostics: ['unknown-variant'] },
    { policy: approve('ask'), interact: { permission: async () => ({ kind: 'option', optionId: 'yes' }) } },
  ],
  ['permission-of-nothing', refused(-32602)],
  ['flood-of-permissions', { ...survived, said: ['3000 answered, 0 allowed'] }],
  [
    'flood-of-permissions',
    { ...reports('limit-reached'), said: ['3000 answered, 0 allowed'] },
    { ...undecided, cancelAt: 'diagnostic', graceMs: 60_000 },
  ],
  ['elicitation-of-unknown-mode', refused(-32602)],
];

/** Agents that are started again when they have ended by themselves: what is in the first turn is there again. */
const restarted: Meeting = { restart: { attempts: 2, delayMs: 0 } };
const goneAgain: Outcome = { first: 'agent-exited', second: 'agent-exited', said: ['replayed'] };
const backAgain: Outcome = { first: 'end_turn', second: 'end_turn', said: ['replayed'] };
const restartsRows: readonly Row[] = [
  ['none', survived, restarted],
  ['crash', goneAgain, restarted],
  ['exit-in-prompt', goneAgain, restarted],
  ['exit-0-in-prompt', goneAgain, restarted],
  ['exit-while-asking', goneAgain, { ...restarted, ...undecided }],
  ['half-a-line', { ...goneAgain, diagnostics: ['truncated-line'] }, restarted],
  ['exit-between-turns', backAgain, { ...restarted, waitsFor: 'agent-end' }],
  ['exit-at-cancel', { ...backAgain, first: 'cancelled, agent ended' }, { ...cancelled, ...restarted }],
  ['exit-in-load', { session: 'agent-exited' }, { ...restarted, resumes: true }],
  ['exit-at-start', { start: 'start-failed' }, restarted],
];

const rows = [...linesRows, ...answersRows, ...endingsRows, ...updatesRows, ...requestsRows, ...restartsRows];

const [command, ...args] = faultyAgent();
const list = execFileSync(command, args, { encoding: 'utf8' }).trimEnd().split('\n');
const sentences = new Map(list.map((line) => line.split('\t')).map(([name = '', what = '']) => [name, what]));
/** On the command line of everything that these agents are and start. */
const word = `faults-${process.pid}`;

test('each fault of the agent is in a table', () => {
  expect([...sentences.keys()].filter((fault) => !rows.some(([name]) => name === fault))).toEqual([]);
});

test.runIf(isPosix)('an unknown fault is rejected', () => {
  expect(() => execFileSync(command, [...args, 'no-such-fault'], { stdio: 'pipe' })).toThrow(
    'There is no fault "no-such-fault"',
  );
});

const cases = rows.map(([fault, expected, meeting]): [string, string, object, Meeting | undefined] => {
  return [fault, sentences.get(fault) ?? '', expected, meeting];
});

test.runIf(isPosix).concurrent.each(cases)('%s: %s', async (fault, _what, expected, meeting) => {
  const { outcome, events } = await meet(fault, meeting, word);

  expect(outcome).toEqual(expected);
  // Each thing that began has an end, and no question has two events of one type.
  expect(only(events, 'turn-end')).toHaveLength(only(events, 'turn-start').length);
  expect(only(events, 'permission').map(({ requestId }) => requestId)).toEqual(
    expect.arrayContaining(only(events, 'permission-request').map(({ requestId }) => requestId)),
  );
  expect(only(events, 'session-end')).toHaveLength(only(events, 'session').length);
  expect(only(events, 'agent-end')).toHaveLength(only(events, 'agent-start').length);
});

test.runIf(isPosix)('no process of these agents is left', () => {
  expect(running(word)).toEqual([]);
});

/** Whether a value has all that another has, and possibly more. */
function matches(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return value === expected;
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(expected).every(([name, each]) => matches(fields.get(name), each));
}
