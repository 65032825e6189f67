import type { ReactElement } from 'react';
import { ActivityLine, type ActivityLineProps } from './activity-line.tsx';
import { Plan } from './plan.tsx';
import { Usage } from './usage.tsx';
import './session-progress.css';

/** What the session is at, between the conversation and the prompt box: the plan, the running turn, the usage. */
export function SessionProgress({ view, isApplication }: ActivityLineProps): ReactElement | null {
  const { plan = [], usage, turns } = view;
  const hasUsage = usage.context !== undefined || usage.cost !== undefined || usage.tokens !== undefined;
  if (plan.length === 0 && !hasUsage && turns.length === 0) return null;
  return (
    <div className="session-progress">
      {plan.length > 0 && <Plan entries={plan} />}
      <div className="session-progress-line small">
        <ActivityLine view={view} isApplication={isApplication} />
        {turns.length > 0 && <Usage usage={usage} />}
      </div>
    </div>
  );
}
