import { ExternalLink } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../../text/language.tsx';
import { safeLink } from './safe-link.ts';

/** A link of the agent's. */
export interface OutsideLinkProps {
  readonly address: string | undefined;
  readonly children: ReactNode;
}

/** A link that leaves Parley and says so; addresses that must not be opened are shown as text. */
export function OutsideLink({ address, children }: OutsideLinkProps): ReactElement {
  const { conversation: text } = useText();
  const href = safeLink(address);
  if (href === undefined) return <span title={address}>{children}</span>;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
      <ExternalLink className="outside-mark" size="0.8em" aria-hidden />
      <span className="visually-hidden"> ({text.opensElsewhere})</span>
    </a>
  );
}
