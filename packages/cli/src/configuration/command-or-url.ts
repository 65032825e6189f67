import { anyObject, checked, either, isObject, type Schema } from '@parley/workspace/schema';
import * as v from 'valibot';

/** An object that starts a program by its `command`, or names a server by its `url`. */
export function commandOrUrl<Program, Server>(
  program: Schema<Program>,
  server: Schema<Server>,
): Schema<Program | Server> {
  const oneOfBoth: Schema<unknown> = checked(anyObject, (value) => {
    const [hasCommand, hasUrl] = [Object.hasOwn(value, 'command'), Object.hasOwn(value, 'url')];
    if (hasCommand && hasUrl) return 'has both "command" and "url"; one is expected';
    return hasCommand || hasUrl ? undefined : 'expected "command" or "url"';
  });
  return v.pipe(
    oneOfBoth,
    either([program, server], (value) => isObject(value) && Object.hasOwn(value, 'command')),
  );
}
