import type { PermissionState } from '@parley/host/state';
import { ShieldCheck, ShieldX } from 'lucide-react';
import type { ReactElement } from 'react';
import { decisionReason } from '../../permission/reason-text.ts';
import { useText } from '../../text/language.tsx';
import { outcomeOf } from './tool-state.ts';

/** Who decided about a call, and why. */
export function PermissionLine({
  permission,
}: {
  readonly permission: PermissionState;
}): ReactElement | null {
  const { conversation: text, inbox } = useText();
  const { answer, options, opaque } = permission;
  if (answer === undefined) return null;
  const outcome = outcomeOf(permission);
  const { by } = answer;
  const why = decisionReason({ answer, options }, inbox);
  const deciders: Readonly<Record<string, string>> = text.deciders;
  const who = answer.person ?? deciders[by] ?? by;
  const option = options.find(({ optionId }) => optionId === answer.decision);
  const said =
    outcome === 'allowed'
      ? text.permissionAllowed(who)
      : outcome === 'rejected'
        ? by === 'nobody'
          ? text.permissionWithoutUser
          : text.permissionRejected(who)
        : outcome === 'cancelled'
          ? text.permissionCancelled(who)
          : text.aside(option?.name ?? answer.decision, who);
  const Icon = outcome === 'allowed' ? ShieldCheck : ShieldX;
  return (
    <p className={`permission-line permission-${outcome ?? 'other'} small`}>
      <Icon size={14} aria-hidden />
      <span>{said}</span>
      {why !== '' && <span className="soft">{why}</span>}
      {opaque === true && <span className="soft">{text.opaque}</span>}
    </p>
  );
}
