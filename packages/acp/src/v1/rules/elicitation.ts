import type { CreateElicitationRequest } from '../../schema/v1/unstable.ts';
import { byClient, type Declared, type Gate } from './gate.ts';
import { type Objection, undeclared, unknownTag } from './objection.ts';

/** ACP v1, Elicitation: only the modes that the client declared, each by itself. */
export function checkElicitationMode(
  request: CreateElicitationRequest,
  declared: Declared,
): Objection | undefined {
  switch (request.mode) {
    case 'form':
      return byForm.isOpen(declared) ? undefined : undeclared('mode', byForm, request.mode);
    case 'url':
      return byUrl.isOpen(declared) ? undefined : undeclared('mode', byUrl, request.mode);
    case 'unknown':
      return unknownTag('mode', '`form` or `url`', request.raw['mode']);
  }
}

/** Any elicitation at all. */
export const elicitation: Gate = byClient(
  'elicitation',
  (client) => client.elicitation?.form ?? client.elicitation?.url,
);

const byForm = byClient('elicitation.form', (client) => client.elicitation?.form);

/** Elicitation by sending the user to a URL. */
export const byUrl: Gate = byClient('elicitation.url', (client) => client.elicitation?.url);
