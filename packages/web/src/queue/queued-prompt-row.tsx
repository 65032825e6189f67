import type { QueuedPrompt } from '@parley/host/hub';
import { ArrowDown, ArrowUp, GripVertical, Pencil, SendHorizontal, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { QueuedText } from './queued-text.tsx';

/** A prompt that waits, and what can be done with it. */
export interface QueuedPromptRowProps {
  readonly queued: QueuedPrompt;
  /** From 1. */
  readonly place: number;
  readonly count: number;
  /** Whether the agent can accept it into the running turn. */
  readonly isSteered: boolean;
  readonly onSendNow: () => void;
  readonly onEdit: () => void;
  readonly onStep: (step: -1 | 1) => void;
  readonly onRemove: () => void;
}

/** A prompt that waits. */
export function QueuedPromptRow(props: QueuedPromptRowProps): ReactElement {
  const { queued, place, count, isSteered, onSendNow, onEdit, onStep, onRemove } = props;
  const { prompt } = useText();
  const name = prompt.queued(place);
  return (
    <>
      <GripVertical className="queued-grip" size={16} aria-hidden />
      <QueuedText queued={queued} />
      <div className="queued-actions">
        <button
          type="button"
          className="button button-plain button-icon"
          aria-label={`${prompt.sendNow}: ${name}`}
          aria-keyshortcuts="Alt+Enter"
          title={isSteered ? prompt.steerHelp : prompt.sendNowHelp}
          onClick={onSendNow}
        >
          <SendHorizontal size={14} aria-hidden />
        </button>
        <button
          type="button"
          className="button button-plain button-icon"
          aria-label={`${prompt.edit}: ${name}`}
          title={prompt.edit}
          data-button="edit"
          onClick={onEdit}
        >
          <Pencil size={14} aria-hidden />
        </button>
        <button
          type="button"
          className="button button-plain button-icon"
          aria-label={`${prompt.moveUp}: ${name}`}
          title={prompt.moveUp}
          data-button="-1"
          disabled={place === 1}
          onClick={() => {
            onStep(-1);
          }}
        >
          <ArrowUp size={14} aria-hidden />
        </button>
        <button
          type="button"
          className="button button-plain button-icon"
          aria-label={`${prompt.moveDown}: ${name}`}
          title={prompt.moveDown}
          data-button="1"
          disabled={place === count}
          onClick={() => {
            onStep(1);
          }}
        >
          <ArrowDown size={14} aria-hidden />
        </button>
        <button
          type="button"
          className="button button-plain button-icon"
          aria-label={`${prompt.drop}: ${name}`}
          title={prompt.drop}
          onClick={onRemove}
        >
          <X size={14} aria-hidden />
        </button>
      </div>
    </>
  );
}
