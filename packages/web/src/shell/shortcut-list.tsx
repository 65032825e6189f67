import { lazy, Suspense, type ReactElement } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { useFirstText } from '../text/language.tsx';
import { shortcuts } from './shortcut.ts';
import './shortcut-list.css';

const QuestionKeys = lazy(async () => ({
  default: (await import('../inbox/question-keys.tsx')).QuestionKeys,
}));

const ChangesKeys = lazy(async () => ({
  default: (await import('../changes/changes-keys.tsx')).ChangesKeys,
}));

/** Which keys do what, from anywhere. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { shell } = useFirstText();
  return (
    <Dialog title={shell.shortcuts} onClose={onClose}>
      <dl className="shortcut-list">
        {shortcuts.map(({ keys, action }) => (
          <div key={action}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key} className="key">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{shell.actions[action]}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd className="key">Ctrl+K</kbd>
            <kbd className="key">⌘+K</kbd>
          </dt>
          <dd>{shell.actions.palette}</dd>
        </div>
      </dl>
      <Suspense>
        <QuestionKeys />
        <ChangesKeys />
      </Suspense>
      <p className="soft small">{shell.shortcutsHelp}</p>
    </Dialog>
  );
}
