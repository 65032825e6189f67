import type { HubSession } from '@parley/host/hub';
import { isUndone, type ChangesState } from '@parley/host/state';
import {
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
} from 'react';
import type { SessionFeed } from '../hub/session-feed.ts';
import { useHub } from '../hub/use-hub.ts';
import { CloseButton } from '../parts/dialog.tsx';
import { useNotices } from '../parts/notices.tsx';
import { OpenBoxContext } from '../prompt/open-box.ts';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import type { ChangesAddress } from './changes-address.ts';
import { meaningOfChangesKey } from './changes-key.ts';
import { ChangesList } from './changes-list.tsx';
import { ChangesToolbar } from './changes-toolbar.tsx';
import { CommitDialog } from './dialog/commit-dialog.tsx';
import { UndoDialog, type UndoTarget } from './dialog/undo-dialog.tsx';
import { isBusy } from './is-busy.ts';
import { PanelContext, type PanelActions } from './panel-context.ts';
import { fileKey, nextHead, type ChangesRow } from './rows/changes-rows.ts';
import { quoteLines } from './rows/quote-lines.ts';
import { UnavailableNote } from './unavailable-note.tsx';
import { useChanges, type LoadedChanges } from './use-changes.ts';
import { useReview } from './use-review.ts';
import { useRows } from './use-rows.ts';
import '../conversation/diff/diff.css';
import './changes-panel.css';
import './rows/changes-row.css';

/** Whose changes are shown. */
export interface ChangesPanelProps {
  readonly sessionKey: string;
  readonly session: HubSession | undefined;
  readonly feed: SessionFeed;
  readonly address: ChangesAddress;
}

type Asked = { readonly kind: 'restore'; readonly target: UndoTarget } | { readonly kind: 'commit' };

/** The changes of a session or of one turn, by file and hunk, with their actions. */
export function ChangesPanel({
  sessionKey,
  session,
  feed: { view },
  address,
}: ChangesPanelProps): ReactElement {
  const heading = useId();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  const { turn } = address;
  const { changes } = view;
  const { isObserver: mayOnlyLook } = useHub();
  const isObserver = mayOnlyLook || session?.origin === 'aap';
  const loaded = useChanges(sessionKey, turn, changes);
  const { unavailable = [] } = loaded.diff ?? {};
  const list = useRows(loaded);
  const review = useReview(sessionKey, loaded.reload);
  const { notify } = useNotices();
  const { changes: text } = useText();
  const editor = use(OpenBoxContext);
  const [asked, setAsked] = useState<Asked>();
  const { rows, cursor, setCursor, setCommented, open } = list;

  // A dialog that was put away leaves the focus nowhere, where the next key would go.
  const hadDialog = useRef(false);
  useLayoutEffect(() => {
    if (asked === undefined && hadDialog.current) {
      if (cursor === undefined) title.current?.focus({ preventScroll: true });
      else setCursor({ ...cursor });
    }
    hadDialog.current = asked !== undefined;
    // Only the dialog matters.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [asked]);

  const at = cursor === undefined ? -1 : rows.findIndex(({ key }) => key === cursor.key);
  const goTo = (index: number): void => {
    const row = rows[index];
    if (row !== undefined) setCursor({ key: row.key });
  };
  const undo = (): void => {
    const wanted = turn ?? lastTurn(changes);
    if (wanted !== undefined) setAsked({ kind: 'restore', target: { kind: 'undo', turn: wanted } });
  };
  const redo = (): void => {
    if (changes.undos.length > 0) setAsked({ kind: 'restore', target: { kind: 'redo' } });
  };
  const panel: PanelActions = {
    sessionKey,
    turn,
    isObserver,
    isBusy: review.isBusy,
    current: loaded.current,
    toggle: open,
    keep: (hunks) => void review.keep(hunks),
    revert: (hunks) => void review.revert(hunks),
    undoFile: (path) =>
      turn !== undefined && setAsked({ kind: 'restore', target: { kind: 'undo', turn, paths: [path] } }),
    comment: isObserver || session?.state === 'elsewhere' ? undefined : setCommented,
    addComment: (path, lines, comment) => {
      editor.current?.append(quoteLines({ path, lines }, comment));
      notify(text.addedToPrompt);
      setCommented(undefined);
      if (cursor !== undefined) setCursor({ ...cursor });
    },
  };
  const pressKey = (event: KeyboardEvent): void => {
    const { target } = event;
    const isElsewhere =
      !(target instanceof HTMLElement) || target.closest('dialog, input, textarea, select') !== null;
    const isButton = target instanceof HTMLElement && target.closest('button, summary') !== null;
    const meaning = meaningOfChangesKey({ ...keysOf(event), isElsewhere, isButton });
    if (meaning === undefined) return;
    event.preventDefault();
    const row = rows[at];
    switch (meaning.kind) {
      case 'head':
        return goTo(nextHead(rows, at, meaning.step));
      case 'row':
        return goTo(Math.min(rows.length - 1, Math.max(0, at + meaning.step)));
      case 'toggle':
        if (row?.kind === 'file') open(fileKey(row.file), !row.isOpen);
        return undefined;
      case 'keep':
      case 'revert': {
        const hunks = isObserver ? [] : hunksOf(row).filter((id) => loaded.current.has(id));
        if (hunks.length === 0) return undefined;
        goTo(nextHead(rows, at, 1));
        return panel[meaning.kind](hunks);
      }
      case 'comment':
        if (row !== undefined && 'hunk' in row) panel.comment?.(row.key);
        return undefined;
      case 'undo':
        return isObserver ? undefined : undo();
      case 'redo':
        return isObserver ? undefined : redo();
      case 'close':
        return address.close();
    }
  };
  return (
    <PanelContext value={panel}>
      {/* Its keys do what its buttons do. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section className="changes-panel" aria-labelledby={heading} onKeyDown={pressKey}>
        <header className="changes-head">
          <h2 id={heading} ref={title} tabIndex={-1}>
            {text.title}
          </h2>
          <CloseButton onClose={address.close} />
        </header>
        <ChangesToolbar
          changes={changes}
          address={address}
          loaded={loaded}
          list={list}
          isObserver={isObserver}
          onUndo={undo}
          onRedo={redo}
          onCommit={() => setAsked({ kind: 'commit' })}
        />
        {unavailable.length > 0 && <UnavailableNote turns={unavailable} />}
        <Body loaded={loaded} rows={rows} cursor={cursor} canRedo={changes.undos.length > 0} />
      </section>
      {asked?.kind === 'restore' && (
        <UndoDialog
          sessionKey={sessionKey}
          changes={changes}
          target={asked.target}
          isRunning={isBusy(view)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.kind === 'commit' && (
        <CommitDialog sessionKey={sessionKey} onClose={() => setAsked(undefined)} />
      )}
    </PanelContext>
  );
}

function Body({
  loaded: { diff, error, reload },
  rows,
  cursor,
  canRedo,
}: {
  readonly loaded: LoadedChanges;
  readonly rows: readonly ChangesRow[];
  readonly cursor: { readonly key: string } | undefined;
  readonly canRedo: boolean;
}): ReactElement {
  const { changes: text, shell } = useText();
  return (
    <>
      {error !== undefined && (
        <div role="alert" className="changes-failure">
          <p>
            <strong>{text.failed}.</strong> {failureText(error, shell)}
          </p>
          <button type="button" className="button" onClick={reload}>
            {text.reload}
          </button>
        </div>
      )}
      {diff === undefined ? (
        error === undefined && <output className="changes-empty soft">{text.loading}</output>
      ) : rows.length === 0 ? (
        <p className="changes-empty soft">
          {diff.files.length > 0 ? (
            text.allReviewed
          ) : (
            <>
              <strong>{text.none}</strong> {canRedo ? text.noneLeft : text.noneHelp}
            </>
          )}
        </p>
      ) : (
        <ChangesList rows={rows} cursor={cursor} />
      )}
    </>
  );
}

function keysOf({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
} {
  return { key, altKey, ctrlKey, metaKey };
}

/** The hunks that a row is about. */
function hunksOf(row: ChangesRow | undefined): readonly string[] {
  if (row === undefined) return [];
  if ('hunk' in row) return [row.hunk.id];
  return row.kind === 'file' ? row.file.hunks.map(({ id }) => id) : [];
}

/** The turn that an undo would undo: one with only unreported files if no other is left. */
function lastTurn({ turns }: ChangesState): number | undefined {
  const left = turns.filter((turn) => !isUndone(turn));
  const reported = left.findLast(
    ({ files, more }) => more?.reported === true || files.some((file) => file.reported),
  );
  return (reported ?? left.at(-1))?.turn;
}
