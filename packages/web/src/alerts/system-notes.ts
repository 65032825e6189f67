/** A note that the system shows outside of the page. */
export interface SystemNote {
  /** A notification replaces others with the same id, in all tabs. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly onClick: () => void;
}

/** Whether the browser shows notes, and whether the user allows it. */
export type NotePermission = 'unsupported' | 'denied' | 'default' | 'granted';

/** What the user decided about notes of this page. */
export function notePermission(): NotePermission {
  return 'Notification' in globalThis ? Notification.permission : 'unsupported';
}

/** How long another tab has to respond that it is visible. */
const patienceMs = 500;

/** Shows notes while no tab of the page is visible, and removes them again. */
export class SystemNotes {
  readonly #shown = new Map<string, Notification>();
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #tabs = new BroadcastChannel('parley-seen');

  constructor() {
    this.#tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') this.close(data);
    });
  }

  /** Shows a note, unless the page is visible, in this tab or in another. */
  show(note: SystemNote): void {
    if (document.visibilityState === 'visible') {
      // A channel reaches our own pages only.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      this.#tabs.postMessage(note.id);
      return;
    }
    if (notePermission() !== 'granted') return;
    this.#waiting.set(
      note.id,
      setTimeout(() => {
        this.#waiting.delete(note.id);
        this.#open(note);
      }, patienceMs),
    );
  }

  /** What it announced has passed. */
  close(id: string): void {
    clearTimeout(this.#waiting.get(id));
    this.#waiting.delete(id);
    this.#shown.get(id)?.close();
    this.#shown.delete(id);
  }

  end(): void {
    for (const id of [...this.#waiting.keys(), ...this.#shown.keys()]) this.close(id);
    this.#tabs.close();
  }

  #open({ id, title, body, onClick }: SystemNote): void {
    try {
      const shown = new Notification(title, { body, tag: id, icon: '/favicon.svg' });
      shown.addEventListener('click', () => {
        window.focus();
        onClick();
        this.close(id);
      });
      this.#shown.set(id, shown);
    } catch {
      // Some browsers on phones have notes for installed pages only.
    }
  }
}
