import type { RememberOffer } from '@parley/workspace/rule';
import { useEffect, useId, useRef, useState, type ReactElement } from 'react';
import { useHub } from '../hub/use-hub.ts';
import { Honest } from '../parts/honest.tsx';
import { useText } from '../text/language.tsx';
import { ruleText } from './rule-text.ts';

type Scope = RememberOffer['scopes'][number];
type Decision = 'allow' | 'deny';

/** The remembered answers that a user can choose. */
export interface RememberPanelProps {
  readonly offer: RememberOffer;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onDecide: (decision: Decision, scope: Scope) => void;
}

/** The rules that an answer would make, and how long they would count. */
export function RememberPanel({ offer, isBusy, onClose, onDecide }: RememberPanelProps): ReactElement {
  const { inbox } = useText();
  const [decision, setDecision] = useState<Decision>('allow');
  const name = useId();
  const panel = useRef<HTMLFieldSetElement>(null);
  useEffect(() => panel.current?.querySelector('button')?.focus(), []);
  const { isAdmin } = useHub();
  // What counts beyond the session counts for the sessions of other tokens too.
  const scopes = offer.scopes.filter((scope) => isAdmin || scope === 'turn' || scope === 'session');
  const about = offer.about.map((rule) => ruleText(rule, inbox));
  return (
    // It takes the keys that its buttons show.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset
      ref={panel}
      className="question-panel"
      onKeyDown={(event) => {
        const { key, altKey, ctrlKey, metaKey, repeat } = event;
        if (key === 'Escape') {
          // It leaves the panel, and means no more than that.
          event.preventDefault();
          onClose();
        } else if (key === 'Tab' || key === 'Enter' || key === ' ' || altKey || ctrlKey || metaKey) return;
        else if (!repeat && !isBusy) {
          const scope = scopes[Number(key) - 1];
          if (scope !== undefined) onDecide(decision, scope);
        }
        event.stopPropagation();
      }}
    >
      <legend>{inbox.always}</legend>
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
      <p className="small">{inbox.ruleAbout(about.length)}</p>
      <ul className="remember-rules">
        {about.map((rule) => (
          <li key={rule}>
            <strong>{inbox.decisions[decision]}</strong> <Honest text={rule} />
          </li>
        ))}
      </ul>
      <div className="question-panel-row">
        {scopes.map((scope, index) => (
          <button
            key={scope}
            type="button"
            className={`button permission-action ${decision === 'deny' ? 'button-danger' : ''}`}
            aria-disabled={isBusy}
            aria-keyshortcuts={String(index + 1)}
            title={inbox.scopeHelp[scope]}
            onClick={() => onDecide(decision, scope)}
          >
            {inbox.decisionFor(decision, scope)} <kbd aria-hidden>{index + 1}</kbd>
          </button>
        ))}
        <button type="button" className="button button-plain permission-action" onClick={onClose}>
          {inbox.back} <kbd aria-hidden>Esc</kbd>
        </button>
      </div>
      <p className="soft small">{inbox.rememberHelp}</p>
    </fieldset>
  );
}
