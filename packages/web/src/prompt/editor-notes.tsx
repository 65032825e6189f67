import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, type ReactElement } from 'react';
import type { MediaAttachment, Refusal } from '../attachment/attachment.ts';
import type { Attachments } from '../attachment/use-attachments.ts';
import type { Draft } from '../draft/draft.ts';
import { HubError } from '../hub/hub-error.ts';
import { useMedia } from '../parts/use-media.ts';
import { failureText } from '../shell/failure-text.ts';
import type { Texts } from '../text/en.ts';
import { useLanguage, useText } from '../text/language.tsx';
import type { SendFailure } from './use-draft-sending.ts';
import type { LateSending } from './use-late-sending.ts';
import { useSendKey } from './use-send-key.ts';

/** Props of {@link EditorNotes}. */
export interface EditorNotesProps {
  readonly id: string;
  readonly agentName: string;
  readonly attachments: Attachments;
  readonly late: LateSending;
  /** Attachments for which the agent is not made. */
  readonly notTaken: readonly MediaAttachment[];
  /** The names of attachments that could not be kept. */
  readonly lost: readonly string[];
  /** Files or commands are completed. */
  readonly completes: boolean;
  /** What may follow the command. */
  readonly hint: string | undefined;
  /** The text to show while sending. */
  readonly sending: string | undefined;
  readonly failure: SendFailure | undefined;
  readonly onPutBack: (draft: Draft) => void;
  readonly onDismiss: () => void;
}

/** The line below the box: an error, the current progress, or a hint about keys. */
export function EditorNotes(props: EditorNotesProps): ReactElement {
  const {
    id,
    agentName,
    attachments,
    late,
    notTaken,
    lost,
    completes,
    hint,
    sending,
    failure,
    onPutBack,
    onDismiss,
  } = props;
  const { prompt, shell } = useText();
  const { language } = useLanguage();
  const [sendKey] = useSendKey();
  const reasons = [
    ...attachments.refused.map(({ name, refusal }) =>
      prompt.refused(name, refusalText(refusal, { prompt, agentName, language })),
    ),
    ...notTaken.map(({ name, kind }) => prompt.refused(name, needText(needOf(kind), { prompt, agentName }))),
    ...(lost.length > 0 ? [prompt.lost(lost.join(', '))] : []),
  ];
  const draft = failure?.draft;
  const sendKeys = sendKey === 'enter' ? prompt.keysEnter : prompt.keysMod;
  const isTouch = useMedia('(pointer: coarse)');
  const keys = [...(isTouch ? [] : [sendKeys]), ...(completes ? [prompt.keysMore] : [])].join(' · ');
  const { reading } = attachments;
  const status = reading > 0 ? (late.isWaiting ? prompt.sentWhenRead : prompt.reading)(reading) : sending;
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On the page of a new session, the box may be the last thing in sight.
    if (failure !== undefined) alert.current?.scrollIntoView({ block: 'nearest' });
  }, [failure]);
  return (
    <div className="editor-notes">
      <div ref={alert} role="alert">
        {failure !== undefined && (
          <div className="editor-note-bad">
            <CircleAlert size={16} aria-hidden />
            <p>{sendFailureText(failure.error, { prompt, shell })}</p>
            {draft !== undefined && (
              <button
                type="button"
                className="button"
                onClick={() => {
                  onPutBack(draft);
                }}
              >
                {prompt.putBack}
              </button>
            )}
            <button type="button" className="button button-plain" onClick={onDismiss}>
              {prompt.dismiss}
            </button>
          </div>
        )}
        {reasons.map((reason) => (
          <div key={reason} className="editor-note-bad">
            <CircleAlert size={16} aria-hidden />
            <p>{reason}</p>
          </div>
        ))}
      </div>
      <output className={status === undefined ? 'visually-hidden' : 'editor-note-status soft small'}>
        {status}
      </output>
      {late.isWaiting && (
        <button
          type="button"
          className="button button-plain small editor-note-back"
          aria-keyshortcuts="Escape"
          onClick={late.takeBack}
        >
          {prompt.takeBack}
        </button>
      )}
      <p id={id} className="editor-note-keys soft small">
        {hint ?? keys}
      </p>
    </div>
  );
}

function sendFailureText(error: unknown, { prompt, shell }: Pick<Texts, 'prompt' | 'shell'>): string {
  // ACP v1, Error: -32000 is "authentication required"; the card to sign in is beside the conversation.
  if (error instanceof HubError && error.rpcCode === -32000) return prompt.notSentSignIn;
  return failureText(error, shell);
}

interface RefusalWords {
  readonly prompt: Texts['prompt'];
  readonly agentName: string;
}

function refusalText(refusal: Refusal, words: RefusalWords & { readonly language: string }): string {
  const { prompt, language } = words;
  switch (refusal.why) {
    case 'empty':
      return prompt.refusedEmpty;
    case 'unreadable':
      return prompt.refusedUnreadable;
    case 'too-many':
      return prompt.refusedTooMany(refusal.limit);
    case 'too-large':
      return prompt.refusedTooLarge(sizeText(refusal.limitBytes, language));
    case 'not-taken':
      return needText(refusal.needs, words);
  }
}

type Need = Extract<Refusal, { readonly why: 'not-taken' }>['needs'];

function needOf(kind: MediaAttachment['kind']): Need {
  return kind === 'binary' ? 'embeddedContext' : kind;
}

function needText(need: Need, { prompt, agentName }: RefusalWords): string {
  switch (need) {
    case 'image':
      return prompt.refusedImage(agentName);
    case 'audio':
      return prompt.refusedAudio(agentName);
    case 'embeddedContext':
      return prompt.refusedBinary(agentName);
  }
}

function sizeText(bytes: number, language: string): string {
  const megabytes = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 1,
  });
  return megabytes.format(bytes / 1_000_000);
}
