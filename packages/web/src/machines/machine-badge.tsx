import { Server } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useText } from '../text/language.tsx';
import './machine-badge.css';

/** The machine that runs a session. */
export function MachineBadge({ name }: { readonly name: string }): ReactElement {
  const { machines: text } = useText();
  return (
    <Link
      href="/machines"
      className="session-mark machine-badge"
      title={text.runsOn(name)}
      aria-label={text.runsOn(name)}
    >
      <Server aria-hidden size={14} /> <bdi>{name}</bdi>
    </Link>
  );
}
