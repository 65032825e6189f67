import { namesSecret } from './secret-name.ts';

/** The replacement for a secret. */
export const redacted = '[redacted]';

/**
 * Redacts everything in a text that has the format of a secret: keys and tokens of well-known services, private keys,
 * authorization headers, `NAME=value` and `--name value` if the name indicates a secret, and passwords in addresses.
 */
export function redactText(text: string): string {
  if (text.length < shortestSecret) return text;
  return text
    .replaceAll(privateKey, redacted)
    .replaceAll(wellKnown, redacted)
    .replaceAll(header, `$1${redacted}`)
    .replaceAll(scheme, `$1${redacted}`)
    .replaceAll(password, `$1${redacted}@`)
    .replaceAll(pair, (whole, name: string, between: string, value: string) =>
      isWritten(value) && namesSecret(name) ? `${name}${between}${redacted}` : whole,
    )
    .replaceAll(flag, (whole, name: string, space: string) =>
      namesSecret(name) ? `${name}${space}${redacted}` : whole,
    );
}

const shortestSecret = 8;

// Each of these takes time in proportion to the length of any text: nothing is tried from inside a run of
// characters that was tried from its beginning, and each look ahead has an end.

const privateKey =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-{1,4}[^-]+)*(?:-----END [A-Z ]{0,40}-----)?/gu;

const wellKnown = new RegExp(
  `(?<![\\w-])(?:${[
    '(?:sk|rk|pk)[-_](?=[A-Za-z_-]{0,64}\\d)[\\w-]{16,}',
    'gh[oprsu]_[A-Za-z\\d]{20,}',
    'github_pat_\\w{20,}',
    'glpat-[\\w-]{16,}',
    'xox[a-z]-[\\w-]{10,}',
    '(?:AKIA|ASIA)[A-Z\\d]{16}(?!\\w)',
    'AIza[\\w-]{30,}',
    'ya29\\.[\\w-]{20,}',
    'npm_[A-Za-z\\d]{30,}',
    'hf_[A-Za-z\\d]{20,}',
    'eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]+',
  ].join('|')})`,
  'gu',
);

const header =
  /(\b(?:proxy-)?authorization\\?["']?\s?:\s?\\?["']?|\b(?:x-)?api-key\\?["']?\s?:\s?\\?["']?|\bx-auth-token\\?["']?\s?:\s?\\?["']?|\b(?:set-)?cookie\\?["']?\s?:\s?\\?["']?)[^\r\n"'\\]+/giu;

const scheme = /(\b(?:Bearer|Basic) {1,3})(?=[a-z._~+/-]{0,200}[A-Z\d=])[\w.~+/=-]{8,}/gu;

const password = /(:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,400}@/gu;

/** `NAME=value`, `name="value"`, `"name": "value"`, also inside a text that is JSON itself. */
const pair =
  /(?<![\w-])(-{0,2}[A-Za-z][\w-]{0,80})(\\?["']?(?:=\\?["']?|\s{0,3}[:=]\s{0,3}\\?["']))([^\s"'\\&;,]{4,})/gu;

const flag = /(?<!\S)(--?[A-Za-z][\w-]{0,60})( {1,3})(?!-)\S{4,}/gu;

/** Whether it is a value, and not where one comes from: a variable, a call, a place to be filled. */
function isWritten(value: string): boolean {
  return !/^[$<{[(]|[({]/u.test(value);
}
