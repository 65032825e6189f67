import type { PermissionOption } from '@parley/acp';
import type { LastingChoices } from '@parley/host/state';
import type { AnswerScope } from '@parley/workspace/rule';
import { useEffect, useId, useRef, useState, type ReactElement } from 'react';
import { useHub } from '../hub/use-hub.ts';
import { Honest } from '../parts/honest.tsx';
import { useText } from '../text/language.tsx';
import { OptionLabel } from './option-label.tsx';
import { ruleText } from './rule-text.ts';

type Decision = 'allow' | 'deny';

/** The decisions that can be saved. */
export interface AlwaysPanelProps {
  readonly choices: LastingChoices;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onDecide: (decision: Decision, scope: AnswerScope) => void;
  readonly onChoose: (option: PermissionOption) => void;
}

/** The lasting answers: those that Parley can save, with their duration, and those that the agent remembers itself. */
export function AlwaysPanel(props: AlwaysPanelProps): ReactElement {
  const { choices, isBusy, onClose, onDecide, onChoose } = props;
  const { inbox } = useText();
  const [decision, setDecision] = useState<Decision>('allow');
  const name = useId();
  const panel = useRef<HTMLFieldSetElement>(null);
  useEffect(() => panel.current?.querySelector('button')?.focus(), []);
  const { isAdmin } = useHub();
  // Beyond a session, a decision applies to the sessions of other tokens too.
  const scopes = choices.scopes.filter((scope) => isAdmin || scope === 'session');
  const about = choices.about.map((rule) => ruleText(rule, inbox));
  return (
    // Escape closes it, from each of its fields.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset
      ref={panel}
      className="question-panel"
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <legend>{inbox.always}</legend>
      {scopes.length > 0 && (
        <>
          <div className="question-panel-row" role="radiogroup" aria-label={inbox.decision}>
            {(['allow', 'deny'] as const).map((value) => (
              <label key={value} className="question-radio">
                <input
                  type="radio"
                  name={name}
                  value={value}
                  checked={decision === value}
                  onChange={() => setDecision(value)}
                />
                {decision === value ? <strong>{inbox.decisions[value]}</strong> : inbox.decisions[value]}
              </label>
            ))}
          </div>
          <ul className="remember-rules">
            {about.map((rule) => (
              <li key={rule}>
                <Honest text={rule} />
              </li>
            ))}
          </ul>
          <div className="question-panel-row">
            {scopes.map((scope) => (
              <button
                key={scope}
                type="button"
                className={`button permission-action ${decision === 'deny' ? 'button-danger' : ''}`}
                aria-disabled={isBusy}
                title={inbox.scopeHelp[scope]}
                onClick={() => onDecide(decision, scope)}
              >
                {inbox.decisionFor(decision, scope)}
              </button>
            ))}
          </div>
          <p className="soft small">{inbox.rememberHelp}</p>
        </>
      )}
      {choices.agentOptions.length > 0 && (
        <>
          <h3 className="small">{inbox.byAgent}</h3>
          <div className="question-panel-row">
            {choices.agentOptions.map((option, index) => (
              <button
                // Agents may give two options the same id.
                // oxlint-disable-next-line react/no-array-index-key
                key={index}
                type="button"
                className={`button permission-action ${option.kind === 'reject_always' ? 'button-danger' : ''}`}
                aria-disabled={isBusy}
                onClick={() => onChoose(option)}
              >
                <OptionLabel option={option} />
              </button>
            ))}
          </div>
          <p className="soft small">{inbox.byAgentHelp}</p>
        </>
      )}
      <div className="question-panel-row">
        <button type="button" className="button button-plain permission-action" onClick={onClose}>
          {inbox.back} <kbd aria-hidden>Esc</kbd>
        </button>
      </div>
    </fieldset>
  );
}
