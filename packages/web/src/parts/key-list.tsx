import type { ReactElement } from 'react';

/** Keys that work in one place. */
export interface KeyListProps {
  readonly title: string;
  readonly keys: readonly { readonly keys: readonly string[]; readonly what: string }[];
}

/** A list of keyboard shortcuts. */
export function KeyList({ title, keys }: KeyListProps): ReactElement {
  return (
    <>
      <h3>{title}</h3>
      <dl className="shortcut-list">
        {keys.map(({ keys: each, what }) => (
          <div key={what}>
            <dt>
              {each.map((key) => (
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
