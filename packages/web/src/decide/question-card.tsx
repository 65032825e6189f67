import type { HubQuestion } from '@parley/host/hub';
import type { ReactElement } from 'react';
import { ElicitationCard } from './elicitation-card.tsx';
import { PermissionCard } from './permission-card.tsx';
import type { CardProps } from './question-frame.tsx';
import { SignInCard } from './sign-in-card.tsx';

/** The card of any question. */
export function QuestionCard({ question, ...props }: CardProps<HubQuestion>): ReactElement {
  switch (question.kind) {
    case 'permission':
      return <PermissionCard question={question} {...props} />;
    case 'elicitation':
      return <ElicitationCard question={question} {...props} />;
    case 'sign-in':
      return <SignInCard question={question} {...props} />;
  }
}
