import type { PlanEntry } from '@parley/acp';
import {
  ChevronRight,
  Circle,
  CircleCheck,
  CircleDot,
  CircleHelp,
  ListChecks,
  type LucideIcon,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { useKept } from '../../parts/use-kept.ts';
import { useText } from '../../text/language.tsx';

/** The agent's plan, with finished and current entries. */
export function Plan({ entries }: { readonly entries: readonly PlanEntry[] }): ReactElement {
  const { conversation: text } = useText();
  const [kept, keep] = useKept('parley-plan');
  const isOpen = kept === 'open';
  const done = entries.filter(({ status }) => status === 'completed').length;
  const current =
    entries.find(({ status }) => status === 'in_progress') ??
    entries.find(({ status }) => status !== 'completed');
  return (
    <section className="plan" aria-label={text.plan}>
      <button
        type="button"
        className="fold-head small"
        aria-expanded={isOpen}
        onClick={() => {
          keep(isOpen ? 'closed' : 'open');
        }}
      >
        <ChevronRight className="fold-mark" size={14} aria-hidden />
        <ListChecks size={14} aria-hidden />
        <strong>{text.plan}</strong>
        <span className="plan-count soft">
          {done === entries.length ? text.planDone(done) : text.planProgress(done, entries.length)}
        </span>
        {!isOpen && current !== undefined && <span className="plan-current">{current.content}</span>}
        <progress className="plan-bar" value={done} max={entries.length} aria-label={text.plan} />
      </button>
      {isOpen && (
        <ol className="plan-steps small">
          {entries.map((entry, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <Step key={index} entry={entry} isCurrent={entry === current && entry.status === 'in_progress'} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Step({
  entry,
  isCurrent,
}: {
  readonly entry: PlanEntry;
  readonly isCurrent: boolean;
}): ReactElement {
  const { conversation: text } = useText();
  const Icon = icons[entry.status];
  return (
    <li className={`plan-step plan-step-${entry.status}`} aria-current={isCurrent ? 'step' : undefined}>
      <Icon size={14} aria-hidden />
      <span className="visually-hidden">{text.stepStates[entry.status]}: </span>
      <span>{entry.content}</span>
    </li>
  );
}

const icons: Readonly<Record<PlanEntry['status'], LucideIcon>> = {
  pending: Circle,
  in_progress: CircleDot,
  completed: CircleCheck,
  unknown: CircleHelp,
};
