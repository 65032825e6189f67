/** Checks whether a name (of a key, variable, header or flag) indicates a secret. */
export function namesSecret(name: string): boolean {
  if (name.length > maxNameLength || !mayNameSecret.test(name)) return false;
  const words = name
    .replaceAll(/([a-z\d])(?=[A-Z])/gu, '$1 ')
    .toLowerCase()
    .split(/[^a-z\d]+/u)
    .filter((word) => word !== '');
  const joined = words.join('');
  if (secretParts.some((part) => joined.includes(part))) return true;
  if (words.includes('token') || words.includes('tokens')) return !words.some((word) => counted.has(word));
  return words.at(-1) === 'auth';
}

/** Whether a name is that of an object of variables or headers, which may have any names. */
export function namesVariables(name: string): boolean {
  return (
    /(?:^|[_-])(?:env|environ|environment|cookies|headers)$/iu.test(name) ||
    /[a-z](?:Env|Environment|Cookies|Headers)$/u.test(name)
  );
}

/** Characters of a name that are checked. */
const maxNameLength = 200;

/** Most names contain none of these, which one test shows. */
const mayNameSecret = /pass|secret|cred|auth|cookie|key|bearer|jwt|token/iu;

const secretParts = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'credential',
  'authorization',
  'cookie',
  'apikey',
  'accesskey',
  'privatekey',
  'signingkey',
  'encryptionkey',
  'bearer',
  'jwt',
];

/** Beside one of these, a token is a piece of text, or a step, and no key to anything. */
const counted: ReadonlySet<string> = new Set(
  'budget cached count context input limit max min output progress read reasoning thought total usage used write'.split(
    ' ',
  ),
);
