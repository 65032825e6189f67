import { streamText, toolText } from './payload.ts';
import type { Work } from './work.ts';

/** What the tally needs to see of an update of any parser. */
export interface SeenUpdate {
  readonly sessionUpdate: string;
  readonly content?: unknown;
}

/** Counts what arrived, and knows whether it is what was asked for. */
export interface Tally {
  count(update: SeenUpdate): void;
  /** Counts one request of the agent. */
  countRead(): void;
  /** Settles when everything has arrived; rejects when what arrived is wrong. */
  readonly complete: Promise<void>;
}

/** Makes a tally that expects exactly what `work` brings: so many messages, their text, the last one last. */
export function createTally(work: Work): Tally {
  const expected = expectationOf(work);
  const { promise, resolve, reject } = withResolvers();
  let messages = 0;
  let characters = 0;
  const arrived = (text: string): void => {
    const isInOrder = !expected.isNumbered || text.charCodeAt(lastDigitAt) === zero + (messages % 10);
    messages += 1;
    characters += text.length;
    if (isInOrder && messages < expected.messages) return;
    const isRight = isInOrder && messages === expected.messages && characters === expected.characters;
    if (isRight && text.endsWith(expected.last)) resolve();
    else reject(new Error(`message ${messages} is wrong, with ${characters} characters until here`));
  };
  return {
    count: (update) => {
      const { sessionUpdate } = update;
      const isCounted = sessionUpdate === 'agent_message_chunk' || sessionUpdate === 'tool_call_update';
      if (isCounted) arrived(textOf(update));
    },
    countRead: () => arrived(''),
    complete: promise,
  };
}

interface Expectation {
  readonly messages: number;
  readonly characters: number;
  /** Whether each text begins with its place in the stream. */
  readonly isNumbered: boolean;
  readonly last: string;
}

function expectationOf(work: Work): Expectation {
  switch (work.kind) {
    case 'chunks':
      return ofStream(work.count, streamText, true);
    case 'tool-updates':
      return ofStream(work.count, toolText, true);
    case 'reads':
      return { messages: work.count, characters: 0, isNumbered: false, last: '' };
    case 'repeat':
      return ofStream(work.count, () => streamText(0).trim(), false);
    case 'line':
      return { messages: 1, characters: work.bytes, isNumbered: false, last: 'x' };
  }
}

/** Where a numbered text has the last digit of its number. */
const lastDigitAt = 6;
const zero = 48;

function ofStream(count: number, text: (index: number) => string, isNumbered: boolean): Expectation {
  const last = text(count - 1);
  return { messages: count, characters: count * last.length, isNumbered, last };
}

function textOf(update: SeenUpdate): string {
  const { content } = update;
  const first: unknown = Array.isArray(content) ? content[0] : content;
  if (typeof first !== 'object' || first === null) return '';
  const block: unknown = 'content' in first ? first.content : first;
  if (typeof block !== 'object' || block === null) return '';
  return 'text' in block && typeof block.text === 'string' ? block.text : '';
}

function withResolvers(): {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
} {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
}
