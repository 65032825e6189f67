import type { ClientCapabilities } from '@parley/acp';
import { isJsonObject } from '@parley/wire';
import { fieldsOf } from '../session-fields.ts';

/**
 * An update as a client may be sent it, by the capabilities that it declared; undefined if it may not. The hub
 * declares more to agents than most of its clients do.
 *
 * @param isInTurn Whether a turn is running: only then is a notice sent as a thought.
 */
export function fitUpdate(update: unknown, capabilities: ClientCapabilities, isInTurn: boolean): unknown {
  if (!isJsonObject(update)) return update;
  const { session } = capabilities;
  switch (update['sessionUpdate']) {
    case 'notice':
      if (session?.notices !== undefined) return update;
      return isInTurn ? toThought(update) : undefined;
    case 'compaction_update':
    case 'compaction_summary_chunk':
      return session?.compaction !== undefined ? update : undefined;
    case 'plan_update':
    case 'plan_removed':
      // Not yet part of the stable protocol.
      return isJsonObject(fieldsOf(capabilities)['plan']) ? update : undefined;
    case 'config_option_update':
      return fitOptions(update, capabilities);
    default:
      return update;
  }
}

/** An update or a result, without the options that a client did not declare. */
export function fitOptions<Value extends object>(value: Value, { session }: ClientCapabilities): Value {
  const { configOptions } = fieldsOf(value);
  if (!Array.isArray(configOptions) || session?.configOptions?.boolean !== undefined) return value;
  const shown = configOptions.filter((option: unknown) => fieldsOf(option)['type'] !== 'boolean');
  return shown.length === configOptions.length ? value : { ...value, configOptions: shown };
}

function toThought({ title, description }: Readonly<Record<string, unknown>>): object {
  const text = [title, description].filter((part) => typeof part === 'string').join('. ');
  return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } };
}
