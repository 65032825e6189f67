import { at } from '@parley/host/state';
import { ArrowDown, MessagesSquare } from 'lucide-react';
import {
  useCallback,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactElement,
} from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useLocationProperty } from 'wouter/use-browser-location';
import type { SessionFeed } from '../hub/session-feed.ts';
import { useText } from '../text/language.tsx';
import { Announcer } from './announcer.tsx';
import { FeedContext, PlaceContext, type ConversationPlace } from './conversation-context.ts';
import { Row } from './row.tsx';
import { beginsAnswer, itemOfEvent, turnEndedBehind } from './rows.ts';
import { ScrollKeeper } from './scroll/scroll-keeper.ts';
import './conversation.css';

/** Props of {@link Conversation}. */
export interface ConversationProps {
  readonly sessionKey: string;
  readonly feed: SessionFeed;
  /** Names the conversation, where it is that of a sub-agent. @default the session's own */
  readonly name?: string;
  /** How many turns this page has begun: with each the end comes into sight. @default 0 */
  readonly sent?: number;
}

/** The items of a session, in the order in which they started. */
export function Conversation({
  sessionKey,
  feed,
  name = sessionKey,
  sent = 0,
}: ConversationProps): ReactElement {
  const { conversation: text } = useText();
  const { view, isCaughtUp } = feed;
  const [opened] = useState(() => new Map<string, boolean>());
  const { cwd } = view;
  const agentName = view.agent?.info?.title ?? view.agent?.info?.name ?? view.agent?.name ?? '';
  const place = useMemo<ConversationPlace>(
    () => ({ sessionKey, agentName, opened, ...(cwd !== undefined && { cwd }) }),
    [sessionKey, agentName, opened, cwd],
  );
  return (
    <PlaceContext value={place}>
      <FeedContext value={feed}>
        <section className="conversation" aria-label={text.title} aria-busy={!isCaughtUp}>
          {isCaughtUp ? (
            <>
              {view.items.length === 0 ? (
                <p className="conversation-empty soft">
                  <MessagesSquare size={20} aria-hidden />
                  {text.empty}
                </p>
              ) : (
                <Items sessionKey={name} feed={feed} sent={sent} />
              )}
              <Announcer view={view} />
            </>
          ) : (
            <output className="conversation-empty soft">
              {text.loading}
              {view.seq > 0 && <span className="small">{text.loadingEvents(view.seq)}</span>}
            </output>
          )}
        </section>
      </FeedContext>
    </PlaceContext>
  );
}

function Items({ sessionKey, feed: { view }, sent = 0 }: ConversationProps): ReactElement {
  const { conversation: text } = useText();
  const wantedSeq = useWantedSeq();
  const [keeper] = useState(() => new ScrollKeeper(sessionKey));
  const takeList = useCallback(
    (list: VirtualizerHandle | null) => {
      keeper.takeList(list);
    },
    [keeper],
  );
  const takeBox = useCallback((box: HTMLElement | null) => keeper.takeBox(box), [keeper]);
  const leftAt = useSyncExternalStore(keeper.leftAt.subscribe, keeper.leftAt.get);
  useLayoutEffect(() => {
    keeper.show(view);
  }, [keeper, view]);
  useLayoutEffect(() => {
    keeper.begin(wantedSeq);
    return keeper.keep;
  }, [keeper, wantedSeq]);
  useLayoutEffect(() => {
    if (sent > 0) keeper.toEnd();
  }, [keeper, sent]);
  const { items, phase } = view;
  const marked = wantedSeq === undefined ? undefined : itemOfEvent(view, wantedSeq);
  const isRunning = phase === 'running' || phase === 'waiting' || phase === 'stopping';
  // The list asks for the rows that it needs by their index; there is no other list of them.
  const data = useMemo(() => ({ length: items.length }), [items.length]);
  const row = useCallback(
    (_: unknown, index: number) => {
      const item = at(items, index);
      if (item === undefined) return <></>;
      const ended = turnEndedBehind(view, index);
      return (
        <Row
          key={item.seq}
          item={item}
          position={index + 1}
          isOpen={isRunning && index === items.length - 1}
          isFirst={beginsAnswer(view, index)}
          isMarked={index === marked}
          ended={ended}
          changed={view.changes.turns.find(({ turnId }) => turnId === ended?.turnId)}
        />
      );
    },
    [items, isRunning, marked, view],
  );
  return (
    <>
      <div
        ref={takeBox}
        className="conversation-scroll"
        role="feed"
        aria-label={text.title}
        // What scrolls can be reached with the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <Virtualizer
          ref={takeList}
          data={data}
          bufferSize={600}
          onScroll={keeper.onScroll}
          onScrollEnd={keeper.keep}
          onResize={keeper.onResize}
        >
          {row}
        </Virtualizer>
      </div>
      {leftAt !== undefined && (
        <button type="button" className="button conversation-latest" onClick={keeper.toEnd}>
          <ArrowDown size={16} aria-hidden />
          {text.jumpToLatest}
          {items.length > leftAt && (
            <span className="conversation-missed">{text.newItems(items.length - leftAt)}</span>
          )}
        </button>
      )}
    </>
  );
}

/** The event that the address names, as the hits of a search do. */
function useWantedSeq(): number | undefined {
  const hash = useLocationProperty(() => location.hash);
  return /^#\d+$/.test(hash) ? Number(hash.slice(1)) : undefined;
}
