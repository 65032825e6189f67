import { isWorking, tokensIn, type SessionState, type SubagentWork } from '@parley/host/state';
import { memo, useCallback, useMemo, type ReactElement } from 'react';
import { Virtualizer } from 'virtua';
import { Link } from 'wouter';
import { useLiveNow } from '../hub/use-hub.ts';
import { formatDuration } from '../parts/format-duration.ts';
import { Honest } from '../parts/honest.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useLanguage, useText } from '../text/language.tsx';
import { subagentHref } from './subagent-address.ts';
import { treeRows } from './tree-rows.ts';
import './subagent-tree.css';

/** What the tree of sub-agents shows. */
export interface SubagentTreeProps {
  readonly sessionKey: string;
  readonly view: SessionState;
  /** The sub-agent whose conversation is open. */
  readonly opened: string | undefined;
}

/** The sub-agents of a session as a tree. */
export function SubagentTree({ sessionKey, view, opened }: SubagentTreeProps): ReactElement {
  const { subagents: text } = useText();
  const { subagents } = view;
  const rows = useMemo(() => treeRows({ subagents }), [subagents]);
  const working = rows.filter(({ subagent }) => isWorking(subagent)).length;
  const data = useMemo(() => ({ length: rows.length }), [rows.length]);
  const row = useCallback(
    (_: unknown, index: number) => {
      const shown = rows[index];
      if (shown === undefined) return <></>;
      const { sessionId, title, description, work } = shown.subagent;
      return (
        <SubagentRow
          key={sessionId}
          href={subagentHref(sessionKey, sessionId)}
          name={title ?? sessionId}
          description={description}
          work={work}
          depth={shown.depth}
          isOpened={sessionId === opened}
        />
      );
    },
    [rows, sessionKey, opened],
  );
  return (
    <nav className="subagent-tree" aria-label={text.title}>
      <h2 className="subagent-tree-title small">
        {text.title} <span className="soft">{text.working(working, rows.length)}</span>
      </h2>
      <div className="subagent-tree-rows">
        <Virtualizer data={data}>{row}</Virtualizer>
      </div>
    </nav>
  );
}

interface SubagentRowProps {
  readonly href: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly work: SubagentWork;
  readonly depth: number;
  readonly isOpened: boolean;
}

/** One sub-agent. Its messages do not render its row again, so that a thousand sub-agents can run at once. */
const SubagentRow = memo(function SubagentRow({
  href,
  name,
  description,
  work,
  depth,
  isOpened,
}: SubagentRowProps): ReactElement {
  return (
    <Link
      href={href}
      className="subagent-row"
      style={{ paddingInlineStart: `${0.75 + Math.min(depth, 8)}rem` }}
      aria-current={isOpened ? 'page' : undefined}
    >
      <span className={`subagent-dot subagent-dot-${stateName(work)}`} aria-hidden />
      <span className="subagent-name">
        <Honest text={name} />
        {description !== undefined && (
          <span className="subagent-description soft small">
            <Honest text={description} />
          </span>
        )}
        <WorkLine work={work} />
      </span>
    </Link>
  );
});

/** The state of a sub-agent, how long it worked, since when it does not, and its usage. */
export function WorkLine({ work }: { readonly work: SubagentWork }): ReactElement {
  const { subagents: text } = useText();
  const names: Readonly<Record<string, string>> = text.states;
  const tokens = tokensIn(work.usage)?.totalTokens;
  return (
    <span className="subagent-work soft small">
      <span>{names[work.state] ?? work.state}</span>
      {work.stopReason !== undefined && work.stopReason !== 'end_turn' && (
        <span>
          <Honest text={work.error?.message ?? work.stopReason} />
        </span>
      )}
      <WorkTime work={work} />
      {tokens !== undefined && <span>{text.tokens(tokens)}</span>}
    </span>
  );
}

function WorkTime({ work }: { readonly work: SubagentWork }): ReactElement {
  const { language } = useLanguage();
  const { state, since, startedAt } = work;
  if (startedAt !== undefined && isWorking({ work })) return <Elapsed since={startedAt} />;
  return (
    <>
      {startedAt !== undefined && state === 'idle' && (
        <span>{formatDuration(since - startedAt, language)}</span>
      )}
      <RelativeTime time={since} />
    </>
  );
}

function Elapsed({ since }: { readonly since: number }): ReactElement {
  const { language } = useLanguage();
  const now = useLiveNow(1000);
  return <span>{formatDuration(Math.max(0, Math.round((now - since) / 1000)) * 1000, language)}</span>;
}

function stateName({ state }: SubagentWork): string {
  return state === 'running' || state === 'requires_action' || state === 'idle' ? state : 'unknown';
}
