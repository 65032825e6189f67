import { MessageSquarePlus } from 'lucide-react';
import type { ReactElement } from 'react';
import { LineContent, LineKind } from '../../conversation/diff/diff-line.tsx';
import type { DiffLine } from '../../conversation/diff/to-diff.ts';
import { useText } from '../../text/language.tsx';
import { usePanel } from '../panel-context.ts';
import type { ChangesRow, LineRow, PairRow } from './changes-rows.ts';
import { CommentForm } from './comment-form.tsx';
import { FileNote } from './file-note.tsx';
import { FileRow } from './file-row.tsx';
import { HunkHead } from './hunk-head.tsx';
import { OmittedRow } from './omitted-row.tsx';

/** Any row of the panel. */
export function ChangeRow({ row }: { readonly row: ChangesRow }): ReactElement {
  switch (row.kind) {
    case 'file':
      return <FileRow row={row} />;
    case 'hunk':
      return <HunkHead row={row} />;
    case 'line':
      return <Line row={row} />;
    case 'pair':
      return <Pair row={row} />;
    case 'note':
      return <FileNote file={row.file} />;
    case 'comment':
      return <CommentForm row={row} />;
    case 'omitted':
      return <OmittedRow files={row.files} />;
  }
}

function Line({ row }: { readonly row: LineRow }): ReactElement {
  const { line } = row;
  return (
    <div className={`changes-line changes-unified diff-${line.kind}`} data-row={row.key} tabIndex={-1}>
      <span className="diff-number">{line.kind === 'added' ? '' : line.oldLine}</span>
      <span className="diff-number">{line.kind === 'removed' ? '' : line.newLine}</span>
      <span className="diff-sign">
        <LineKind line={line} />
        <span aria-hidden>{line.kind === 'added' ? '+' : line.kind === 'removed' ? '−' : ''}</span>
      </span>
      <code className="diff-code">
        <LineContent line={line} />
      </code>
      <CommentButton rowKey={row.key} line={line} />
    </div>
  );
}

function Pair({ row }: { readonly row: PairRow }): ReactElement {
  const { left, right } = row.pair;
  const line = right ?? left;
  return (
    <div className="changes-line changes-split" data-row={row.key} tabIndex={-1}>
      <Side line={left} side="old" />
      <Side line={right} side="new" />
      {line !== undefined && <CommentButton rowKey={row.key} line={line} />}
    </div>
  );
}

function Side({
  line,
  side,
}: {
  readonly line: DiffLine | undefined;
  readonly side: 'old' | 'new';
}): ReactElement {
  if (line === undefined) return <span className="changes-side diff-nothing" />;
  const number =
    line.kind === 'removed' || (line.kind === 'same' && side === 'old') ? line.oldLine : line.newLine;
  return (
    <span className={`changes-side diff-${line.kind}`}>
      <span className="diff-number">{number}</span>
      <code className="diff-code">
        <LineKind line={line} />
        <LineContent line={line} />
      </code>
    </span>
  );
}

/** Shown where the pointer or the focus is; with the keyboard, `c` does the same. */
function CommentButton({
  rowKey,
  line,
}: {
  readonly rowKey: string;
  readonly line: DiffLine;
}): ReactElement | null {
  const { changes: text } = useText();
  const { comment } = usePanel();
  if (comment === undefined) return null;
  const label = text.commentOn(line.kind === 'removed' ? line.oldLine : line.newLine);
  return (
    <button
      type="button"
      tabIndex={-1}
      className="changes-line-comment"
      title={label}
      aria-label={label}
      onClick={() => comment(rowKey)}
    >
      <MessageSquarePlus size={14} aria-hidden />
    </button>
  );
}
