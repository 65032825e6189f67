import type { Redaction } from '../redaction/redaction.ts';
import type { FrameRedactor } from './frame-log.ts';

/**
 * Redacts the secrets known here in frames, after the general rules, which also redact text in the format of a
 * secret.
 */
export function frameRedactor(others: FrameRedactor | undefined, redaction: () => Redaction): FrameRedactor {
  const redact = (message: unknown): unknown => redaction().value(message);
  const redactText = (text: string): string => redaction().text(text);
  if (others === undefined) return { redact, redactText };
  return {
    redact: (message) => redact(others.redact(message)),
    redactText: (text) => redactText(others.redactText(text)),
  };
}
