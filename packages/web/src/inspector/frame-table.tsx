import { ArrowDown, ArrowLeft, ArrowRight, CircleAlert, Hourglass } from 'lucide-react';
import { useEffect, useMemo, useRef, type KeyboardEvent, type ReactElement } from 'react';
import { VList, type VListHandle } from 'virtua';
import { useLanguage, useText } from '../text/language.tsx';
import { toDuration, toSize } from './amount.ts';
import type { FrameLog } from './frame-log.ts';
import type { FrameRow } from './frame-row.ts';
import { titleOf } from './frame-title.ts';
import './frame-table.css';

/** Height of a row in pixels, as in the style sheet. */
const lineHeight = 28;

/** How times are shown: since the first frame, or as a clock shows them. */
export type TimeStyle = 'relative' | 'absolute';

/** The content of a list of frames. */
export interface FrameTableProps {
  readonly log: FrameLog;
  readonly rows: readonly FrameRow[];
  readonly timeStyle: TimeStyle;
  readonly selected: number | undefined;
  readonly onSelect: (seq: number) => void;
  /** The last frame is kept in sight while new ones come. */
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
}

/** Frames, one a line; only those in sight are there. */
export function FrameTable({
  log,
  rows,
  timeStyle,
  selected,
  onSelect,
  isFollowing,
  onFollow,
}: FrameTableProps): ReactElement {
  const { inspector: text } = useText();
  const { language } = useLanguage();
  const list = useRef<VListHandle>(null);
  const lastOffset = useRef(0);
  const clock = useMemo(
    () =>
      new Intl.DateTimeFormat(language, {
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        fractionalSecondDigits: 3,
        hourCycle: 'h23',
      }),
    [language],
  );
  const selectedIndex = useMemo(
    () => (selected === undefined ? -1 : rows.findIndex(({ seq }) => seq === selected)),
    [rows, selected],
  );
  useEffect(() => {
    if (isFollowing && rows.length > 0) list.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [isFollowing, rows]);
  const choose = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined) return;
    onSelect(row.seq);
    onFollow(index >= rows.length - 1);
    list.current?.scrollToIndex(rows.indexOf(row), { align: 'nearest' });
  };
  const take = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((list.current?.viewportSize ?? 0) / lineHeight) - 1);
    const wanted = indexFor(event.key, { current: selectedIndex, count: rows.length, page });
    if (wanted === undefined) return;
    event.preventDefault();
    choose(wanted);
  };
  return (
    <div className="frame-table">
      <div className="frame-line frame-heads small soft" aria-hidden>
        <span>{text.time}</span>
        <span>{text.direction}</span>
        <span>{text.message}</span>
        <span className="frame-id">{text.id}</span>
        <span className="frame-session">{text.session}</span>
        <span className="frame-number">{text.took}</span>
        <span className="frame-number">{text.size}</span>
      </div>
      <VList
        ref={list}
        className="frame-list"
        // A select holds text only, and all of it.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        aria-label={text.frames}
        tabIndex={0}
        onKeyDown={take}
        {...(selectedIndex >= 0 && { 'aria-activedescendant': `frame-${rows[selectedIndex]?.seq ?? 0}` })}
        {...(selectedIndex >= 0 && { keepMounted: [selectedIndex] })}
        data={rows}
        itemSize={lineHeight}
        onScroll={(offset) => {
          const { scrollSize = 0, viewportSize = 0 } = list.current ?? {};
          const isUp = offset < lastOffset.current;
          lastOffset.current = offset;
          // Only who goes up wants to stay: the end also moves away when more comes, or the list gets smaller.
          if (offset + viewportSize >= scrollSize - 4) onFollow(true);
          else if (isUp) onFollow(false);
        }}
      >
        {(row, index) => (
          <FrameLine
            key={row.seq}
            row={row}
            log={log}
            position={index + 1}
            count={rows.length}
            time={
              timeStyle === 'absolute' ? clock.format(row.time) : ((row.time - log.beganAt) / 1000).toFixed(3)
            }
            isSelected={row.seq === selected}
            onSelect={onSelect}
          />
        )}
      </VList>
      {!isFollowing && (
        <button
          type="button"
          className="button frame-latest small"
          onClick={() => {
            onFollow(true);
          }}
        >
          <ArrowDown size={14} aria-hidden />
          {text.jumpToLatest}
        </button>
      )}
    </div>
  );
}

interface FrameLineProps {
  readonly row: FrameRow;
  readonly log: FrameLog;
  readonly position: number;
  readonly count: number;
  readonly time: string;
  readonly isSelected: boolean;
  readonly onSelect: (seq: number) => void;
}

function FrameLine({ row, log, position, count, time, isSelected, onSelect }: FrameLineProps): ReactElement {
  const { inspector: text } = useText();
  const isBad = row.kind === 'error' || row.kind === 'fault';
  return (
    // The list takes the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      // An option of a select has no columns.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      id={`frame-${row.seq}`}
      className={isBad ? 'frame-line frame-bad' : 'frame-line'}
      aria-selected={isSelected}
      aria-posinset={position}
      aria-setsize={count}
      tabIndex={-1}
      onClick={() => {
        onSelect(row.seq);
      }}
    >
      <span className="frame-time">{time}</span>
      <span className="frame-direction">
        {row.direction === 'in' ? <ArrowLeft size={14} aria-hidden /> : <ArrowRight size={14} aria-hidden />}
        <span>{row.direction === 'in' ? text.from : text.to}</span>
      </span>
      <span className="frame-title" title={titleOf(row, text)}>
        {isBad && <CircleAlert size={14} aria-hidden />}
        <span className={row.kind === 'result' ? 'soft' : undefined}>{titleOf(row, text)}</span>
      </span>
      <span className="frame-id">{row.id}</span>
      <span className="frame-session" title={row.session}>
        {row.session?.slice(-8)}
      </span>
      <span className="frame-number">
        <Took row={row} log={log} />
      </span>
      <span className="frame-number soft">{row.size > 0 && toSize(row.size)}</span>
    </div>
  );
}

function Took({ row, log }: { readonly row: FrameRow; readonly log: FrameLog }): ReactElement | null {
  const { inspector: text } = useText();
  if (row.latencyMs !== undefined) return <>{toDuration(row.latencyMs)}</>;
  if (row.kind !== 'request') return null;
  const latencyMs = log.answerTo(row.seq)?.latencyMs;
  if (latencyMs !== undefined) return <span className="soft">{toDuration(latencyMs)}</span>;
  return (
    <span className="frame-open">
      <Hourglass size={12} aria-hidden /> {log.isWaiting(row.seq) ? text.waiting : text.unanswered}
    </span>
  );
}

interface Position {
  readonly current: number;
  readonly count: number;
  readonly page: number;
}

function indexFor(key: string, { current, count, page }: Position): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return current + 1;
    case 'ArrowUp':
      return current === -1 ? count - 1 : current - 1;
    case 'PageDown':
      return current + page;
    case 'PageUp':
      return current - page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
