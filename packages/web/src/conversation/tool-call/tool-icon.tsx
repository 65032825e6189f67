import type { ToolKind } from '@parley/acp';
import {
  Brain,
  FilePen,
  FileText,
  Globe,
  type LucideIcon,
  MoveRight,
  Route,
  Search,
  SquareTerminal,
  Trash2,
  Wrench,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../../text/language.tsx';

/** What kind of thing a tool does. */
export function ToolIcon({ kind = 'other' }: { readonly kind?: ToolKind | undefined }): ReactElement {
  const { conversation: text } = useText();
  const Icon = icons[kind];
  return (
    <>
      <Icon className="tool-kind" size={16} aria-hidden />
      <span className="visually-hidden">{text.toolKinds[kind]}: </span>
    </>
  );
}

const icons: Readonly<Record<ToolKind, LucideIcon>> = {
  read: FileText,
  edit: FilePen,
  delete: Trash2,
  move: MoveRight,
  search: Search,
  execute: SquareTerminal,
  think: Brain,
  fetch: Globe,
  switch_mode: Route,
  other: Wrench,
};
