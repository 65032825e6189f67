import type { ToolKind } from '@parley/acp';
import {
  ArrowRightLeft,
  FileText,
  FolderInput,
  Globe,
  Lightbulb,
  Pencil,
  Search,
  Terminal,
  Trash2,
  Wrench,
} from 'lucide-react';
import type { ReactElement } from 'react';

/** The sign of a kind of tool call. */
export function KindIcon({ kind }: { readonly kind: ToolKind }): ReactElement {
  switch (kind) {
    case 'read':
      return <FileText size={18} aria-hidden />;
    case 'edit':
      return <Pencil size={18} aria-hidden />;
    case 'delete':
      return <Trash2 size={18} aria-hidden />;
    case 'move':
      return <FolderInput size={18} aria-hidden />;
    case 'search':
      return <Search size={18} aria-hidden />;
    case 'execute':
      return <Terminal size={18} aria-hidden />;
    case 'think':
      return <Lightbulb size={18} aria-hidden />;
    case 'fetch':
      return <Globe size={18} aria-hidden />;
    case 'switch_mode':
      return <ArrowRightLeft size={18} aria-hidden />;
    case 'other':
      return <Wrench size={18} aria-hidden />;
  }
}
