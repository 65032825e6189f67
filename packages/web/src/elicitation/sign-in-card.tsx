import type { SignInQuestion } from '@parley/host/hub';
import { CircleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { Honest } from '../parts/honest.tsx';
import { Answers } from '../question/answers.tsx';
import { QuestionFrame, type CardProps } from '../question/question-frame.tsx';
import { useAnswer } from '../question/use-answer.ts';
import { useText } from '../text/language.tsx';
import { SignInWay } from './sign-in-way.tsx';

/** An agent that requires a sign-in, and the ways to sign in. */
export function SignInCard(props: CardProps<SignInQuestion>): ReactElement {
  const { question } = props;
  const { agent, methods, commands = {}, failure } = question;
  const { inbox } = useText();
  const { isSending, isEarly, error, send } = useAnswer(props);
  return (
    <QuestionFrame
      {...props}
      kind="sign-in"
      label={inbox.signInTo(agent)}
      title={undefined}
      error={error}
      isEarly={isEarly}
    >
      {failure !== undefined && (
        <p className="question-error">
          <CircleAlert size={16} aria-hidden />
          <span>
            {inbox.signInFailed} <Honest text={failure} />
          </span>
        </p>
      )}
      {methods.length === 0 && <p>{inbox.noWay}</p>}
      <ul className="sign-in-ways">
        {methods.map((method) => (
          <li key={method.id}>
            <SignInWay
              agent={agent}
              method={method}
              command={commands[method.id]}
              isBusy={isSending}
              onSignIn={(values) =>
                void send({
                  kind: 'sign-in',
                  methodId: method.id,
                  ...(values !== undefined && { values }),
                })
              }
            />
          </li>
        ))}
      </ul>
      <Answers>
        {isSending && <output className="soft">{inbox.signingIn}</output>}
        <button
          type="button"
          className="button button-plain permission-action"
          aria-disabled={isSending}
          onClick={() => void send({ kind: 'cancel' })}
        >
          {inbox.doNotSignIn}
        </button>
      </Answers>
    </QuestionFrame>
  );
}
