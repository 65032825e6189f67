import type { ChangesDiff } from '@parley/host/hub';
import { useEffect, useMemo, useState, type ReactElement } from 'react';
import { ChangesList } from '../changes/changes-list.tsx';
import { PanelContext, type PanelActions } from '../changes/panel-context.ts';
import { toRows } from '../changes/rows/changes-rows.ts';
import { useHubClient } from '../hub/use-hub.ts';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import { askWorktrees } from './worktree-requests.ts';
import '../conversation/diff/diff.css';
import '../changes/changes-panel.css';
import '../changes/rows/changes-row.css';

/** What a runner changed, by hunk, as the Changes panel shows it; to be read only. */
export function RunnerDiff({
  sessionKey,
  name,
  version,
}: {
  readonly sessionKey: string;
  readonly name: string;
  /** When this changes, the diff is loaded again. */
  readonly version: string;
}): ReactElement {
  const { worktrees: text, shell } = useText();
  const client = useHubClient();
  const [answer, setAnswer] = useState<{ readonly diff: ChangesDiff } | { readonly error: unknown }>();
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  useEffect(() => {
    let isWanted = true;
    askWorktrees(client, 'diff', { sessionId: sessionKey }).then(
      (diff) => isWanted && setAnswer({ diff }),
      (error: unknown) => isWanted && setAnswer({ error }),
    );
    return () => {
      isWanted = false;
    };
    // A new version is asked for anew.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [client, sessionKey, version]);
  const diff = answer !== undefined && 'diff' in answer ? answer.diff : undefined;
  const rows = useMemo(
    () =>
      diff === undefined
        ? []
        : toRows(diff, { isSplit: false, onlyUnreviewed: false, opened, commented: undefined }),
    [diff, opened],
  );
  const panel = useMemo(
    (): PanelActions => ({
      ...readOnly,
      sessionKey,
      toggle: (key, isOpen) => setOpened((before) => new Map([...before, [key, isOpen]])),
    }),
    [sessionKey],
  );
  return (
    <PanelContext value={panel}>
      <section className="compare-diff" aria-label={text.diffOf(name)}>
        {answer === undefined ? (
          <output className="soft small">{text.diffLoading}</output>
        ) : 'error' in answer ? (
          <p role="alert" className="small">
            {failureText(answer.error, shell)}
          </p>
        ) : rows.length === 0 ? (
          <p className="soft small">{text.diffNone}</p>
        ) : (
          <ChangesList rows={rows} cursor={undefined} />
        )}
      </section>
    </PanelContext>
  );
}

const nothing = (): void => {};

/** Reviewing is done in the session of the runner. */
const readOnly: Omit<PanelActions, 'sessionKey' | 'toggle'> = {
  turn: undefined,
  isObserver: true,
  isBusy: false,
  current: new Set(),
  keep: nothing,
  revert: nothing,
  undoFile: nothing,
  comment: undefined,
  addComment: nothing,
};
