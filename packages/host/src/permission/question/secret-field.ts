import type { ElicitationPropertySchema } from '@parley/acp';
import { namesSecret } from '@parley/recording';

/** A field of a form, and the question that the form asks. */
export interface AskedField {
  readonly message: string;
  readonly name: string;
  readonly property: ElicitationPropertySchema;
}

/**
 * Whether a form field asks for a password, a key or another secret, which must be neither shown nor stored. In
 * doubt, it is secret.
 */
export function isSecretField({ message, name, property }: AskedField): boolean {
  const { title = '', description = '' } = property.type === 'unknown' ? {} : property;
  if (namesSecret(name) || otherSecret.test(name.replaceAll(/[_-]|(?<=[a-z])(?=[A-Z])/gu, ' '))) return true;
  return [message, title, description].some(
    (text) => text.split(/\s+/u).some(namesSecret) || otherSecret.test(text),
  );
}

/** What names of fields and variables do not use, and questions do. */
const otherSecret =
  /\b(?:pin|otp|totp|2fa|mfa|cvv|cvc|ssn|pwd|passcode|(?:api|access|private|secret|ssh|signing|encryption|licen[cs]e) keys?|(?:one[- ]time|verification|security|recovery|backup|login|auth\w*) codes?|card numbers?)\b|密码|密碼|口令|密钥|密鑰|令牌|凭据|凭证|验证码|驗證碼/iu;
