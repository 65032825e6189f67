import type { HubSession } from '@parley/host/hub';
import { ShieldCheck } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';

/** The sandbox of a session's agent. */
export function SandboxBadge({
  mode,
  engine,
  autoApprove = false,
}: NonNullable<HubSession['sandbox']>): ReactElement {
  const { session } = useText();
  const { modes, title, help, approved, approvedHelp } = session.sandbox;
  const isReadOnly = mode === 'read-only';
  const what = isReadOnly ? modes.readOnlyHelp : modes.workspaceHelp;
  return (
    <span className="session-mark" title={help(autoApprove ? `${what} ${approvedHelp}` : what, engine)}>
      <ShieldCheck aria-hidden size={14} /> {title(isReadOnly ? modes.readOnly : modes.workspace)}
      {autoApprove && approved}
    </span>
  );
}
