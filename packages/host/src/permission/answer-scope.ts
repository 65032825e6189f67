/** How long an answer counts: for the turn, the session, in the project, or everywhere. */
export type AnswerScope = 'turn' | 'session' | 'project' | 'user';

/** How long an answer counts, in words. */
export function scopeText(scope: AnswerScope): string {
  switch (scope) {
    case 'turn':
      return 'for this turn';
    case 'session':
      return 'for this session';
    case 'project':
      return 'in this project';
    case 'user':
      return 'everywhere';
  }
}
