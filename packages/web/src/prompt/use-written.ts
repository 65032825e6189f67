import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { commandOf, triggerAt, type Trigger } from '../completion/trigger.ts';
import type { Draft } from '../draft/draft.ts';
import { growToText, insertText } from './field-text.ts';

/** The content of a box. It stays in the DOM, because it may be long and the browser's undo must work. */
export interface Written {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly isEmpty: boolean;
  /** What is being typed that can be completed. */
  readonly trigger: Trigger | undefined;
  /** The command it starts with, if nothing follows. */
  readonly command: string | undefined;
  /** How it is read and changed; these stay the same. */
  readonly hand: WritingHand;
}

/** Functions that read and change the content. */
export interface WritingHand {
  readonly read: () => Pick<Draft, 'text' | 'files'>;
  readonly write: (draft: Pick<Draft, 'text' | 'files'>) => void;
  /** Inserts a text at the caret, or replaces a part; can be undone. */
  readonly insert: (text: string, place?: { readonly from: number; readonly to: number }) => void;
  /** Knows a file that is mentioned. */
  readonly mention: (path: string) => void;
  /** Reads the typed text and the position of the caret. */
  readonly look: () => void;
  /** Closes the completions until the user types again. */
  readonly endTrigger: () => void;
  readonly focus: () => void;
}

/** From how many characters on a text is not checked for being only spaces. */
const surelyWritten = 1000;

/** Tracks the content of a box. */
export function useWritten(initial: Draft): Written {
  const field = useRef<HTMLTextAreaElement>(null);
  const text = useRef(initial.text);
  const files = useRef(initial.files);
  const [isEmpty, setIsEmpty] = useState(initial.text.trim() === '');
  const [trigger, setTrigger] = useState<Trigger>();
  const [command, setCommand] = useState(() => openCommand(initial.text));

  const look = useCallback(() => {
    if (field.current === null) return;
    const { value, selectionStart, selectionEnd } = field.current;
    text.current = value;
    setIsEmpty(value.length < surelyWritten && value.trim() === '');
    setTrigger(selectionStart === selectionEnd ? triggerAt(value, selectionStart) : undefined);
    setCommand(openCommand(value));
    growToText(field.current);
  }, []);
  useEffect(() => {
    if (field.current !== null) growToText(field.current);
  }, []);

  const hand = useMemo(
    (): WritingHand => ({
      read: () => ({ text: text.current, files: files.current }),
      write: (draft) => {
        if (field.current !== null) field.current.value = draft.text;
        text.current = draft.text;
        files.current = draft.files;
        look();
        setTrigger(undefined);
      },
      insert: (inserted, place) => {
        if (field.current === null) return;
        const { selectionStart, selectionEnd } = field.current;
        insertText(field.current, inserted, place?.from ?? selectionStart, place?.to ?? selectionEnd);
        look();
        setTrigger(undefined);
      },
      mention: (path) => {
        files.current = [...new Set([...files.current, path])];
      },
      look,
      endTrigger: () => {
        setTrigger(undefined);
      },
      focus: () => field.current?.focus(),
    }),
    [look],
  );
  return { field, isEmpty, trigger, command, hand };
}

function openCommand(text: string): string | undefined {
  const { name, hasInput = true } = commandOf(text) ?? {};
  return hasInput ? undefined : name;
}
