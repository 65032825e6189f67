import type { ContentBlock, PromptRequest } from '../../schema/v1/unstable.ts';
import { byAgent, type Declared, type Gate } from './gate.ts';
import { type Objection, undeclared, unknownTag } from './objection.ts';

/** ACP v1, Content: text and links always; the other kinds of block only as the agent declared. */
export function checkPromptContent({ prompt }: PromptRequest, declared: Declared): Objection | undefined {
  for (const [index, block] of prompt.entries()) {
    const place = `prompt[${index}].type`;
    if (block.type === 'unknown') return unknownTag(place, 'a known type of content', block.raw['type']);
    const gate = gateOf(block.type);
    if (gate?.isOpen(declared) === false) return undeclared(place, gate, block.type);
  }
  return undefined;
}

function gateOf(type: Exclude<ContentBlock['type'], 'unknown'>): Gate | undefined {
  switch (type) {
    case 'text':
    case 'resource_link':
      return undefined;
    case 'image':
      return image;
    case 'audio':
      return audio;
    case 'resource':
      return embeddedContext;
  }
}

const image = byAgent('promptCapabilities.image', (agent) => agent.promptCapabilities?.image);
const audio = byAgent('promptCapabilities.audio', (agent) => agent.promptCapabilities?.audio);
const embeddedContext = byAgent(
  'promptCapabilities.embeddedContext',
  (agent) => agent.promptCapabilities?.embeddedContext,
);
