import type { AvailableCommand, ContentBlock, PromptCapabilities } from '@parley/acp';
import { ArrowUp, Paperclip } from 'lucide-react';
import {
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
  type Ref,
} from 'react';
import { useText } from '../text/language.tsx';
import { AttachmentChips } from './attachment-chips.tsx';
import { isLongPaste, notTaken } from './attachment.ts';
import { CompletionList, entryId } from './completion-list.tsx';
import { emptyDraft, isBlank, joinDrafts, toBlocks, type Draft } from './draft.ts';
import { EditorNotes, type SendFailure } from './editor-notes.tsx';
import { insertText, isOnFirstRow, isOnLastRow } from './field-text.ts';
import { newer, older, type HistoryPlace } from './prompt-history.ts';
import { isSendKey, readSendKey } from './send-key.ts';
import { commandOf, triggerAt, type Trigger } from './trigger.ts';
import { useAttachments } from './use-attachments.ts';
import { useCompletion, type FindFiles } from './use-completion.ts';
import { useDraft } from './use-draft.ts';
import { useFileDrop } from './use-file-drop.ts';
import './prompt-editor.css';

/** What can be done with a box from outside. */
export interface PromptEditorHandle {
  readonly focus: () => void;
  readonly isEmpty: () => boolean;
  /** Writes a text behind what is there. */
  readonly append: (text: string) => void;
  /** Takes away what turned out to have been sent. */
  readonly forget: (text: string) => void;
}

/** A box that prompts are written in. */
export interface PromptEditorProps {
  /** What the draft is kept under. */
  readonly draftName: string;
  /** The folder of the session, which mentioned files are below. */
  readonly cwd?: string | undefined;
  /** Called as in "Gemini takes no images". */
  readonly agentName?: string | undefined;
  readonly capabilities?: PromptCapabilities | undefined;
  readonly commands?: readonly AvailableCommand[];
  /** Without it, nothing is completed behind an `@`. */
  readonly findFiles?: FindFiles;
  /** Prompts that were sent before, the newest first. */
  readonly history?: () => readonly string[];
  /** Settles when the prompt has arrived; when it rejects, what was written is back in the box. */
  readonly onSend: (blocks: readonly ContentBlock[]) => Promise<void>;
  /** What the button says. @default that it sends */
  readonly sendLabel?: string;
  readonly placeholder?: string;
  /** What is said while something is being sent. */
  readonly sendingLabel?: string;
  /** Settings, in the row below. */
  readonly children?: ReactNode;
  /** Beside the button that sends. */
  readonly actions?: ReactNode;
  readonly ref?: Ref<PromptEditorHandle>;
}

const noCommands: readonly AvailableCommand[] = [];
const noCapabilities: PromptCapabilities = {};

/** Where a prompt is written, with files, commands and attachments. */
export function PromptEditor(props: PromptEditorProps): ReactElement {
  const { draftName, cwd, agentName, capabilities = noCapabilities, commands = noCommands } = props;
  const { findFiles, history, onSend, children, actions, ref } = props;
  const { prompt } = useText();
  const listId = useId();
  const notesId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useRef<readonly string[]>([]);
  const place = useRef<HistoryPlace>(undefined);
  const [isEmpty, setIsEmpty] = useState(true);
  const [trigger, setTrigger] = useState<Trigger>();
  const [active, setActive] = useState(0);
  const [command, setCommand] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<SendFailure>();
  const draftOf = useCallback(
    (): Draft => ({
      text: field.current?.value ?? '',
      files: files.current,
      attachments: attachmentsNow.current(),
    }),
    [],
  );
  const { store, initial, keepSoon, forget } = useDraft(draftName, draftOf);
  const [lost, setLost] = useState(initial.lost);
  const attachments = useAttachments(initial.draft.attachments, { capabilities, onChange: keepSoon });
  const attachmentsNow = useRef(attachments.current);
  const completion = useCompletion(trigger, { commands, findFiles });
  const isDropping = useFileDrop(attachments.addFiles);

  const look = useCallback(() => {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
    setIsEmpty(value.length < 1000 && value.trim() === '');
    setTrigger(selectionStart === selectionEnd ? triggerAt(value, selectionStart) : undefined);
    setActive(0);
    const { name, hasInput = false } = commandOf(value) ?? {};
    setCommand(hasInput ? undefined : name);
    if (field.current !== null) growToText(field.current);
  }, []);

  const write = useCallback(
    (draft: Draft) => {
      if (field.current !== null) field.current.value = draft.text;
      files.current = draft.files;
      attachments.replace(draft.attachments);
      look();
      setTrigger(undefined);
    },
    [attachments.replace, look],
  );

  // What was being written when the page was left.
  useEffect(() => {
    if (field.current !== null) field.current.value = initial.draft.text;
    files.current = initial.draft.files;
    look();
    setTrigger(undefined);
  }, [initial, look]);

  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    isEmpty: () => isBlank(draftOf()),
    append: (text) => {
      write(joinDrafts(draftOf(), { ...emptyDraft, text }));
      keepSoon();
      field.current?.focus();
    },
    forget: (text) => {
      if (draftOf().text.trim() !== text.trim()) return;
      write(emptyDraft);
      setFailure(undefined);
    },
  }));

  const send = async (): Promise<void> => {
    const draft = draftOf();
    if (isBlank(draft) || isSending || attachments.reading > 0) return;
    if (notTaken(draft.attachments, capabilities).length > 0) return;
    forget();
    store.beginSending(draft);
    write(emptyDraft);
    forget();
    setIsSending(true);
    setFailure(undefined);
    setLost([]);
    place.current = undefined;
    try {
      await onSend(toBlocks(draft, { ...(cwd !== undefined && { cwd }), capabilities }));
    } catch (error) {
      const isBack = isBlank(draftOf());
      if (isBack) write(draft);
      setFailure({ error, ...(!isBack && { draft }) });
    }
    store.endSending();
    store.write(draftOf());
    setIsSending(false);
  };

  const pick = (index: number): void => {
    const entry = completion?.entries[index];
    if (field.current === null || completion === undefined || entry === undefined) return;
    const { kind, from, to } = completion.trigger;
    const space = /^\s/u.test(field.current.value.slice(to)) ? '' : ' ';
    if (kind === 'file') files.current = [...new Set([...files.current, entry.value])];
    insertText(field.current, `${kind === 'file' ? '@' : '/'}${entry.value}${space}`, from, to);
    look();
    setTrigger(undefined);
  };

  /** @returns whether the key was for the list */
  const steerList = (key: string): boolean => {
    const count = completion?.entries.length ?? 0;
    if (completion === undefined) return false;
    if (key === 'Escape') setTrigger(undefined);
    else if (count === 0) return false;
    else if (key === 'ArrowDown') setActive((active + 1) % count);
    else if (key === 'ArrowUp') setActive((active + count - 1) % count);
    else if (key === 'Enter' || key === 'Tab') pick(active);
    else return false;
    return true;
  };

  /** @returns whether another prompt is shown */
  const recall = (key: string): boolean => {
    if (field.current === null || history === undefined) return false;
    if (key === 'ArrowUp' && isOnFirstRow(field.current)) {
      const next = older(place.current, field.current.value, history);
      if (next === undefined) return false;
      place.current = next;
      replaceText(field.current, next.entries[next.index] ?? '', 0);
    } else if (key === 'ArrowDown' && place.current !== undefined && isOnLastRow(field.current)) {
      const next = newer(place.current);
      place.current = next.place;
      replaceText(field.current, next.text, next.text.length);
    } else return false;
    look();
    setTrigger(undefined);
    return true;
  };

  const refusedNow = notTaken(attachments.all, capabilities);
  const canSend = (!isEmpty || attachments.all.length > 0) && refusedNow.length === 0;
  const hint = commands.find(({ name }) => name === command)?.input?.hint;
  const isOpen = completion !== undefined && completion.entries.length > 0;
  return (
    <form
      className={isDropping ? 'prompt-editor prompt-editor-dropping' : 'prompt-editor'}
      aria-label={prompt.title}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {completion !== undefined && (
        <CompletionList id={listId} completion={completion} active={active} onPick={pick} />
      )}
      <div className="prompt-editor-box">
        <AttachmentChips
          attachments={attachments}
          onInsert={(text) => {
            if (field.current !== null) {
              insertText(field.current, text, field.current.selectionStart, field.current.selectionEnd);
            }
          }}
          onEmpty={() => field.current?.focus()}
        />
        <textarea
          ref={field}
          className="prompt-editor-field"
          rows={1}
          aria-label={prompt.title}
          aria-describedby={notesId}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen ? entryId(listId, active) : undefined}
          placeholder={props.placeholder ?? prompt.placeholder}
          enterKeyHint="enter"
          onInput={() => {
            look();
            keepSoon();
          }}
          onSelect={look}
          onBlur={() => {
            setTrigger(undefined);
          }}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text/plain');
            if (text !== '' && !isLongPaste(text)) return;
            const pasted = [...event.clipboardData.files];
            if (text === '' && pasted.length === 0) return;
            event.preventDefault();
            if (text === '') void attachments.addFiles(pasted);
            else attachments.addPaste(text.replaceAll('\r\n', '\n'));
          }}
          onKeyDown={(event) => {
            const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
            if (isComposing) return;
            const hasModifier = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
            const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
            if (!hasModifier && (steerList(key) || recall(key))) event.preventDefault();
            else if (isSendKey({ key, shiftKey, altKey, ctrlKey, metaKey, isComposing }, readSendKey())) {
              event.preventDefault();
              void send();
            }
          }}
        />
        <div className="prompt-editor-bar">
          <AttachButton onFiles={attachments.addFiles} />
          <div className="prompt-editor-settings">{children}</div>
          <div className="prompt-editor-actions">
            {actions}
            <button className="button button-primary prompt-editor-send" disabled={!canSend || isSending}>
              <ArrowUp size={16} aria-hidden />
              {props.sendLabel ?? prompt.send}
            </button>
          </div>
        </div>
        {isDropping && <p className="prompt-editor-drop">{prompt.dropHere}</p>}
      </div>
      <EditorNotes
        id={notesId}
        agentName={agentName ?? prompt.thisAgent}
        attachments={attachments}
        notTaken={refusedNow}
        lost={lost}
        hint={command !== undefined && hint !== undefined ? prompt.hint(command, hint) : undefined}
        sending={isSending ? (props.sendingLabel ?? prompt.sending) : undefined}
        failure={failure}
        onPutBack={(draft) => {
          write(joinDrafts(draft, draftOf()));
          keepSoon();
          setFailure(undefined);
          field.current?.focus();
        }}
        onDismiss={() => {
          setFailure(undefined);
          field.current?.focus();
        }}
      />
    </form>
  );
}

function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => Promise<void> }): ReactElement {
  const { prompt } = useText();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="button button-plain prompt-editor-attach"
        aria-label={prompt.attach}
        title={prompt.attach}
        onClick={() => input.current?.click()}
      >
        <Paperclip size={16} aria-hidden />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={prompt.attach}
        onChange={({ currentTarget }) => {
          void onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

function replaceText(field: HTMLTextAreaElement, text: string, caret: number): void {
  insertText(field, text, 0, field.value.length);
  field.setSelectionRange(caret, caret);
}

/** As high as its text, up to what its style allows; where the browser does not do that itself. */
function growToText(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  field.style.height = 'auto';
  field.style.height = `${String(field.scrollHeight)}px`;
}
