import { CircleAlert, Info, X } from 'lucide-react';
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react';
import { failureText } from '../shell/failure-text.ts';
import { useFirstText } from '../text/language.tsx';
import './notices.css';

/** Shows the user what happened, on every page. */
export interface Notices {
  /** Shows a notice that something is done; it disappears by itself. */
  readonly notify: (text: string) => void;
  /** Shows an error; it stays until the user dismisses it. */
  readonly fail: (error: unknown) => void;
  /** Does something, and says so where it fails. @returns whether it was done */
  readonly attempt: (task: Promise<unknown>) => Promise<boolean>;
}

const NoticesContext = createContext<Notices>({
  notify: () => {},
  fail: () => {},
  attempt: async () => true,
});

/** The functions that show the user what happened. */
export function useNotices(): Notices {
  return use(NoticesContext);
}

interface Notice {
  readonly id: number;
  readonly kind: 'done' | 'failed';
  readonly text: string;
}

/** Displayed notices; more push out the oldest. */
const mostNotices = 4;

/** How long a success is displayed. */
const doneMs = 5000;

/** Shows the notices of its descendants above the page. */
export function NoticesProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const { shell } = useFirstText();
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const drop = useCallback((id: number) => {
    setNotices((before) => before.filter((notice) => notice.id !== id));
  }, []);
  const value = useMemo((): Notices => {
    const add = (kind: Notice['kind'], text: string): void => {
      setNotices((before) => {
        const others = before.filter((notice) => notice.text !== text);
        const id = 1 + Math.max(0, ...before.map((notice) => notice.id));
        return [...others, { id, kind, text }].slice(-mostNotices);
      });
    };
    const fail = (error: unknown): void => add('failed', failureText(error, shell));
    return {
      notify: (text) => add('done', text),
      fail,
      attempt: async (task) => {
        try {
          await task;
          return true;
        } catch (error) {
          fail(error);
          return false;
        }
      },
    };
  }, [shell]);
  const failed = notices.filter(({ kind }) => kind === 'failed');
  const done = notices.filter(({ kind }) => kind === 'done');
  return (
    <NoticesContext value={value}>
      {children}
      <div className="notices">
        <div role="alert">
          {failed.map((notice) => (
            <Shown key={notice.id} notice={notice} drop={drop} />
          ))}
        </div>
        <output>
          {done.map((notice) => (
            <Shown key={notice.id} notice={notice} drop={drop} />
          ))}
        </output>
      </div>
    </NoticesContext>
  );
}

function Shown({
  notice: { id, kind, text },
  drop,
}: {
  readonly notice: Notice;
  readonly drop: (id: number) => void;
}): ReactElement {
  const { shell } = useFirstText();
  useEffect(() => {
    if (kind === 'failed') return;
    const timer = setTimeout(() => drop(id), doneMs);
    return () => clearTimeout(timer);
  }, [id, kind, drop]);
  return (
    <div className={`notice notice-${kind}`}>
      {kind === 'failed' ? <CircleAlert aria-hidden size={18} /> : <Info aria-hidden size={18} />}
      <p>{text}</p>
      <button type="button" className="button button-plain button-icon" onClick={() => drop(id)}>
        <X aria-hidden size={16} />
        <span className="visually-hidden">{shell.dismiss}</span>
      </button>
    </div>
  );
}
