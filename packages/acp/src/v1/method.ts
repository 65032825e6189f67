import type { Invalid } from '@parley/wire';
import type { Declared, Gate } from './rules/gate.ts';
import type { Objection } from './rules/objection.ts';
import type { SessionRole } from './session-book.ts';

/** Reads what came from outside: the same object where nothing had to change, else what can be kept of it. */
export type Reader<T> = (value: unknown) => T | Invalid;

/** What the protocol demands of a method, beyond the types of its params and its result. */
export interface MethodRule<Params = unknown, Result = unknown> {
  /** The capability without which it must not be called. */
  readonly gate?: Gate;
  /** Fields of the params that need a capability of their own. */
  readonly fields?: Readonly<Record<string, Gate>>;
  /** What it means for the session it names. */
  readonly session?: SessionRole;
  /** Where the params hold absolute paths, as in `additionalDirectories[]`. */
  readonly paths?: readonly string[];
  /** Where the result holds absolute paths. */
  readonly resultPaths?: readonly string[];
  /** Why the params are invalid, for either side. */
  check?(params: Params, declared: Declared): Objection | undefined;
  /** What speaks against params that we are about to send. From a peer they are taken. */
  checkSent?(params: Params, declared: Declared): Objection | undefined;
  /** What speaks against a result that we are about to send. From a peer it is taken. */
  checkResult?(result: Result, declared: Declared): Objection | undefined;
  /** The result when the turn in which it was asked is cancelled. */
  readonly cancelled?: Result;
  /** Whether a result says that the turn in which it was asked was cancelled. */
  isCancelled?(result: Result): boolean;
  /** A notification that some send as a request: then it is answered `{}`. */
  readonly mayBeRequest?: true;
}

/** The rules of one side's methods: a row for each, so that the compiler asks for the row of a new one. */
export type RequestRules<Requests> = {
  readonly [Name in keyof Requests]: Requests[Name] extends {
    readonly params: infer Params;
    readonly result: infer Result;
  }
    ? MethodRule<Params, Result>
    : never;
};

/** The same for notifications. */
export type NotificationRules<Notifications> = {
  readonly [Name in keyof Notifications]: Notifications[Name] extends { readonly params: infer Params }
    ? MethodRule<Params>
    : never;
};

/** A row of the method table: the generated readers and the written rule, side by side. */
export interface Method {
  readonly name: string;
  readonly kind: 'request' | 'notification';
  readonly rule: MethodRule;
  readonly parseParams: Reader<unknown>;
  /** Absent for a notification. */
  readonly parseResult?: Reader<unknown>;
}

/** The methods that one side carries out, by name. */
export type MethodTable = ReadonlyMap<string, Method>;

/** What the generated tables know of a method. */
export type MethodReaders = Pick<Method, 'kind' | 'parseParams' | 'parseResult'>;

/** Puts the rules beside the readers. */
export function createMethodTable(
  readers: Readonly<Record<string, MethodReaders>>,
  rules: Readonly<Record<string, MethodRule>>,
): MethodTable {
  const rows = Object.entries(readers).map(([name, { kind, parseParams, parseResult }]): [string, Method] => [
    name,
    { name, kind, rule: rules[name] ?? {}, parseParams, ...(parseResult !== undefined && { parseResult }) },
  ]);
  return new Map(rows);
}
