import type { PermissionQuestion } from '@parley/host/hub';
import { toQuestionParts } from '@parley/host/state';
import { useMemo, useState, type KeyboardEvent, type ReactElement } from 'react';
import { useHubClient, useHubSession } from '../hub/use-hub.ts';
import { Honest } from '../parts/honest.tsx';
import { isTyping } from '../question/focus.ts';
import { QuestionFrame, type CardProps } from '../question/question-frame.tsx';
import { useAnswer } from '../question/use-answer.ts';
import { useText } from '../text/language.tsx';
import { ContentBlocks } from './content-blocks.tsx';
import { PermissionActions } from './permission-actions.tsx';
import { rejectionOf, toChoices, toRejection, type PermissionChoice } from './permission-choice.ts';
import { meaningOfKey } from './permission-key.ts';
import { ReasonForm } from './reason-form.tsx';
import { requestReason } from './reason-text.ts';
import { RememberPanel } from './remember-panel.tsx';
import { RequestParts } from './request-parts.tsx';

/** What an agent wants to do, all that is needed to decide about it, and the answers. */
export function PermissionCard(props: CardProps<PermissionQuestion>): ReactElement {
  const { question } = props;
  const { request, action, remember } = question;
  const { inbox } = useText();
  const client = useHubClient();
  const cwd = useHubSession(question.key)?.cwd;
  const answering = useAnswer(props);
  const [panel, setPanel] = useState<'remember' | 'reason'>();
  const parts = useMemo(() => toQuestionParts(action), [action]);
  const choices = useMemo(() => toChoices(request.options), [request]);
  const rejection = rejectionOf(request.options);

  const choose = ({ option: { optionId } }: PermissionChoice): void => {
    void answering.send({ kind: 'option', optionId });
  };
  const dismiss = (): void => {
    void answering.send({ kind: 'cancel' });
  };
  const rejectBecause = async (reason: string): Promise<void> => {
    const isTaken = await answering.send(toRejection(question, reason));
    // An agent that accepts no reason gets it as the next prompt, which the conversation shows.
    if (isTaken && question.takesReason !== true) {
      await client.prompt(question.key, [{ type: 'text', text: reason }]).catch(() => {});
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, repeat, target } = event;
    const meaning = meaningOfKey(
      { key, altKey, ctrlKey, metaKey, repeat, isTyping: isTyping(target) || panel !== undefined },
      {
        choices,
        canRemember: remember !== undefined,
        isDismissable: rejection === undefined,
        hasReason: rejection !== undefined,
      },
    );
    if (meaning === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    switch (meaning.kind) {
      case 'choose':
        choose(meaning.choice);
        break;
      case 'remember':
      case 'reason':
        setPanel(meaning.kind);
        break;
      case 'dismiss':
        dismiss();
        break;
    }
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
      onKeyDown={onKeyDown}
    >
      <RequestParts parts={parts} cwd={cwd} />
      <ContentBlocks content={request.toolCall.content} />
      <p className="question-why soft small">
        {inbox.why} <Honest text={requestReason(question, inbox)} />
      </p>
      {panel === undefined && (
        <PermissionActions
          choices={choices}
          isBusy={answering.isSending}
          onChoose={choose}
          {...(remember !== undefined && { onRemember: () => setPanel('remember') })}
          {...(rejection === undefined ? { onDismiss: dismiss } : { onReason: () => setPanel('reason') })}
        />
      )}
      {panel === 'remember' && remember !== undefined && (
        <RememberPanel
          offer={remember}
          isBusy={answering.isSending}
          onClose={() => setPanel(undefined)}
          onDecide={(decision, scope) => void answering.send({ kind: 'remember', decision, scope })}
        />
      )}
      {panel === 'reason' && (
        <ReasonForm
          goesWithAnswer={question.takesReason === true}
          isBusy={answering.isSending}
          onClose={() => setPanel(undefined)}
          onReject={(reason) => void rejectBecause(reason)}
        />
      )}
    </QuestionFrame>
  );
}
