import type { ElicitationQuestion } from '@parley/host/hub';
import type { ReactElement } from 'react';
import { Honest } from '../parts/honest.tsx';
import { Answers } from '../question/answers.tsx';
import { QuestionFrame, type CardProps } from '../question/question-frame.tsx';
import { useAnswer } from '../question/use-answer.ts';
import { useText } from '../text/language.tsx';
import { AddressCard } from './address-card.tsx';
import { ElicitationForm } from './elicitation-form.tsx';
import { LeaveButtons } from './leave-buttons.tsx';

/** A question of an agent, or its request to open an address. */
export function ElicitationCard(props: CardProps<ElicitationQuestion>): ReactElement {
  const { question, steadySince } = props;
  const { request } = question;
  const { inbox } = useText();
  const { isSending, isEarly, error, send } = useAnswer(props);
  const leave = (action: 'decline' | 'cancel'): void => {
    if (!isSending) void send({ kind: 'form', action });
  };
  return (
    <QuestionFrame
      {...props}
      kind="question"
      label={request.mode === 'url' ? inbox.asksToOpen : inbox.asks}
      title={undefined}
      error={error}
      isEarly={isEarly}
    >
      <p className="call-words question-message">
        <Honest text={request.message} />
      </p>
      {request.mode === 'form' && (
        <ElicitationForm
          message={request.message}
          schema={request.requestedSchema}
          isBusy={isSending}
          onSubmit={(content) => void send({ kind: 'form', action: 'accept', content })}
          onLeave={leave}
        />
      )}
      {request.mode === 'url' && (
        <AddressCard
          url={request.url}
          isBusy={isSending}
          steadySince={() => steadySince(question.requestId)}
          onDone={() => void send({ kind: 'form', action: 'accept', content: {} })}
          onLeave={leave}
        />
      )}
      {request.mode === 'unknown' && (
        <>
          <p className="question-warning">{inbox.unknownMode}</p>
          <pre className="call-input">
            <Honest text={JSON.stringify(request.raw, undefined, 2)} />
          </pre>
          <Answers>
            <LeaveButtons isBusy={isSending} onLeave={leave} />
          </Answers>
        </>
      )}
    </QuestionFrame>
  );
}
