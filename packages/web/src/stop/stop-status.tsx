import { Check, CircleDashed, LoaderCircle } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Texts } from '../text/en.ts';
import { useText } from '../text/language.tsx';
import { stopSteps, type StopStep } from './stop.ts';
import './stop-status.css';

/** How far stopping is. */
export interface StopStatusProps {
  readonly step: StopStep;
  /** Escape was pressed once. */
  readonly isArmed: boolean;
}

/** Shown while a turn is being stopped: the last step, and the next one. */
export function StopStatus({ step, isArmed }: StopStatusProps): ReactElement {
  const { prompt } = useText();
  return (
    // An output holds no list.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="status" className="stop-status">
      {step !== 'none' && step !== 'running' && (
        <div className="stop-steps">
          <ol aria-label={prompt.stopping}>
            {stopSteps.map((each, index) => {
              const at = stopSteps.indexOf(step);
              if (index > at && each !== stopSteps[at + 1]) return null;
              return (
                <li key={each} className={index > at ? 'stop-step soft' : 'stop-step'}>
                  <StepIcon isDone={index < at || step === 'agent-ended'} isNext={index > at} />
                  {index > at ? nextText(step, prompt) : stepText(each, prompt)}
                </li>
              );
            })}
            {step === 'agent-ended' && (
              <li className="stop-step soft">
                <StepIcon isDone={false} isNext />
                {prompt.stopNextAgentEnded}
              </li>
            )}
          </ol>
        </div>
      )}
      {isArmed && (
        <p className="stop-armed small">{step === 'running' ? prompt.escapeAgain : prompt.escapeAgainNow}</p>
      )}
    </div>
  );
}

function StepIcon({ isDone, isNext }: { readonly isDone: boolean; readonly isNext: boolean }): ReactElement {
  if (isNext) return <CircleDashed size={14} aria-hidden />;
  return isDone ? (
    <Check size={14} aria-hidden />
  ) : (
    <LoaderCircle className="stop-turning" size={14} aria-hidden />
  );
}

type PromptTexts = Texts['prompt'];

function stepText(step: (typeof stopSteps)[number], prompt: PromptTexts): string {
  switch (step) {
    case 'asked':
      return prompt.stopAsked;
    case 'request-cancelled':
      return prompt.stopRequestCancelled;
    case 'agent-ended':
      return prompt.stopAgentEnded;
  }
}

function nextText(step: 'asked' | 'request-cancelled' | 'agent-ended', prompt: PromptTexts): string {
  switch (step) {
    case 'asked':
      return prompt.stopNextAsked;
    case 'request-cancelled':
      return prompt.stopNextRequestCancelled;
    case 'agent-ended':
      return prompt.stopNextAgentEnded;
  }
}
