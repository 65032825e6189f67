import type { PermissionOption } from '@parley/acp';
import type { PermissionQuestion } from '@parley/host/hub';
import { toPermissionChoices, toQuestionParts } from '@parley/host/state';
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import { useHubClient, useHubSession } from '../hub/use-hub.ts';
import { Honest } from '../parts/honest.tsx';
import { isTyping } from '../question/focus.ts';
import { QuestionFrame, type CardProps } from '../question/question-frame.tsx';
import { useAnswer } from '../question/use-answer.ts';
import { useText } from '../text/language.tsx';
import { AlwaysPanel } from './always-panel.tsx';
import { ContentBlocks } from './content-blocks.tsx';
import { ContinuesBelow } from './continues-below.tsx';
import { PermissionActions, type PermissionPanel } from './permission-actions.tsx';
import { toRejection } from './permission-choice.ts';
import { meaningOfKey } from './permission-key.ts';
import { ReasonForm } from './reason-form.tsx';
import { requestReason } from './reason-text.ts';
import { RequestParts } from './request-parts.tsx';

/** A permission request with everything needed to decide about it, and the answers. */
export function PermissionCard(props: CardProps<PermissionQuestion>): ReactElement {
  const { question } = props;
  const { request, action, remember } = question;
  const { inbox } = useText();
  const client = useHubClient();
  const cwd = useHubSession(question.key)?.cwd;
  const answering = useAnswer(props);
  const { panel, open, close, card } = usePanel();
  const parts = useMemo(() => toQuestionParts(action), [action]);
  const choices = useMemo(
    () =>
      toPermissionChoices(request.options, {
        kind: action.kind,
        ...(remember !== undefined && { remember }),
      }),
    [request, action, remember],
  );
  const { allow, reject, always } = choices;

  const choose = ({ optionId }: PermissionOption): void => {
    void answering.send({ kind: 'option', optionId });
  };
  const dismiss = (): void => {
    void answering.send({ kind: 'cancel' });
  };
  const rejectBecause = async (reason: string): Promise<void> => {
    const isTaken = await answering.send(toRejection(question, reason));
    // An agent that accepts no feedback gets it as the next prompt, which the conversation shows.
    if (isTaken && question.takesReason !== true) {
      await client.prompt(question.key, [{ type: 'text', text: reason }]).catch(() => {});
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, repeat, target } = event;
    const isTaken = isTyping(target) || panel !== undefined;
    const meaning = meaningOfKey({ key, altKey, ctrlKey, metaKey, repeat, isTyping: isTaken });
    if (meaning === undefined || (meaning === 'allow' && allow === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    if (meaning === 'allow' && allow !== undefined) choose(allow);
    else if (reject !== undefined) choose(reject);
    else dismiss();
  };
  const { title = '', command, kind } = action;
  const isTitleSaid = typeof command?.command === 'string' && title.trim().endsWith(command.command.trim());
  return (
    <QuestionFrame
      {...props}
      kind={kind}
      label={inbox.kinds[kind]}
      title={isTitleSaid || title.trim() === '' ? undefined : title}
      error={answering.error}
      isEarly={answering.isEarly}
      isLong={parts.some(
        (part) => part.kind === 'plan' || (part.kind === 'file' && part.file.change !== undefined),
      )}
      onKeyDown={onKeyDown}
    >
      <RequestParts parts={parts} cwd={cwd} />
      <ContentBlocks content={request.toolCall.content} />
      <p className="question-why soft small">
        {inbox.why}
        <Honest text={requestReason(question, inbox)} />
      </p>
      <div ref={card} className="question-answers">
        <ContinuesBelow answers={card} />
        {panel === undefined && (
          <PermissionActions
            choices={choices}
            isBusy={answering.isSending}
            onChoose={choose}
            onDismiss={dismiss}
            onOpen={open}
          />
        )}
        {panel === 'always' && always !== undefined && (
          <AlwaysPanel
            choices={always}
            isBusy={answering.isSending}
            onClose={close}
            onChoose={choose}
            onDecide={(decision, scope) => void answering.send({ kind: 'remember', decision, scope })}
          />
        )}
        {panel === 'feedback' && (
          <ReasonForm
            goesWithAnswer={question.takesReason === true}
            isBusy={answering.isSending}
            onClose={close}
            onReject={(reason) => void rejectBecause(reason)}
          />
        )}
      </div>
    </QuestionFrame>
  );
}

interface Panel {
  readonly panel: PermissionPanel | undefined;
  readonly open: (panel: PermissionPanel) => void;
  readonly close: () => void;
  /** What the buttons and panels are in. */
  readonly card: RefObject<HTMLDivElement | null>;
}

/** The open panel of a card. When it closes, the button that opened it has the focus again. */
function usePanel(): Panel {
  const [panel, setPanel] = useState<PermissionPanel>();
  const card = useRef<HTMLDivElement>(null);
  const closed = useRef<PermissionPanel>(undefined);
  useEffect(() => {
    if (panel !== undefined || closed.current === undefined) return;
    card.current?.querySelector<HTMLElement>(`[data-panel=${closed.current}]`)?.focus();
    closed.current = undefined;
  }, [panel]);
  const close = (): void => {
    closed.current = panel;
    setPanel(undefined);
  };
  return { panel, open: setPanel, close, card };
}
