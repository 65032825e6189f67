import { createInterface, emitKeypressEvents, type Key } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';

/** What the user typed: a key, or a text that was pasted. */
export type Typed = TypedKey | { readonly kind: 'paste'; readonly text: string };

/** A key, by its name and its text; a key without a text has no text. */
export interface TypedKey {
  readonly kind: 'key';
  /** As `node:readline` names it. */
  readonly name: string;
  readonly text: string;
  readonly isControl: boolean;
  readonly isMeta: boolean;
  readonly isShift: boolean;
}

/** Switches that make a terminal mark what is pasted, and end that. */
export const bracketedPaste = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const;

/** Reads what a terminal sends as keys. */
export interface KeyReader extends Disposable {
  read(chunk: Buffer): void;
}

/** How long a lone Escape may be the start of a longer key sequence. */
const escapeMs = 50;

/** @param onTyped Called with what came at once. */
export function createKeyReader(onTyped: (typed: readonly Typed[]) => void): KeyReader {
  const input = new PassThrough();
  // Only its parser of keys is used; it has the only switch for how long it waits behind an Escape.
  const parser = createInterface({
    input: new PassThrough(),
    output: nowhere(),
    terminal: true,
    escapeCodeTimeout: escapeMs,
  });
  let isReading = false;
  let typed: Typed[] = [];
  let pasted: string | undefined;
  const deliver = (): void => {
    const all = typed;
    typed = [];
    if (all.length > 0) onTyped(all);
  };
  const take = (text: string | undefined, key: Key): void => {
    const { name = '', sequence = '', ctrl = false, meta = false, shift = false } = key;
    if (name === 'paste-start') pasted = '';
    else if (name === 'paste-end') {
      if (pasted !== undefined) typed.push({ kind: 'paste', text: toPastedText(pasted) });
      pasted = undefined;
    } else if (pasted === undefined) {
      const isText = text !== undefined && !/^\p{Cc}/u.test(text);
      typed.push({
        kind: 'key',
        name,
        text: isText ? text : '',
        isControl: ctrl,
        isMeta: meta,
        isShift: shift,
      });
    } else {
      pasted += sequence;
    }
    // An Escape that nothing followed comes later.
    if (!isReading) deliver();
  };
  emitKeypressEvents(input, parser);
  input.on('keypress', take);
  return {
    read(chunk) {
      isReading = true;
      input.emit('data', chunk);
      isReading = false;
      deliver();
    },
    [Symbol.dispose]() {
      input.off('keypress', take);
      parser.close();
    },
  };
}

/** A pasted text with the line breaks of a text, and nothing that controls a terminal. */
function toPastedText(text: string): string {
  return text.replace(/\r\n?/gu, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
}

/** An output that is not shown. */
export function nowhere(): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
}

/** Whether it is a letter with Ctrl. */
export function isControl(typed: Typed, name: string): boolean {
  return typed.kind === 'key' && typed.isControl && typed.name === name;
}

/** Whether it is Enter, with or without another key. */
export function isEnter(typed: Typed): boolean {
  return typed.kind === 'key' && (typed.name === 'return' || typed.name === 'enter');
}
