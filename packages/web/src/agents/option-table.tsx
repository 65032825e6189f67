import type { SessionConfigOption } from '@parley/acp';
import type { ReactElement } from 'react';
import { shownChoices } from '../limits.ts';
import { useText } from '../text/language.tsx';
import { ownText } from '../text/own-text.ts';

/** The settings that sessions of an agent have, and their values. */
export function OptionTable({ options }: { readonly options: readonly SessionConfigOption[] }): ReactElement {
  const { agents: text, own } = useText();
  return (
    <section className="agent-part" aria-label={text.options}>
      <h2>{text.options}</h2>
      <table className="agent-table">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{text.option}</th>
            <th scope="col">{text.values}</th>
          </tr>
        </thead>
        <tbody>
          {options.map((option) => (
            <tr key={option.id}>
              <th scope="row">
                {ownText(option.name, own)}{' '}
                {option.name !== option.id && <code className="soft">{option.id}</code>}
                {option.description !== undefined && <p className="small soft">{option.description}</p>}
              </th>
              <td>
                <Values option={option} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Values({ option }: { readonly option: SessionConfigOption }): ReactElement {
  const { agents: text, own } = useText();
  switch (option.type) {
    case 'boolean':
      return <span className="agent-value agent-value-now">{option.currentValue ? text.on : text.off}</span>;
    case 'select': {
      const { currentValue } = option;
      const values = option.options.flatMap((item) => ('group' in item ? item.options : [item]));
      const shown = values.filter(({ value }, index) => index < shownChoices || value === currentValue);
      return (
        <ul className="agent-values">
          {shown.map(({ value, name }) => (
            <li
              key={value}
              className={value === currentValue ? 'agent-value agent-value-now' : 'agent-value'}
            >
              {ownText(name, own)}
              {value === currentValue && <span className="visually-hidden"> ({text.current})</span>}
            </li>
          ))}
          {shown.length < values.length && <li className="soft">+{values.length - shown.length}</li>}
        </ul>
      );
    }
    case 'unknown':
      return <code className="soft">{JSON.stringify(option.raw)}</code>;
  }
}
