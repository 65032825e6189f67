import { isDeeper } from '../is-deeper.ts';
import { FrameFault, faultHeadLength, type FrameFaultCode } from './frame-fault.ts';

/** Parses the text of a frame. Returns a fault if it is not JSON, or is nested too deeply. */
export function parseFrame(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return toFault('malformed', text);
  }
  // Each level has two characters.
  return text.length > 2 * maxLevels && isDeeper(value, maxLevels) ? toFault('too-deep', text) : value;
}

/** Makes the fault of a frame that was read whole. */
export function toFault(code: FrameFaultCode, text: string): FrameFault {
  return new FrameFault(code, encoder.encode(text).length, text.slice(0, faultHeadLength));
}

/** Levels of lists and objects in a frame. `JSON.parse` takes any number; what handles the value later is recursive. */
const maxLevels = 1000;

const encoder = new TextEncoder();
