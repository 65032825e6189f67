import type { SessionConfigOption } from '../../schema/v1/unstable.ts';
import { byClient, type Declared } from './gate.ts';
import { type Objection, undeclared } from './objection.ts';

/** ACP v1, Session Config Options: an on/off option only for a client that said it shows them. */
export function checkConfigOptions(
  { configOptions = [] }: { readonly configOptions?: readonly SessionConfigOption[] },
  declared: Declared,
): Objection | undefined {
  if (booleanOptions.isOpen(declared)) return undefined;
  const index = configOptions.findIndex((option) => option.type === 'boolean');
  return index === -1 ? undefined : undeclared(`configOptions[${index}].type`, booleanOptions, 'boolean');
}

const booleanOptions = byClient(
  'session.configOptions.boolean',
  (client) => client.session?.configOptions?.boolean,
);
