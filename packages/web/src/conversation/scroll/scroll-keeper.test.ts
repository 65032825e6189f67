import { beforeEach, expect, test, vi } from 'vitest';
import { viewOf } from '../../../gallery/fake-hub.ts';
import { ScrollKeeper, type ScrollBox, type ScrolledList } from './scroll-keeper.ts';

const row = 100;

/** A list of rows of one size in a box, as a browser has it. */
function fakeBox(): ScrollBox & { rows: number; clientHeight: number; touch: (name: string) => void } {
  const events = new EventTarget();
  let top = 0;
  return {
    rows: 0,
    clientHeight: 400,
    get scrollHeight() {
      return this.rows * row;
    },
    get scrollTop() {
      return Math.max(0, Math.min(top, this.scrollHeight - this.clientHeight));
    },
    set scrollTop(wanted) {
      top = wanted;
    },
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    touch: (name) => events.dispatchEvent(new Event(name)),
  };
}

type FakeBox = ReturnType<typeof fakeBox>;

function open(count: number): { keeper: ScrollKeeper; box: FakeBox; grow: (rows: number) => void } {
  const box = fakeBox();
  const keeper = new ScrollKeeper('key');
  const scrollTo = (top: number): void => {
    box.scrollTop = top;
    keeper.onScroll();
  };
  const list: ScrolledList = {
    scrollToIndex: (index, { align, offset = 0 } = {}) => {
      scrollTo(align === 'end' ? (index + 1) * row - box.clientHeight : index * row + offset);
    },
    get scrollOffset() {
      return box.scrollTop;
    },
    findItemIndex: (offset) => Math.floor(offset / row),
    getItemOffset: (index) => index * row,
  };
  keeper.takeList(list);
  keeper.takeBox(box);
  const grow = (rows: number): void => {
    box.rows = rows;
    keeper.show(
      viewOf(
        Array.from({ length: rows }, (_, index) => ({
          type: 'update',
          update: { sessionUpdate: 'notice', severity: 'info', title: String(index) },
        })),
      ),
    );
  };
  grow(count);
  return { keeper, box, grow };
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
  return () => {
    vi.unstubAllGlobals();
  };
});

function scrollByHand(keeper: ScrollKeeper, box: FakeBox, top: number): void {
  box.touch('wheel');
  box.scrollTop = top;
  keeper.onScroll();
}

test('the list stays at its end while it grows', () => {
  const { keeper, box, grow } = open(10);
  keeper.begin(undefined);
  grow(20);
  expect(box.scrollTop).toBe(1600);
  expect(keeper.leftAt.get()).toBeUndefined();
});

test('the list stays at the reading position, and remembers since when', () => {
  const { keeper, box, grow } = open(20);
  keeper.begin(undefined);
  scrollByHand(keeper, box, 500);
  grow(25);
  expect(box.scrollTop).toBe(500);
  expect(keeper.leftAt.get()).toBe(20);
  keeper.toEnd();
  expect(box.scrollTop).toBe(2100);
  expect(keeper.leftAt.get()).toBeUndefined();
});

test('a window that becomes smaller and larger again does not lose the end', () => {
  const { keeper, box } = open(20);
  keeper.begin(undefined);
  box.clientHeight = 100;
  keeper.onResize();
  expect(box.scrollTop).toBe(1900);
  box.clientHeight = 700;
  keeper.onScroll();
  keeper.onResize();
  expect(box.scrollTop).toBe(1300);
  expect(keeper.leftAt.get()).toBeUndefined();
});

test('opening an item at the end shows the item, not its end', () => {
  const { keeper, box, grow } = open(20);
  keeper.begin(undefined);
  box.touch('pointerdown');
  box.rows = 24;
  keeper.onResize();
  expect(box.scrollTop).toBe(1600);
  expect(keeper.leftAt.get()).toBe(20);
  grow(25);
  expect(box.scrollTop).toBe(1600);
});

test('finding text in the page leaves the end without user scrolling', () => {
  const { keeper, box, grow } = open(20);
  keeper.begin(undefined);
  box.scrollTop = 300;
  keeper.onScroll();
  grow(21);
  expect(box.scrollTop).toBe(300);
});

test('coming back restores the reading position, or the end', () => {
  const first = open(20);
  first.keeper.begin(undefined);
  scrollByHand(first.keeper, first.box, 530);
  first.keeper.keep();
  const second = open(40);
  second.keeper.begin(undefined);
  expect(second.box.scrollTop).toBe(530);
  second.keeper.toEnd();
  second.keeper.keep();
  const third = open(50);
  third.keeper.begin(undefined);
  expect(third.box.scrollTop).toBe(4600);
});

test('a requested event takes precedence over the reading position', () => {
  const { keeper, box } = open(50);
  keeper.begin(11);
  expect(box.scrollTop).toBe(920);
});
