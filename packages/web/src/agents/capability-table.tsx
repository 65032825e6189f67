import { Check, CircleHelp, Minus } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import {
  knownCapabilities,
  toCapabilityRows,
  toExtraCapabilities,
  type CapabilityArea,
  type CapabilityState,
} from './capability-rows.ts';

const areas: readonly CapabilityArea[] = ['prompt', 'session', 'mcp', 'account'];

/** The known capabilities of an agent, in words, and the unknown ones. */
export function CapabilityTable({ capabilities }: { readonly capabilities: unknown }): ReactElement {
  const { agents: text } = useText();
  const rows = toCapabilityRows(capabilities);
  const extras = toExtraCapabilities(capabilities);
  return (
    <section className="agent-part" aria-label={text.capabilities}>
      <h2>{text.capabilities}</h2>
      <table className="agent-table">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{text.capability}</th>
            <th scope="col">{text.has}</th>
            <th scope="col">{text.reported}</th>
          </tr>
        </thead>
        {areas.map((area) => (
          <tbody key={area}>
            <tr>
              <th scope="rowgroup" colSpan={3} className="small soft">
                {text.areas[area]}
              </th>
            </tr>
            {rows
              .filter((row) => row.area === area && knownCapabilities[area].length > 0)
              .map(({ path, state }) => (
                <tr key={path}>
                  <td className={state === 'yes' ? undefined : 'soft'}>{text.capabilityTexts[path]}</td>
                  <td>
                    <State state={state} />
                  </td>
                  <td className="agent-table-code">
                    <code className="soft">{path}</code>
                  </td>
                </tr>
              ))}
          </tbody>
        ))}
      </table>
      {extras.length > 0 && (
        <>
          <h3 className="small">{text.extras}</h3>
          <p className="small soft">{text.extrasHelp}</p>
          <ul className="agent-extras">
            {extras.map(({ path, json }) => (
              <li key={path}>
                <code>{path}</code> <code className="soft">{json}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function State({ state }: { readonly state: CapabilityState }): ReactElement {
  const { agents: text } = useText();
  const icons = { yes: Check, no: Minus, unreported: CircleHelp } as const;
  const Icon = icons[state];
  return (
    <span className={`agent-state agent-state-${state}`}>
      <Icon size={14} aria-hidden />
      {text.states[state]}
    </span>
  );
}
