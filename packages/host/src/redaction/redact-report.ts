import type { AuthAccount, ProviderInfo } from '@parley/acp/unstable';
import type { Redaction } from './redaction.ts';

/** The accounts that an agent reports, without secrets and without what is not displayed. */
export function redactAccounts(accounts: readonly AuthAccount[], redaction: Redaction): AuthAccount[] {
  return accounts.map(({ label, active, name, email, organization }) => ({
    label: redaction.text(label),
    ...(active !== undefined && { active }),
    ...(name !== undefined && { name: redaction.text(name) }),
    ...(email !== undefined && { email: redaction.text(email) }),
    ...(organization !== undefined && { organization: redaction.text(organization) }),
  }));
}

/** The model providers that an agent lists, without secrets and without what is not displayed. */
export function redactProviders(providers: readonly ProviderInfo[], redaction: Redaction): ProviderInfo[] {
  const hide = (text: string): string => redaction.text(text);
  return providers.map(({ providerId, supported, required, current }) => ({
    providerId: hide(providerId),
    supported: supported.map(hide),
    required,
    ...(current && { current: { apiType: hide(current.apiType), baseUrl: hide(current.baseUrl) } }),
  }));
}
