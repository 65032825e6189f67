import type { PromptCapabilities } from '@parley/acp';
import { useCallback, useRef, useState } from 'react';
import { attachmentLimits } from '../limits.ts';
import { createId, fits, type Attachment, type Refusal } from './attachment.ts';
import { readAttachment } from './read-attachment.ts';

/** A file that was not attached, and why. */
export interface RefusedFile {
  readonly name: string;
  readonly refusal: Refusal;
}

/** The attachments of a prompt, and the functions that change them. */
export interface Attachments {
  readonly all: readonly Attachment[];
  /** The rejected files of the last attempt. */
  readonly refused: readonly RefusedFile[];
  /** How many files are being read. */
  readonly reading: number;
  readonly addFiles: (files: readonly File[]) => Promise<void>;
  readonly addPaste: (text: string) => void;
  readonly editPaste: (id: string, text: string) => void;
  readonly remove: (id: string) => void;
  readonly replace: (all: readonly Attachment[]) => void;
  readonly current: () => readonly Attachment[];
}

/** Manages the attachments of a prompt. */
export function useAttachments(
  initial: readonly Attachment[],
  capabilities: PromptCapabilities,
): Attachments {
  const kept = useRef(initial);
  const [all, setAll] = useState(initial);
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);
  const [reading, setReading] = useState(0);
  const replace = useCallback((next: readonly Attachment[]) => {
    kept.current = next;
    setAll(next);
    setRefused([]);
  }, []);
  const add = useCallback((attachment: Attachment): Refusal | undefined => {
    if (!fits(kept.current, attachment)) {
      const { count, length } = attachmentLimits;
      return kept.current.length >= count
        ? { why: 'too-many', limit: count }
        : { why: 'too-large', limitBytes: length };
    }
    kept.current = [...kept.current, attachment];
    setAll(kept.current);
    return undefined;
  }, []);
  const addFiles = useCallback(
    async (files: readonly File[]) => {
      setRefused([]);
      setReading((count) => count + files.length);
      for (const file of files) {
        const read = await readAttachment(file, { capabilities, attached: kept.current.length });
        const refusal = 'attachment' in read ? add(read.attachment) : read.refusal;
        if (refusal !== undefined) setRefused((before) => [...before, { name: file.name, refusal }]);
        setReading((count) => count - 1);
      }
    },
    [capabilities, add],
  );
  const addPaste = useCallback(
    (text: string) => {
      const refusal = add({ kind: 'paste', id: createId(), text });
      setRefused(refusal === undefined ? [] : [{ name: '', refusal }]);
    },
    [add],
  );
  const editPaste = useCallback(
    (id: string, text: string) => {
      replace(
        kept.current.map((each) => (each.id === id && each.kind === 'paste' ? { ...each, text } : each)),
      );
    },
    [replace],
  );
  const remove = useCallback(
    (id: string) => {
      replace(kept.current.filter((each) => each.id !== id));
    },
    [replace],
  );
  const current = useCallback(() => kept.current, []);
  return { all, refused, reading, addFiles, addPaste, editPaste, remove, replace, current };
}
