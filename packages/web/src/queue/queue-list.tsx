import type { HubSession, QueueChange, QueuedPrompt } from '@parley/host/hub';
import type { SessionState } from '@parley/host/state';
import { Play } from 'lucide-react';
import { use, useEffect, useRef, useState, type ReactElement } from 'react';
import { editableText, withEditedText } from '../draft/draft.ts';
import { OpenBoxContext } from '../prompt/open-box.ts';
import type { Texts } from '../text/en.ts';
import { useText } from '../text/language.tsx';
import { dropPlace, heldReason, stepPlace } from './queue-order.ts';
import { QueuedEdit } from './queued-edit.tsx';
import { QueuedPromptRow } from './queued-prompt-row.tsx';
import './queue-list.css';

/** A queue, and what it can be changed by. */
export interface QueueListProps {
  readonly session: Pick<HubSession, 'queue' | 'isQueueHeld'>;
  readonly view: Pick<SessionState, 'turns' | 'agent'>;
  /** @returns whether it was done */
  readonly onChange: (change: QueueChange) => Promise<boolean>;
  /** Takes a text that cannot be changed in the queue any more. */
  readonly onReturn: (text: string) => void;
}

interface Editing {
  readonly id: string;
  readonly text: string;
}

interface Focus {
  readonly id: string;
  /** The button of the row: to edit it, or to move it. */
  readonly button: 'edit' | -1 | 1;
  /** The place that the row gets first. */
  readonly to?: number;
}

/** The queued prompts, above the prompt box: they can be edited, moved, removed and resumed. */
export function QueueList({ session, view, onChange, onReturn }: QueueListProps): ReactElement | null {
  const { prompt } = useText();
  const { queue, isQueueHeld } = session;
  const list = useRef<HTMLOListElement>(null);
  const [editing, setEditing] = useState<Editing>();
  const [dragged, setDragged] = useState<number>();
  const [said, setSaid] = useState('');
  const focus = useRef<Focus>(undefined);
  const box = use(OpenBoxContext);
  // A row that was moved or edited has other buttons, and the focus may have been lost on the way.
  useEffect(() => {
    const wanted = focus.current;
    if (wanted === undefined || (wanted.to !== undefined && queue[wanted.to]?.id !== wanted.id)) return;
    focus.current = undefined;
    const row = list.current?.querySelector(`[data-id="${CSS.escape(wanted.id)}"]`);
    const buttons = [...(row?.querySelectorAll<HTMLButtonElement>('button[data-button]:enabled') ?? [])];
    (buttons.find(({ dataset }) => dataset['button'] === String(wanted.button)) ?? buttons.at(-1))?.focus();
  });
  const isEditedGone = editing !== undefined && !queue.some(({ id }) => id === editing.id);
  if (queue.length === 0 && !isEditedGone) return null;

  const move = async (id: string, to: number | undefined): Promise<void> => {
    if (to === undefined) return;
    if (await onChange({ kind: 'move', id, to })) setSaid(prompt.moved(to + 1, queue.length));
    else focus.current = undefined;
  };
  // A row that goes away takes the focus along. On a phone, the box would open the keyboard.
  const hasKeyFocus = (): boolean => (list.current?.querySelector(':focus-visible') ?? null) !== null;
  const sendNow = async (id: string): Promise<void> => {
    const hadFocus = hasKeyFocus();
    if (!(await onChange({ kind: 'send-now', id }))) return;
    setSaid(prompt.goesNext);
    if (hadFocus) box.current?.focus();
  };
  const save = async (queued: QueuedPrompt, text: string): Promise<void> => {
    const { id, blocks } = queued;
    const edited = withEditedText(blocks, text);
    const change: QueueChange =
      edited.length === 0 ? { kind: 'remove', id } : { kind: 'edit', id, blocks: edited };
    if (text.trim() === editableText(blocks).trim() || (await onChange(change))) endEdit(id);
  };
  const endEdit = (id: string): void => {
    focus.current = { id, button: 'edit' };
    setEditing(undefined);
  };

  return (
    <section className="queue" aria-label={prompt.queueTitle(queue.length)}>
      <header className="queue-head">
        <p>
          <strong>{prompt.queueTitle(queue.length)}</strong>{' '}
          <span className="soft small">
            {isQueueHeld === true ? heldText(view, prompt) : prompt.queueHelp}
          </span>
        </p>
        {isQueueHeld === true && (
          <button
            type="button"
            className="button"
            onClick={() => {
              void onChange({ kind: 'go-on' });
            }}
          >
            <Play size={14} aria-hidden />
            {prompt.goOn}
          </button>
        )}
      </header>
      <ol className="queue-list" ref={list}>
        {queue.map((queued, index) => (
          // What is dragged here is moved by buttons too.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={queued.id}
            data-id={queued.id}
            className={dragged === index ? 'queued queued-dragged' : 'queued'}
            aria-label={prompt.queued(index + 1)}
            draggable={editing === undefined}
            onDragStart={({ dataTransfer }) => {
              dataTransfer.effectAllowed = 'move';
              setDragged(index);
            }}
            onDragEnd={() => {
              setDragged(undefined);
            }}
            onDragOver={(event) => {
              if (dragged !== undefined) event.preventDefault();
            }}
            onDrop={(event) => {
              const moved = dragged === undefined ? undefined : queue[dragged];
              if (dragged === undefined || moved === undefined) return;
              event.preventDefault();
              const { top, height } = event.currentTarget.getBoundingClientRect();
              setDragged(undefined);
              void move(moved.id, dropPlace(dragged, index, event.clientY > top + height / 2));
            }}
          >
            {editing?.id === queued.id ? (
              <QueuedEdit
                place={index + 1}
                text={editing.text}
                onText={(text) => {
                  setEditing({ id: queued.id, text });
                }}
                onSave={() => {
                  void save(queued, editing.text);
                }}
                onCancel={() => {
                  endEdit(queued.id);
                }}
              />
            ) : (
              <QueuedPromptRow
                queued={queued}
                place={index + 1}
                count={queue.length}
                isSteered={view.agent?.steering === true}
                onSendNow={() => {
                  void sendNow(queued.id);
                }}
                onEdit={() => {
                  setEditing({ id: queued.id, text: editableText(queued.blocks) });
                }}
                onStep={(step) => {
                  const to = stepPlace(index, step, queue.length);
                  if (to !== undefined) focus.current = { id: queued.id, button: step, to };
                  void move(queued.id, to);
                }}
                onRemove={() => {
                  const next = queue[index + 1] ?? queue[index - 1];
                  const to = Math.min(index, queue.length - 2);
                  if (next !== undefined) focus.current = { id: next.id, button: 1, to };
                  else if (hasKeyFocus()) box.current?.focus();
                  void onChange({ kind: 'remove', id: queued.id });
                }}
              />
            )}
          </li>
        ))}
      </ol>
      {isEditedGone && (
        <div className="queued-gone" role="alert">
          <p>{prompt.gone}</p>
          <button
            type="button"
            className="button"
            onClick={() => {
              onReturn(editing.text);
              setEditing(undefined);
            }}
          >
            {prompt.intoBox}
          </button>
          <button
            type="button"
            className="button button-plain"
            onClick={() => {
              setEditing(undefined);
            }}
          >
            {prompt.dismiss}
          </button>
        </div>
      )}
      <output className="visually-hidden">{said}</output>
    </section>
  );
}

function heldText(view: Pick<SessionState, 'turns'>, prompt: Texts['prompt']): string {
  const reason = heldReason(view);
  switch (reason.why) {
    case 'cancelled':
      return prompt.queueHeldCancelled;
    case 'failed':
      return prompt.queueHeldFailed(reason.message);
    case 'interrupted':
      return prompt.queueHeldInterrupted;
  }
}
