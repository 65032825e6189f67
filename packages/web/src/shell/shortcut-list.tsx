import type { ReactElement } from 'react';
import { ChangesKeys } from '../changes/changes-keys.tsx';
import { QuestionKeys } from '../inbox/question-keys.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useText } from '../text/language.tsx';
import { shortcuts } from './shortcut.ts';
import './shortcut-list.css';

/** A list of the global keyboard shortcuts. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { shell, shortcuts: text } = useText();
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
            <dd>{text.actions[action]}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd className="key">Ctrl+K</kbd>
            <kbd className="key">⌘+K</kbd>
          </dt>
          <dd>{text.actions.palette}</dd>
        </div>
      </dl>
      <QuestionKeys />
      <ChangesKeys />
      <p className="soft small">{text.help}</p>
    </Dialog>
  );
}
