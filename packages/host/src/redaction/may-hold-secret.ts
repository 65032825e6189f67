import { Redactor } from '@parley/recording';

/**
 * Whether redaction would replace something in a value: variables and headers with values, values whose name indicates a
 * secret, and texts in the format of one.
 */
export function mayHoldSecret(value: unknown): boolean {
  return new Redactor().redact(value) !== value;
}
