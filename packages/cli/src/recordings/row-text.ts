import type { FrameDirection, MessageView, TracedFrame } from '@parley/recording';
import { valueAt } from '@parley/wire';
import { toPlainLine, toPlainText } from '../output/plain.ts';
import type { Style } from '../output/style.ts';
import type { Row } from './row.ts';

/** How rows become text. */
export interface RowTextOptions {
  readonly body: boolean;
  readonly style: Style;
  /** The time that counts as 0; without it the columns of times are empty. */
  readonly startTime?: number;
}

/** What stands over the columns. */
export const columnHeads: string = `${'#'.padStart(6)} ${'seconds'.padStart(10)}   ${'took'.padStart(9)} ${'session'.padEnd(8)} turn message`;

/** A row as lines of text without the last newline. What went wrong is red on a terminal. */
export function toRowText(row: Row, options: RowTextOptions): string {
  const { style } = options;
  switch (row.kind) {
    case 'head': {
      const { agent = 'an agent', program, cwd, time } = row.head;
      const by = program === undefined ? '' : ` by ${program}`;
      const where = cwd === undefined ? '' : ` in ${cwd}`;
      const when = time === undefined ? '' : `, ${new Date(time).toISOString()}`;
      return `${style.bold(toPlainLine(`recording of ${agent}${by}${where}${when}`))}\n${style.dim(columnHeads)}`;
    }
    case 'frame':
      return toFrameText(row.traced, options);
    case 'fault': {
      const { code, head } = row.fault;
      const place = toColumns(row.fault, options);
      return `${place}${style.red(`not a message (${toPlainLine(code)}):`)} ${toPlainLine(head)}`;
    }
    case 'unreadable':
      return style.red(`line ${row.unreadable.line} cannot be read: ${row.unreadable.why}`);
    case 'unanswered': {
      const { seq, method } = row.request;
      return style.red(`#${seq} ${toPlainLine(method)} was never answered`);
    }
  }
}

function toFrameText(traced: TracedFrame, options: RowTextOptions): string {
  const { frame, view, method, answers } = traced;
  const { style } = options;
  const place = toColumns({ ...frame, ...traced }, options);
  const answer = answers === undefined ? '' : ` ${style.dim(`answers #${answers}`)}`;
  const what = `${style.bold(toPlainLine(method ?? 'unknown request'))}${answer}${toDetail(view, style)}${toTraceText(traced, style)}`;
  const body = options.body ? bodyOf(view) : undefined;
  if (body === undefined) return `${place}${what}`;
  return `${place}${what}\n${style.dim(`${indent}${toBodyText(body)}`)}`;
}

interface Place {
  readonly seq: number;
  readonly time?: number;
  readonly direction: FrameDirection;
  readonly latencyMs?: number;
  readonly session?: string;
  readonly turn?: number;
}

function toColumns(place: Place, { startTime }: RowTextOptions): string {
  const { seq, time, direction, latencyMs, session, turn } = place;
  const seconds = time === undefined || startTime === undefined ? '' : ((time - startTime) / 1000).toFixed(3);
  return [
    String(seq).padStart(6),
    seconds.padStart(10),
    direction === 'out' ? '→' : '←',
    (latencyMs === undefined ? '' : toDuration(latencyMs)).padStart(9),
    // The end of an id differs where ids are made from the time.
    toPlainLine(session?.slice(-sessionCharacters) ?? '').padEnd(sessionCharacters),
    (turn === undefined ? '' : String(turn)).padStart(4),
    '',
  ].join(' ');
}

/** Displayed characters of a session id. */
const sessionCharacters = 8;
const indent = ' '.repeat(9);

/** Displayed characters of a message; `--json` prints all of it. */
const bodyCharacters = 1000;

function toBodyText(body: unknown): string {
  const text = JSON.stringify(body);
  const shown = toPlainText(text.slice(0, bodyCharacters));
  const left = text.length - bodyCharacters;
  return left > 0 ? `${shown}… (${left} more characters)` : shown;
}

function bodyOf(view: MessageView): unknown {
  switch (view.kind) {
    case 'request':
    case 'notification':
      return view.params;
    case 'result':
      return view.result;
    case 'error':
      return view.error;
    case 'unknown':
      return view.raw;
  }
}

/** What a reader looks for first: the kind of an update, why a turn stopped, what an error says. */
function toDetail(view: MessageView, style: Style): string {
  switch (view.kind) {
    case 'request':
    case 'notification': {
      const update = valueAt(view.params, 'update');
      const texts = [valueAt(update, 'sessionUpdate'), valueAt(update, 'status')];
      return texts.flatMap((text) => (typeof text === 'string' ? [` ${toPlainLine(text)}`] : [])).join('');
    }
    case 'result': {
      const stopReason = valueAt(view.result, 'stopReason');
      return typeof stopReason === 'string' ? ` ${toPlainLine(stopReason)}` : '';
    }
    case 'error': {
      const [code, message] = [valueAt(view.error, 'code'), valueAt(view.error, 'message')];
      return ` ${style.red(toPlainLine(`error ${String(code)}: ${String(message)}`))}`;
    }
    case 'unknown':
      return '';
  }
}

/** The trace id of the requests of a session, by which the logs of the agent and its servers can be found. */
function toTraceText({ frame, view, method }: TracedFrame, style: Style): string {
  const isOurs = frame.direction === 'out' && view.kind === 'request';
  if (!isOurs || method?.startsWith('session/') !== true) return '';
  const traceparent = valueAt(view.params, '_meta', 'traceparent');
  const [, traceId] = typeof traceparent === 'string' ? traceparent.split('-') : [];
  return traceId === undefined ? '' : ` ${style.dim(`trace ${toPlainLine(traceId)}`)}`;
}

function toDuration(ms: number): string {
  return ms < 10_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
