import { AgentError } from '../../agent-error.ts';
import { firstCharacters } from '../../first-characters.ts';
import type { ModelFailure } from '../../model/with-retries.ts';
import { withoutSecrets } from '../../without-secrets.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** The provider of the failure, and the secrets to redact. */
export interface FailureSource {
  /** `provider/model`. */
  readonly name: string;
  readonly settings: ProviderSettings;
}

/** The failure, for users and for the decision to retry, with secrets redacted. */
export function toFailure(caught: unknown, source: FailureSource): ModelFailure {
  // What we break off ourselves comes back inside an error of the AI SDK.
  const error = caught instanceof Error && caught.cause instanceof AgentError ? caught.cause : caught;
  const fields = fieldsOf(error);
  const retryAfterMs = readRetryAfter(fieldsOf(fields['responseHeaders']));
  const message = withoutSecrets(`${source.name}: ${reasonOf(error, fields)}`, secretsIn(source.settings));
  return {
    message: firstCharacters(message, 500),
    isTransient: !isFinal(fields),
    ...(isOverflow(fields) && { isOverflow: true }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** The failure of a response that ended before it was whole. */
export function cutFailure({ name }: FailureSource): ModelFailure {
  return { message: `${name}: the response was cut off`, isTransient: true };
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether repeating the request would fail again. Errors without a status come from the network or the stream. */
function isFinal({ name, statusCode, isRetryable, responseBody }: Fields): boolean {
  if (typeof responseBody === 'string' && noQuota.test(responseBody)) return true;
  if (typeof statusCode !== 'number') {
    return isRetryable === false || (typeof name === 'string' && ownMistakes.has(name));
  }
  return statusCode >= 400 && statusCode < 500 && !passingStatuses.has(statusCode);
}

/** Providers have no common code for a conversation that is too long, and words that are much alike. */
function isOverflow({ statusCode, message, responseBody }: Fields): boolean {
  if (statusCode === 413) return true;
  if (statusCode !== 400) return false;
  return [message, responseBody].some((text) => typeof text === 'string' && overflowWords.test(text));
}

const overflowWords =
  /context[ _](?:length|window|size)|prompt is too long|too many (?:input )?tokens|input is too long|maximum (?:number of )?(?:input )?tokens|token count.{0,40}exceeds/iu;

/** OpenAI answers 429 both for too many requests and for an account without credit, which no wait changes. */
const noQuota = /"insufficient_quota"/u;

const passingStatuses: ReadonlySet<number> = new Set([408, 409, 429]);

/** Errors of the AI SDK about its arguments, and our own: a retry would fail again. */
const ownMistakes: ReadonlySet<string> = new Set([
  'AgentError',
  'AI_InvalidArgumentError',
  'AI_InvalidPromptError',
  'AI_LoadAPIKeyError',
  'AI_UnsupportedFunctionalityError',
]);

function reasonOf(error: unknown, { name, message, statusCode }: Fields): string {
  const text = typeof error === 'string' ? error : typeof message === 'string' ? message : '';
  // Such messages contain what was received, unchecked.
  if (/^(?:JSON parsing|Type validation) failed/u.test(text)) {
    return 'it sent something that is not of its format';
  }
  if (name === 'AI_InvalidResponseDataError') return 'the response was cut off, or is not of its format';
  const isBroken = name === 'TypeError' || (typeof statusCode === 'number' && statusCode < 400);
  if (isBroken) return 'the connection broke';
  const reason = text.replace(/\s+/gu, ' ').trim() || 'it failed';
  return typeof statusCode === 'number' ? `HTTP ${String(statusCode)}: ${reason}` : reason;
}

function readRetryAfter(headers: Fields): number | undefined {
  const ms = toNumber(headers['retry-after-ms']);
  if (ms !== undefined) return ms;
  const after = headers['retry-after'];
  const seconds = toNumber(after);
  if (seconds !== undefined) return seconds * 1000;
  const date = typeof after === 'string' ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function toNumber(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** The key, the headers, and the credentials in the URL. */
function secretsIn({ apiKey = '', baseUrl, headers = {} }: ProviderSettings): readonly string[] {
  const userInfo = /^[^/]*\/\/([^/@]+)@/u.exec(baseUrl ?? '')?.[1];
  const sent = Object.values(headers).flatMap((value) => [value, ...value.split(' ').slice(1)]);
  return [apiKey, ...sent, ...(userInfo === undefined ? [] : [userInfo, ...userInfo.split(':').slice(1)])];
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) return {};
  // The name of an error is that of its class.
  const named = value instanceof Error ? { name: value.name, message: value.message } : {};
  return { ...Object.fromEntries(Object.entries(value)), ...named };
}
