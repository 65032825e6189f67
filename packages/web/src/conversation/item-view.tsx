import type { CompactionItem, Item, NoticeItem, QuestionItem } from '@parley/host/state';
import {
  Bug,
  CircleQuestionMark,
  FilePen,
  FilePlus,
  Info,
  MessageCircleQuestion,
  Minimize2,
  PackageX,
  PowerOff,
  RotateCw,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import { use, type ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { ownText } from '../text/own-text.ts';
import { describeAgentEnd } from './agent-end.ts';
import { ValueView } from './content/value-view.tsx';
import { PlaceContext } from './conversation-context.ts';
import { Markdown } from './markdown/markdown.tsx';
import { messageText } from './message/message-text.ts';
import { Message } from './message/message.tsx';
import { PathName } from './path-name.tsx';
import { Remark, type RemarkProps } from './remark.tsx';
import { SessionMessage, Subagent } from './subagent-item.tsx';
import { ToolCall } from './tool-call/tool-call.tsx';
import { nameOfUnknown } from './unknown-name.ts';

/** An item, and what it needs to know of its neighbours. */
export interface ItemViewProps {
  readonly item: Item;
  /** More of it may come. */
  readonly isOpen: boolean;
  /** It is the first after another speaker. */
  readonly isFirst: boolean;
}

/** Anything that happened in a session. */
export function ItemView({ item, isOpen, isFirst }: ItemViewProps): ReactElement {
  const { conversation: text } = useText();
  const { cwd } = use(PlaceContext);
  switch (item.kind) {
    case 'message':
      return <Message item={item} isOpen={isOpen} isFirst={isFirst} />;
    case 'tool-call':
      return <ToolCall item={item} />;
    case 'question':
      return <Question item={item} />;
    case 'notice':
      return <Notice item={item} />;
    case 'compaction':
      return <Compaction item={item} />;
    case 'subagent':
      return <Subagent item={item} />;
    case 'session-message':
      return <SessionMessage item={item} />;
    case 'file-write':
      return (
        <Remark icon={item.isNew ? FilePlus : FilePen}>
          {text.labelled(item.isNew ? text.fileCreated : text.fileWritten, '')}
          <PathName path={item.path} {...(cwd !== undefined && { cwd })} />
        </Remark>
      );
    case 'diagnostic':
      return (
        <Remark icon={item.level === 'info' ? Info : Bug} tone={toneOf(item.level)}>
          {text.labelled(text.aside(text.diagnostics[item.level], item.code), item.message)}
        </Remark>
      );
    case 'interruption':
      // The end of its turn says that Parley stopped.
      return item.isLossy ? (
        <Remark icon={Unplug} tone="warn">
          <strong>{text.interruption}.</strong> {text.interruptionLossy}
        </Remark>
      ) : (
        <></>
      );
    case 'agent-end':
      return (
        <Remark icon={PowerOff} tone="bad">
          {describeAgentEnd(item, text)}
        </Remark>
      );
    case 'recovery':
      return (
        <Remark icon={RotateCw} tone={item.by === 'new' ? 'warn' : 'soft'}>
          {text.recoveries[item.by]}
        </Remark>
      );
    case 'omission':
      return <Remark icon={PackageX}>{text.omission(item.of)}</Remark>;
    case 'unknown': {
      const name = nameOfUnknown(item.raw);
      return (
        <Remark icon={CircleQuestionMark} details={<ValueView value={item.raw} />} detailsName={text.showRaw}>
          {name === undefined ? text.unknownUpdateNoName : text.unknownUpdate(name)}
        </Remark>
      );
    }
  }
}

function toneOf(level: string): RemarkProps['tone'] & string {
  if (level === 'error') return 'bad';
  return level === 'warning' ? 'warn' : 'soft';
}

function Notice({ item: { notice } }: { readonly item: NoticeItem }): ReactElement {
  const { conversation: text, own } = useText();
  const names: Readonly<Record<string, string>> = text.notices;
  const name = Object.hasOwn(names, notice.severity) ? names[notice.severity] : notice.severity;
  return (
    <Remark icon={notice.severity === 'info' ? Info : TriangleAlert} tone={toneOf(notice.severity)}>
      <span className="visually-hidden">{name}: </span>
      <strong>{ownText(notice.title, own)}</strong>
      {notice.description !== undefined && <> {ownText(notice.description, own)}</>}
    </Remark>
  );
}

function Question({ item }: { readonly item: QuestionItem }): ReactElement {
  const { conversation: text } = useText();
  const { answer, message } = item;
  const names: Readonly<Record<string, string>> = text.questionAnswers;
  const said =
    answer === undefined
      ? text.questionOpen
      : answer.by === 'nobody'
        ? text.questionWithoutUser
        : text.aside(
            answer.chosen === undefined ? (names[answer.action] ?? answer.action) : text.list(answer.chosen),
            answer.person ?? text.deciders.person,
          );
  return (
    <Remark icon={MessageCircleQuestion} tone={answer === undefined ? 'warn' : 'soft'}>
      {text.labelled(text.question, message)} <strong>{said}</strong>
    </Remark>
  );
}

function Compaction({ item }: { readonly item: CompactionItem }): ReactElement {
  const { conversation: text } = useText();
  const said: Readonly<Record<string, string>> = {
    in_progress: text.compacting,
    completed: text.compacted,
    failed: text.compactionFailed,
    cancelled: text.compactionCancelled,
  };
  const summary = messageText({ blocks: item.summary });
  return (
    <Remark
      icon={Minimize2}
      tone={item.status === 'failed' ? 'bad' : 'soft'}
      detailsName={text.details}
      {...(summary !== '' && { details: <Markdown text={summary} id={`c${item.seq}`} /> })}
    >
      {said[item.status] ?? `${text.compacted}: ${item.status}`}
      {item.error !== undefined && `: ${item.error}`}
    </Remark>
  );
}
