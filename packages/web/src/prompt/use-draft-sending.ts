import type { ContentBlock, PromptCapabilities } from '@parley/acp';
import { useEffect, useRef, useState } from 'react';
import type { DraftStore, KeptDraft, SentText } from '../draft/draft-store.ts';
import { emptyDraft, isBlank, toBlocks, type Draft } from '../draft/draft.ts';
import { HubError } from '../hub/hub-error.ts';

/** How it is found out whether something has been sent. */
export interface Arrival {
  /** Number of turns so far. */
  readonly mark: number;
  readonly wasSent: (sent: SentText) => boolean;
}

/** That a prompt was not sent. */
export interface SendFailure {
  readonly error: unknown;
  /** A draft that was not sent and is not in the box, because the user has typed something else meanwhile. */
  readonly draft?: Draft;
}

/** The box that a draft is sent from. */
export interface SendingBox {
  readonly read: () => Draft;
  readonly write: (draft: Draft) => void;
  /** Cancels pending storing of the draft. */
  readonly forget: () => void;
}

/** What drafts are sent with. */
export interface DraftSendingOptions {
  readonly store: DraftStore;
  /** What was there when the page was opened. */
  readonly initial: KeptDraft;
  readonly arrival: Arrival | undefined;
  readonly cwd: string | undefined;
  readonly capabilities: PromptCapabilities;
  /**
   * Resolves when the prompt has arrived; if it rejects, the draft is put back into the box.
   *
   * @param onLost Called if the prompt had arrived and then failed.
   */
  readonly onSend: (blocks: readonly ContentBlock[], onLost: (error: unknown) => void) => Promise<void>;
}

/** Functions and state for sending a draft. */
export interface DraftSending {
  readonly isSending: boolean;
  readonly failure: SendFailure | undefined;
  /** The names of attachments that could not be kept. */
  readonly lost: readonly string[];
  /** Empties the box, and fills it again if the draft was not sent. Never rejects. */
  readonly send: (draft: Draft) => Promise<void>;
  /** The failure was seen. */
  readonly dismiss: () => void;
}

/** Sends the content of a box without losing it if the connection or the page is lost. */
export function useDraftSending(box: SendingBox, options: DraftSendingOptions): DraftSending {
  const { store, initial, arrival, cwd, capabilities, onSend } = options;
  const { read, write, forget } = box;
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<SendFailure>();
  const [lost, setLost] = useState(initial.lost);
  const doubt = useRef(initial.sent);

  const returnDraft = (draft: Draft, error: unknown): void => {
    const isBack = isBlank(read());
    if (isBack) write(draft);
    store.write(read());
    setFailure({ error, ...(!isBack && { draft }) });
  };
  const send = async (draft: Draft): Promise<void> => {
    const mark = arrival?.mark ?? 0;
    forget();
    store.beginSending(draft, mark);
    write(emptyDraft);
    setIsSending(true);
    setFailure(undefined);
    setLost([]);
    doubt.current = undefined;
    try {
      const blocks = toBlocks(draft, { ...(cwd !== undefined && { cwd }), capabilities });
      await onSend(blocks, (error) => {
        returnDraft(draft, error);
      });
    } catch (error) {
      returnDraft(draft, error);
      if (error instanceof HubError && error.code === 'lost') doubt.current = { text: draft.text, mark };
    }
    store.endSending();
    setIsSending(false);
  };
  // A prompt that was being sent when the connection or the page was closed may have arrived.
  useEffect(() => {
    if (doubt.current === undefined || arrival?.wasSent(doubt.current) !== true) return;
    const { text } = doubt.current;
    doubt.current = undefined;
    if (read().text.trim() !== text.trim()) return;
    write(emptyDraft);
    store.write(emptyDraft);
    setFailure(undefined);
  }, [arrival, read, store, write]);

  const dismiss = (): void => {
    setFailure(undefined);
  };
  return { isSending, failure, lost, send, dismiss };
}
