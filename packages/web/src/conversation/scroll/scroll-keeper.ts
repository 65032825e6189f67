import { at, emptyState, type SessionState } from '@parley/host/state';
import type { VirtualizerHandle } from 'virtua';
import { Store } from '../../hub/store.ts';
import { itemOfEvent } from '../rows.ts';
import { keepPlace, readPlace } from './reading-place.ts';

/** So near to the end counts as being there. */
const nearPx = 32;

/** How long after an action of the user a scroll is attributed to the user. */
const touchMs = 600;

/** What a {@link ScrollKeeper} needs of the list. */
export type ScrolledList = Pick<
  VirtualizerHandle,
  'scrollToIndex' | 'scrollOffset' | 'findItemIndex' | 'getItemOffset'
>;

/** What a {@link ScrollKeeper} needs of the element that scrolls. */
export type ScrollBox = Pick<
  HTMLElement,
  'scrollTop' | 'clientHeight' | 'scrollHeight' | 'addEventListener' | 'removeEventListener'
>;

interface Extent {
  readonly top: number;
  readonly height: number;
  readonly whole: number;
}

/** How long after a click a change of size is attributed to the clicked element. */
const pressMs = 400;

const touches = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Keeps a list of items at its end while the user is there, else at the reading position. */
export class ScrollKeeper {
  readonly #sessionKey: string;
  #list: ScrolledList | undefined;
  #box: ScrollBox | undefined;
  #view: SessionState = emptyState;
  #touchedAt = -touchMs;
  #pressedAt = -pressMs;
  #last: Extent = { top: 0, height: 0, whole: 0 };

  /** How many items there were when the end was left; undefined while the list is at its end. */
  readonly leftAt: Store<number | undefined> = new Store<number | undefined>(undefined);

  constructor(sessionKey: string) {
    this.#sessionKey = sessionKey;
  }

  /** The list, once it is there. */
  takeList(list: ScrolledList | null): void {
    this.#list = list ?? undefined;
  }

  /** Sets the scrolling element. User actions in it distinguish scrolling by the user from movements of the list. */
  takeBox(box: ScrollBox | null): (() => void) | undefined {
    this.#box = box ?? undefined;
    if (box === null) return undefined;
    const touch = ({ type }: Event): void => {
      this.#touchedAt = performance.now();
      if (type === 'pointerdown' || type === 'keydown') this.#pressedAt = this.#touchedAt;
    };
    for (const name of touches) box.addEventListener(name, touch, { passive: true });
    return () => {
      for (const name of touches) box.removeEventListener(name, touch);
    };
  }

  /** What the list shows now. */
  show(view: SessionState): void {
    const isMore = view.items.length !== this.#view.items.length;
    this.#view = view;
    if (isMore) this.#stick();
  }

  /** Scrolls to an event, else to the earlier reading position, else to the end. */
  begin(wantedSeq: number | undefined): void {
    const place = wantedSeq === undefined ? readPlace(this.#sessionKey) : { seq: wantedSeq, offset: -80 };
    const index = place && itemOfEvent(this.#view, place.seq);
    if (place === undefined || index === undefined) {
      this.toEnd();
      return;
    }
    this.#leave();
    this.#list?.scrollToIndex(index, { offset: place.offset });
  }

  readonly toEnd = (): void => {
    this.leftAt.set(undefined);
    this.#stick();
  };

  readonly onResize = (): void => {
    // A user who opens an item at the end wants to see it.
    if (performance.now() - this.#pressedAt < pressMs && !this.#isAtEnd()) this.#leave();
    this.#stick();
  };

  readonly onScroll = (): void => {
    const box = this.#box;
    if (box === undefined) return;
    const before = this.#last;
    const { scrollTop: top, clientHeight: height, scrollHeight: whole } = box;
    this.#last = { top, height, whole };
    if (this.#isAtEnd()) {
      this.leftAt.set(undefined);
      return;
    }
    if (performance.now() - this.#touchedAt < touchMs) {
      this.#leave();
      return;
    }
    // What is found in the page comes into sight without a hand; a window or a list of another size moves too.
    const isSameSize = height === before.height && whole === before.whole;
    if (isSameSize && top < before.top - height / 2) this.#leave();
  };

  /** Stores the reading position, for coming back. */
  readonly keep = (): void => {
    const list = this.#list;
    if (list === undefined) return;
    if (this.leftAt.get() === undefined) {
      keepPlace(this.#sessionKey, undefined);
      return;
    }
    const index = list.findItemIndex(list.scrollOffset);
    const seq = at(this.#view.items, index)?.seq;
    if (seq === undefined) return;
    keepPlace(this.#sessionKey, { seq, offset: list.scrollOffset - list.getItemOffset(index) });
  };

  #isAtEnd(): boolean {
    if (this.#box === undefined) return true;
    const { scrollTop, clientHeight, scrollHeight } = this.#box;
    return scrollHeight - scrollTop - clientHeight <= nearPx;
  }

  #leave(): void {
    if (this.leftAt.get() === undefined) this.leftAt.set(this.#view.items.length);
  }

  #stick(): void {
    if (this.leftAt.get() !== undefined) return;
    this.#list?.scrollToIndex(this.#view.items.length - 1, { align: 'end' });
  }
}
