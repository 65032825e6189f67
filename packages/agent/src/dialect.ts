import { isJsonObject, mapReceived, type Transport } from '@parley/wire';

/** The error codes to use where source document 001 and the protocol differ; absent: the protocol's. */
export type Dialect = 'agentao';

/**
 * Agentao also accepts the outcome of a permission request without the object around it: `{outcome: "selected",
 * optionId}`.
 */
export function acceptFlatOutcomes(transport: Transport): Transport {
  return mapReceived(transport, withNestedOutcome);
}

function withNestedOutcome(message: unknown): unknown {
  if (!isJsonObject(message) || !isJsonObject(message['result'])) return message;
  const { result } = message;
  const isFlat = result['outcome'] === 'selected' || result['outcome'] === 'cancelled';
  return isFlat ? { ...message, result: { outcome: result } } : message;
}
