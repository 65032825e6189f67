import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';

/** Which keys answer questions, for the list of all keys. */
export function QuestionKeys(): ReactElement {
  const { inbox } = useText();
  return (
    <>
      <h3>{inbox.keysTitle}</h3>
      <dl className="shortcut-list">
        {inbox.keys.map(({ keys, what }) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className="key">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
