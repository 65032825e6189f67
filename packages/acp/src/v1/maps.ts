/** Requests by name, with what they take and what they are answered with. */
export type RequestMap<Requests> = {
  readonly [Method in keyof Requests]: { readonly params: object; readonly result: unknown };
};

/** Notifications by name, with what they carry. */
export type NotificationMap<Notifications> = {
  readonly [Method in keyof Notifications]: { readonly params: object };
};

/** What a handler gives: the result, now or later; nothing will do where an empty object is a result. */
export type Answer<Result> = Given<Result> | Promise<Given<Result>>;

type Given<Result> = object extends Result ? Result | void : Result;

/**
 * Carries out a method. Written as a method signature, so that handlers of different methods fit into one table:
 * what they are called with has gone through the reader of their own method.
 */
export type Handler<Params, Context, Result> = {
  handle(params: Params, context: Context): Answer<Result>;
}['handle'];

/** A handler of any method. */
export type AnyHandler = { handle(params: unknown, context: unknown): unknown }['handle'];

/** Handlers by method name. */
export type Handlers = Readonly<Record<string, AnyHandler | undefined>>;
