import { hubMethods, type AnswersResult, type ListedAnswer } from '@parley/host/hub';
import { ShieldCheck, ShieldX } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactElement } from 'react';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { Honest } from '../parts/honest.tsx';
import { useNotices } from '../parts/notices.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import { ruleText } from './rule-text.ts';
import './permissions-page.css';

/** Remembered answers, and how to revoke them. */
export function PermissionsPage(): ReactElement {
  const { inbox, shell } = useText();
  const client = useHubClient();
  const { attempt } = useNotices();
  const [entries, setEntries] = useState<readonly ListedAnswer[]>();
  const [error, setError] = useState<unknown>();
  const heading = useRef<HTMLHeadingElement>(null);
  const load = useCallback((): void => {
    client.ask<AnswersResult>(hubMethods.answers, {}).then(({ answers: found }) => {
      setEntries(found);
      setError(undefined);
    }, setError);
  }, [client]);
  useEffect(load, [load]);
  const revoke = async (id: string): Promise<void> => {
    if (!(await attempt(client.ask(hubMethods.revoke, { id })))) return;
    load();
    heading.current?.focus();
  };
  return (
    <section className="page permissions">
      <h1 ref={heading} tabIndex={-1}>
        {inbox.permissions}
      </h1>
      <p className="soft">{inbox.permissionsHelp}</p>
      {error !== undefined && (
        <p className="question-error" role="alert">
          {failureText(error, shell)}
          <button type="button" className="button" onClick={load}>
            {inbox.tryAgain}
          </button>
        </p>
      )}
      {entries === undefined && error === undefined && <p className="soft">{shell.loading}</p>}
      {entries?.length === 0 && <p className="permissions-none">{inbox.nothingRemembered}</p>}
      {entries !== undefined && entries.length > 0 && (
        <ul className="permissions-list">
          {entries.map((entry) => (
            <li key={entry.id}>
              <Entry entry={entry} onRevoke={() => void revoke(entry.id)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Entry({
  entry: { decision, scope, about, rule, project, time },
  onRevoke,
}: {
  readonly entry: ListedAnswer;
  readonly onRevoke: () => void;
}): ReactElement {
  const { inbox } = useText();
  const { isAdmin } = useHub();
  const words = rule === undefined ? about : ruleText(rule, inbox);
  return (
    <div className="permissions-entry">
      <span className={`permissions-${decision}`}>
        {decision === 'allow' ? <ShieldCheck size={18} aria-hidden /> : <ShieldX size={18} aria-hidden />}
        <strong>{inbox.decisionFor(decision, scope)}</strong>
      </span>
      <span className="permissions-rule">
        <Honest text={words} />
      </span>
      <span className="soft small">
        {project !== undefined && (
          <>
            <Honest text={project} /> ·{' '}
          </>
        )}
        <RelativeTime time={time} />
      </span>
      {isAdmin && (
        <button
          type="button"
          className="button button-danger permission-action"
          aria-label={inbox.revokeOf(words)}
          onClick={onRevoke}
        >
          {inbox.revoke}
        </button>
      )}
    </div>
  );
}
