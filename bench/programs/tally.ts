import { streamText, toolText } from './payload.ts';
import type { Work } from './work.ts';

/** What the tally needs to see of an update, whoever parsed it. */
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
    messages += 1;
    characters += text.length;
    if (messages < expected.messages) return;
    if (
      messages === expected.messages &&
      characters === expected.characters &&
      text.endsWith(expected.last)
    ) {
      resolve();
      return;
    }
    reject(
      new Error(`received ${messages} messages with ${characters} characters: ${JSON.stringify(expected)}`),
    );
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
  readonly last: string;
}

function expectationOf(work: Work): Expectation {
  switch (work.kind) {
    case 'chunks':
      return ofStream(work.count, streamText);
    case 'tool-updates':
      return ofStream(work.count, toolText);
    case 'reads':
      return { messages: work.count, characters: 0, last: '' };
    case 'repeat':
      return ofStream(work.count, () => streamText(0).trim());
    case 'line':
      return { messages: 1, characters: work.bytes, last: 'x' };
  }
}

function ofStream(count: number, text: (index: number) => string): Expectation {
  const last = text(count - 1);
  return { messages: count, characters: count * last.length, last };
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
