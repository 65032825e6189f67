/** A question to the user. */
export interface Question {
  readonly text: string;
  /** What the user can choose from; an answer in other words is always possible. @default none */
  readonly options?: readonly QuestionOption[];
  /** Whether more than one option may be chosen. @default false */
  readonly isMultiple?: boolean;
}

/** One answer that is offered. */
export interface QuestionOption {
  readonly label: string;
  readonly description?: string;
}
