import { UnfoldVertical } from 'lucide-react';
import { useMemo, useState, type ReactElement } from 'react';
import { diffPage } from '../../limits.ts';
import { useText } from '../../text/language.tsx';
import { LineContent, LineKind } from './diff-line.tsx';
import { foldDiff, pairLines, type DiffLine, type DiffSection, type FileDiff } from './to-diff.ts';

/** How a diff is laid out. */
export type DiffLayout = 'unified' | 'split';

/** A diff as a table. */
export interface DiffTableProps {
  readonly diff: FileDiff;
  readonly layout: DiffLayout;
  /** What the table is called. */
  readonly label: string;
}

/** The lines of a diff; parts without a change are folded, and what is long comes in pages. */
export function DiffTable({ diff, layout, label }: DiffTableProps): ReactElement {
  const { conversation: text } = useText();
  const sections = useMemo(() => foldDiff(diff.lines), [diff]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [limit, setLimit] = useState(diffPage);
  const page = pageOf(sections, opened, limit);

  return (
    <div className="diff-scroll">
      <table className={`diff-table diff-${layout}`} aria-label={text.diffOf(label)}>
        <colgroup>
          <col className="diff-number" />
          <col className={layout === 'split' ? undefined : 'diff-number'} />
          <col className={layout === 'split' ? 'diff-number' : 'diff-sign'} />
          <col />
        </colgroup>
        <tbody>
          {page.sections.flatMap(({ section, index, lines }) =>
            section.kind === 'folded' && !opened.has(index) ? (
              <tr key={`fold-${index}`} className="diff-fold">
                <td colSpan={4}>
                  <button
                    type="button"
                    className="diff-unfold small"
                    onClick={() => {
                      setOpened(new Set([...opened, index]));
                    }}
                  >
                    <UnfoldVertical size={14} aria-hidden /> {text.unchangedLines(section.lines.length)}
                  </button>
                </td>
              </tr>
            ) : layout === 'split' ? (
              pairLines(lines).map(({ left, right }) => (
                <tr key={`${numberOf(left)} ${numberOf(right)}`}>
                  <Side line={left} side="old" />
                  <Side line={right} side="new" />
                </tr>
              ))
            ) : (
              lines.map((line) => <UnifiedRow key={`${line.kind} ${numberOf(line)}`} line={line} />)
            ),
          )}
        </tbody>
      </table>
      {page.left > 0 && (
        <button
          type="button"
          className="button diff-more"
          onClick={() => {
            setLimit(limit + diffPage);
          }}
        >
          {text.moreLines(page.left)}
        </button>
      )}
    </div>
  );
}

interface Page {
  readonly sections: readonly {
    readonly section: DiffSection;
    readonly index: number;
    readonly lines: readonly DiffLine[];
  }[];
  /** How many lines are not on it. */
  readonly left: number;
}

function pageOf(sections: readonly DiffSection[], opened: ReadonlySet<number>, limit: number): Page {
  const shown: Page['sections'][number][] = [];
  let room = limit;
  let left = 0;
  for (const [index, section] of sections.entries()) {
    const isFolded = section.kind === 'folded' && !opened.has(index);
    if (isFolded) {
      if (room > 0) shown.push({ section, index, lines: [] });
      continue;
    }
    const lines = section.lines.slice(0, Math.max(0, room));
    if (lines.length > 0) shown.push({ section, index, lines });
    left += section.lines.length - lines.length;
    room -= section.lines.length;
  }
  return { sections: shown, left };
}

function UnifiedRow({ line }: { readonly line: DiffLine }): ReactElement {
  return (
    <tr className={`diff-${line.kind}`}>
      <td className="diff-number">{line.kind === 'added' ? '' : line.oldLine}</td>
      <td className="diff-number">{line.kind === 'removed' ? '' : line.newLine}</td>
      <Sign line={line} />
      <td className="diff-code">
        <LineContent line={line} />
      </td>
    </tr>
  );
}

function Side({
  line,
  side,
}: {
  readonly line: DiffLine | undefined;
  readonly side: 'old' | 'new';
}): ReactElement {
  if (line === undefined) {
    return (
      <td className="diff-nothing" colSpan={2}>
        {'\u00A0'}
      </td>
    );
  }
  const number = side === 'old' ? numberOf(line) : line.kind === 'same' ? line.newLine : numberOf(line);
  return (
    <>
      <td className={`diff-number diff-${line.kind}`}>{number}</td>
      <td className={`diff-code diff-${line.kind}`}>
        <LineKind line={line} />
        <LineContent line={line} />
      </td>
    </>
  );
}

function Sign({ line }: { readonly line: DiffLine }): ReactElement {
  return (
    <td className="diff-sign">
      <LineKind line={line} />
      <span aria-hidden>{line.kind === 'added' ? '+' : line.kind === 'removed' ? '−' : ''}</span>
    </td>
  );
}

function numberOf(line: DiffLine | undefined): number | undefined {
  if (line === undefined) return undefined;
  return line.kind === 'added' ? line.newLine : line.oldLine;
}
