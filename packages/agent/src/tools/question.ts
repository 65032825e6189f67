import type { FormQuestion } from '@parley/acp';

/** A question to the user. */
export interface Question extends FormQuestion {
  readonly text: string;
}
