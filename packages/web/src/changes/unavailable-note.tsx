import type { UnavailableTurn } from '@parley/host/hub';
import { Info } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';

/** The turns that are not in the diff of the session, and why. */
export function UnavailableNote({ turns }: { readonly turns: readonly UnavailableTurn[] }): ReactElement {
  const { changes: text } = useText();
  return (
    <div className="changes-unavailable small" role="note">
      {Array.from(byMachine(turns), ([machine, numbers]) => (
        <p key={machine ?? ''}>
          <Info size={14} aria-hidden /> {text.unavailable(numbers, machine)}
        </p>
      ))}
    </div>
  );
}

/** The numbers of the turns by the machine that has their checkpoints; undefined if they were removed. */
function byMachine(turns: readonly UnavailableTurn[]): ReadonlyMap<string | undefined, readonly number[]> {
  const groups = new Map<string | undefined, readonly number[]>();
  for (const { turn, machine } of turns) groups.set(machine, [...(groups.get(machine) ?? []), turn]);
  return groups;
}
