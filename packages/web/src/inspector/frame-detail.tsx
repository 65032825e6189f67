import { X } from 'lucide-react';
import { useMemo, type ReactElement, type ReactNode } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { useLanguage, useText } from '../text/language.tsx';
import { toDuration, toSize } from './amount.ts';
import type { FrameFilter } from './frame-filter.ts';
import type { FrameLog } from './frame-log.ts';
import type { FrameRow } from './frame-row.ts';
import { titleOf } from './frame-title.ts';
import { JsonView } from './json-view.tsx';
import './frame-detail.css';

/** What is shown of one frame. */
export interface FrameDetailProps {
  readonly row: FrameRow;
  readonly log: FrameLog;
  readonly onSelect: (seq: number) => void;
  readonly onFilter: (filter: FrameFilter) => void;
  readonly onClose: () => void;
}

/** A complete frame, with its context and the request that it answers. */
export function FrameDetail({ row, log, onSelect, onFilter, onClose }: FrameDetailProps): ReactElement {
  const { inspector: text } = useText();
  const { language } = useLanguage();
  const { seq, time, direction, kind, id, update, session, turn, prompt, toolCall, fault, size } = row;
  const value = useMemo(() => (row.text === '' ? undefined : parse(row.text)), [row.text]);
  return (
    <aside className="frame-detail" aria-label={text.frame(seq)}>
      <header className="frame-detail-head">
        <div>
          <p className="small soft">
            {text.frame(seq)} · {direction === 'in' ? text.fromAgent : text.toAgent}
          </p>
          <h2>{titleOf(row, text)}</h2>
        </div>
        <div className="frame-detail-acts">
          <CopyButton text={() => toCopy(row, value)} label={text.copyFrame} />
          <button type="button" className="button button-plain" title={text.close} onClick={onClose}>
            <X size={16} aria-hidden />
            <span className="visually-hidden">{text.close}</span>
          </button>
        </div>
      </header>
      <dl className="frame-facts">
        <Fact name={text.message}>{text.kinds[kind]}</Fact>
        <Fact name={text.time}>
          {new Date(time).toLocaleString(language, { dateStyle: 'short', timeStyle: 'medium' })}{' '}
          <span className="soft">+{((time - log.beganAt) / 1000).toFixed(3)} s</span>
        </Fact>
        <Fact name={text.size}>{toSize(size)}</Fact>
        {id !== undefined && (
          <Fact name={text.id}>
            <code>{id}</code>
          </Fact>
        )}
        {update !== undefined && (
          <Fact name={text.update}>
            <code>{update}</code>
          </Fact>
        )}
        <Partner row={row} log={log} onSelect={onSelect} />
        {session !== undefined && (
          <Fact name={text.session}>
            <code>{session}</code>
          </Fact>
        )}
        {turn !== undefined && prompt !== undefined && (
          <Fact name={text.turn}>
            {text.turnOf(turn)}
            {prompt !== seq && log.find(prompt) !== undefined && (
              <>
                {' · '}
                <Act
                  onAct={() => {
                    onSelect(prompt);
                  }}
                >
                  {text.showPrompt(prompt)}
                </Act>
              </>
            )}
            {' · '}
            <Act
              onAct={() => {
                onFilter({ prompt });
              }}
            >
              {text.showOnly}
            </Act>
          </Fact>
        )}
        {toolCall !== undefined && (
          <Fact name={text.toolCall}>
            <code>{toolCall}</code> ·{' '}
            <Act
              onAct={() => {
                onFilter({ toolCall });
              }}
            >
              {text.showOnly}
            </Act>
          </Fact>
        )}
        {fault !== undefined && <Fact name={text.faultIs}>{fault}</Fact>}
      </dl>
      {value !== undefined && <JsonView key={seq} value={value} label={text.json} />}
    </aside>
  );
}

type PartnerProps = Pick<FrameDetailProps, 'row' | 'log' | 'onSelect'>;

/** The answer of a request, or the request of an answer. */
function Partner({ row, log, onSelect }: PartnerProps): ReactElement | null {
  const { inspector: text } = useText();
  const { answers, latencyMs = 0 } = row;
  if (answers !== undefined) {
    const label = text.frameAfter(answers, toDuration(latencyMs));
    return (
      <Fact name={text.answers}>
        {log.find(answers) === undefined ? (
          label
        ) : (
          <Act
            onAct={() => {
              onSelect(answers);
            }}
          >
            {label}
          </Act>
        )}
      </Fact>
    );
  }
  if (row.kind !== 'request') return null;
  const answer = log.answerTo(row.seq);
  return (
    <Fact name={text.answeredBy}>
      {answer === undefined ? (
        log.isWaiting(row.seq) ? (
          text.waitingForAnswer
        ) : (
          text.neverAnswered
        )
      ) : (
        <Act
          onAct={() => {
            onSelect(answer.seq);
          }}
        >
          {text.frameAfter(answer.seq, toDuration(answer.latencyMs ?? 0))}
        </Act>
      )}
    </Fact>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt className="soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Act({
  onAct,
  children,
}: {
  readonly onAct: () => void;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <button type="button" className="frame-act" onClick={onAct}>
      {children}
    </button>
  );
}

function parse(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return value;
}

/** As a recording has it. */
function toCopy({ seq, time, direction, fault }: FrameRow, message: unknown): string {
  const known = { seq, time: new Date(time).toISOString(), direction };
  return JSON.stringify(
    { ...known, ...(message !== undefined && { message }), ...(fault !== undefined && { fault }) },
    undefined,
    2,
  );
}
