import type { DeskQuestion } from '@parley/host/desk';
import type { ReactElement } from 'react';
import { ElicitationCard } from './elicitation-card.tsx';
import { PermissionCard } from './permission-card.tsx';
import type { CardProps } from './question-frame.tsx';
import { SignInCard } from './sign-in-card.tsx';

/** The card of any question. */
export function QuestionCard({ question, ...props }: CardProps<DeskQuestion>): ReactElement {
  switch (question.kind) {
    case 'permission':
      return <PermissionCard question={question} {...props} />;
    case 'elicitation':
      return <ElicitationCard question={question} {...props} />;
    case 'sign-in':
      return <SignInCard question={question} {...props} />;
  }
}
