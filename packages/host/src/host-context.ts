import type { DiagnosticCode, DiagnosticEvent, HostEvent } from './host-event.ts';
import type { Interact } from './interact.ts';
import type { Policy } from './permission/policy.ts';

/** What all parts that serve one agent have in common. */
export interface HostContext {
  readonly policy: Policy;
  readonly interact: Interact;
  emit(event: HostEvent): void;
  diagnose(level: DiagnosticEvent['level'], code: DiagnosticCode, message: string): void;
}
