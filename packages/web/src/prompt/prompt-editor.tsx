import type { AvailableCommand, PromptCapabilities } from '@parley/acp';
import { ArrowUp } from 'lucide-react';
import {
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
} from 'react';
import { AttachButton } from '../attachment/attach-button.tsx';
import { AttachmentChips } from '../attachment/attachment-chips.tsx';
import { isLongPaste, notTaken } from '../attachment/attachment.ts';
import { useAttachments } from '../attachment/use-attachments.ts';
import { useFileDrop } from '../attachment/use-file-drop.ts';
import { CompletionList, entryId } from '../completion/completion-list.tsx';
import { useCompletionChoice } from '../completion/use-completion-choice.ts';
import type { FindFiles } from '../completion/use-completion.ts';
import { emptyDraft, isBlank, joinDrafts, type Draft } from '../draft/draft.ts';
import { useDraftStore, useKeepDraft } from '../draft/use-draft.ts';
import { useText } from '../text/language.tsx';
import { EditorNotes } from './editor-notes.tsx';
import { isSendKey, toPressedKey } from './send-key.ts';
import { useDraftSending, type Arrival, type DraftSendingOptions } from './use-draft-sending.ts';
import { useLateSending } from './use-late-sending.ts';
import { useRecall } from './use-recall.ts';
import { useSendKey } from './use-send-key.ts';
import { useWritten } from './use-written.ts';
import './prompt-editor.css';

/** What can be done with a box from outside. */
export interface PromptEditorHandle {
  readonly focus: () => void;
  /** Appends a text. */
  readonly append: (text: string) => void;
}

/** A box that prompts are written in. */
export interface PromptEditorProps {
  /** The name of the stored draft. */
  readonly draftName: string;
  /** The folder of the session, which mentioned files are below. */
  readonly cwd?: string | undefined;
  /** Called as in "Gemini takes no images". */
  readonly agentName?: string | undefined;
  /** What the agent takes; undefined until that is known. */
  readonly capabilities?: PromptCapabilities | undefined;
  readonly commands?: readonly AvailableCommand[];
  /** Completes files after an `@`. @default no completion */
  readonly findFiles?: FindFiles;
  /** Prompts that were sent before, the newest first. */
  readonly history?: () => readonly string[];
  readonly onSend: DraftSendingOptions['onSend'];
  /** Detects prompts that arrived although their response was lost. */
  readonly arrival?: Arrival;
  /** The label of the button. @default that for sending */
  readonly sendLabel?: string;
  readonly placeholder?: string;
  /** The text to show while sending. */
  readonly sendingLabel?: string;
  /** Settings, in the row below. */
  readonly children?: ReactNode;
  /** Beside the button that sends. */
  readonly actions?: ReactNode;
  readonly ref?: Ref<PromptEditorHandle>;
}

const noCommands: readonly AvailableCommand[] = [];
/** Before an agent has started, its capabilities are unknown: nothing is refused for their sake. */
const unknownCapabilities: PromptCapabilities = { image: true, audio: true, embeddedContext: true };
/** What every agent takes: ACP v1, Prompt Turn, Prompt Capabilities. */
const baseline: PromptCapabilities = {};

/** Where a prompt is written, with files, commands and attachments. */
export function PromptEditor(props: PromptEditorProps): ReactElement {
  const { draftName, cwd, agentName, capabilities = unknownCapabilities, commands = noCommands } = props;
  const { findFiles, history, onSend, arrival, children, actions, ref } = props;
  const { prompt } = useText();
  const [sendKey] = useSendKey();
  const listId = useId();
  const notesId = useId();
  const { store, initial } = useDraftStore(draftName);
  const written = useWritten(initial.draft);
  const { field, hand, isEmpty, command } = written;
  const attachments = useAttachments(initial.draft.attachments, capabilities);
  const { replace, current: attached } = attachments;
  const draftOf = useCallback((): Draft => ({ ...hand.read(), attachments: attached() }), [hand, attached]);
  const { keepSoon, forget } = useKeepDraft(store, draftOf);
  const { completion, active, ...choice } = useCompletionChoice(written, { commands, findFiles });
  const recall = useRecall(written, history);
  const isDropping = useFileDrop(attachments.addFiles);

  useEffect(() => {
    if (attachments.all !== initial.draft.attachments) keepSoon();
  }, [attachments.all, initial, keepSoon]);

  const write = useCallback(
    (draft: Draft) => {
      hand.write(draft);
      replace(draft.attachments);
    },
    [hand, replace],
  );

  const sending = useDraftSending(
    { read: draftOf, write, forget },
    { store, initial, arrival, cwd, capabilities: props.capabilities ?? baseline, onSend },
  );

  useImperativeHandle(ref, () => ({
    focus: hand.focus,
    append: (text) => {
      write(joinDrafts(draftOf(), { ...emptyDraft, text }));
      keepSoon();
      hand.focus();
    },
  }));

  const refusedNow = notTaken(attachments.all, capabilities);
  const canSend = !sending.isSending && refusedNow.length === 0;
  const late = useLateSending(attachments, () => {
    const draft = draftOf();
    if (!canSend || isBlank(draft)) return;
    recall.end();
    void sending.send(draft);
  });

  const pressKey = (event: KeyboardEvent): void => {
    const pressed = toPressedKey(event.nativeEvent);
    const { key, isComposing, shiftKey, altKey, ctrlKey, metaKey } = pressed;
    const isBare = !(isComposing || shiftKey || altKey || ctrlKey || metaKey);
    if (isBare && (choice.steer(key) || recall.steer(key))) event.preventDefault();
    else if (key === 'Escape' && late.isWaiting) {
      event.preventDefault();
      late.takeBack();
    } else if (isSendKey(pressed, sendKey)) {
      event.preventDefault();
      late.send();
    }
  };

  const isNothing = isEmpty && attachments.all.length === 0 && attachments.reading === 0;
  const hint = commands.find(({ name }) => name === command)?.input?.hint;
  const isOpen = completion !== undefined && completion.entries.length > 0;
  return (
    <form
      className="prompt-editor"
      aria-label={prompt.title}
      onSubmit={(event) => {
        event.preventDefault();
        late.send();
      }}
    >
      {completion !== undefined && (
        <CompletionList id={listId} completion={completion} active={active} onPick={choice.pick} />
      )}
      <div className="prompt-editor-box">
        <AttachmentChips attachments={attachments} onInsert={hand.insert} onRemoved={hand.focus} />
        <textarea
          ref={field}
          className="prompt-editor-field"
          rows={1}
          dir="auto"
          defaultValue={initial.draft.text}
          aria-label={prompt.title}
          aria-describedby={notesId}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen ? entryId(listId, active) : undefined}
          placeholder={props.placeholder ?? prompt.placeholder}
          onInput={() => {
            hand.look();
            late.takeBack();
            choice.restart();
            keepSoon();
          }}
          onSelect={hand.look}
          onBlur={hand.endTrigger}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text/plain');
            const files = [...event.clipboardData.files];
            if (text === '' ? files.length === 0 : !isLongPaste(text)) return;
            event.preventDefault();
            if (text === '') void attachments.addFiles(files);
            else attachments.addPaste(text.replaceAll('\r\n', '\n'));
          }}
          onKeyDown={pressKey}
        />
        <div className="prompt-editor-bar">
          <AttachButton onFiles={attachments.addFiles} />
          <div className="prompt-editor-settings">{children}</div>
          <div className="prompt-editor-actions">
            {actions}
            <button
              className="button button-primary prompt-editor-send"
              disabled={!canSend || late.isWaiting || isNothing}
            >
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
        late={late}
        notTaken={refusedNow}
        lost={sending.lost}
        completes={findFiles !== undefined || commands.length > 0}
        hint={command !== undefined && hint !== undefined ? prompt.hint(command, hint) : undefined}
        sending={sending.isSending ? (props.sendingLabel ?? prompt.sending) : undefined}
        failure={sending.failure}
        onPutBack={(draft) => {
          write(joinDrafts(draft, draftOf()));
          keepSoon();
          sending.dismiss();
          hand.focus();
        }}
        onDismiss={() => {
          sending.dismiss();
          hand.focus();
        }}
      />
    </form>
  );
}
