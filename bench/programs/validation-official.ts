import { reportValidation } from './validation.ts';

// The package does not export its validators: this is the one its client side calls for each update.
interface Validators {
  readonly zSessionNotification: {
    parse(params: unknown): {
      readonly update: { readonly sessionUpdate: string; readonly toolCallId?: string };
    };
  };
}

const entry = import.meta.resolve('@agentclientprotocol/sdk');
const { zSessionNotification }: Validators = await import(new URL('../schema/zod.gen.js', entry).href);

reportValidation((params) => zSessionNotification.parse(params).update.toolCallId);
