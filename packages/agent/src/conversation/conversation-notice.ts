/** Something the user should know, shown at the beginning of the next turn. */
export interface ConversationNotice {
  readonly severity: 'info' | 'warning';
  readonly title: string;
  readonly description: string;
}
